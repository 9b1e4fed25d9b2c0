/** The mark of the product: a stepped cloud with three ticks cut into its underside. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 15 9" width="45" height="27" aria-hidden="true">
      <path
        fill="currentColor"
        d="M5 0h4v1h1v2h3v1h1v1h1v3h-1v1h-2V7h-1v2H8V7H7v2H4V7H3v2H1V8H0V5h1V4h2V1h2z"
      />
    </svg>
  );
}
