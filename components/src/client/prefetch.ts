/**
 * Fetches the page behind a link that the visitor points at or tabs to, where the browser doesn't
 * follow the speculation rules that the server sends.
 */
export function prefetchOnIntent() {
  if (HTMLScriptElement.supports?.("speculationrules")) {
    return;
  }
  const known = new Set([location.pathname]);
  const prefetch = ({ target }: Event) => {
    const link = (target as Element).closest<HTMLAnchorElement>("a[href^='/']");
    if (link && !known.has(link.pathname)) {
      known.add(link.pathname);
      const hint = document.createElement("link");
      hint.rel = "prefetch";
      hint.href = link.pathname;
      document.head.append(hint);
    }
  };
  document.addEventListener("pointerover", prefetch);
  document.addEventListener("focusin", prefetch);
}
