import type { ReactNode, Ref } from "react";
import type { ContactForm as ContactFormCopy, ContactFormState, FieldError } from "../contract.ts";

type AnswerProps = {
  copy: ContactFormCopy;
  email: string;
  state: ContactFormState;
  errors: FieldError[];
  submitting: boolean;
  /** Whether it stays in the window. */
  pinned: boolean;
  ref: Ref<HTMLDivElement>;
  status: Ref<HTMLDivElement>;
  summary: Ref<HTMLElement>;
};

/** What becomes of a message: first a note, then that it is being sent, then what came of it. */
export function Answer({
  copy,
  email,
  state,
  errors,
  submitting,
  pinned,
  ref,
  status,
  summary,
}: AnswerProps) {
  const said = submitting ? "sending" : errors.length > 0 ? "refused" : state;
  return (
    <div
      className="contact-form-answer"
      data-room={longest(copy)}
      data-pinned={pinned || undefined}
      ref={ref}
    >
      {said === "idle" && (
        <p className="contact-form-note">
          <span suppressHydrationWarning>{copy.privacy}</span>{" "}
          <a href="/privacy" suppressHydrationWarning>
            {copy.privacyLink}
          </a>
        </p>
      )}
      {/* The live regions stand there before they speak, or screen readers would miss them. */}
      <div role="status" tabIndex={-1} ref={status}>
        {said === "sending" && <p className="contact-form-note">{copy.sending}</p>}
        {said === "sent" && <Banner kind="success" text={copy.success} />}
      </div>
      <div role="alert">
        {said === "failed" && (
          <Banner kind="failure" text={copy.failure}>
            <span>
              <span suppressHydrationWarning>{copy.instead}</span>{" "}
              <a href={`mailto:${email}`} suppressHydrationWarning>
                {email}
              </a>
            </span>
          </Banner>
        )}
        {said === "limited" && <Banner kind="limited" text={copy.limited} />}
      </div>
      {said === "refused" && (
        <ErrorSummary heading={copy.errorSummary} errors={errors} ref={summary} />
      )}
    </div>
  );
}

/** The longest text that a banner may show: the style keeps room for it. */
function longest({ success, failure, limited }: ContactFormCopy): string {
  return [success, failure, limited].reduce((a, b) => (b.length > a.length ? b : a));
}

type BannerProps = {
  kind: "success" | "failure" | "limited";
  text: string;
  children?: ReactNode;
};

/** What came of a message, and under it another way. */
function Banner({ kind, text, children }: BannerProps) {
  return (
    <p
      className={`banner banner-${kind}`}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without script nothing else brings it into view
      autoFocus
    >
      <span suppressHydrationWarning>{text}</span>
      {children}
    </p>
  );
}

type ErrorSummaryProps = {
  heading: string;
  errors: FieldError[];
  ref: Ref<HTMLElement>;
};

/** What is wrong, with links to the fields. */
function ErrorSummary({ heading, errors, ref }: ErrorSummaryProps) {
  return (
    <section
      className="error-summary"
      ref={ref}
      aria-labelledby="contact-form-problem"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without script nothing else moves the focus to what went wrong
      autoFocus
    >
      <h3 id="contact-form-problem" suppressHydrationWarning>
        {heading}
      </h3>
      <ul>
        {errors.map(({ field, message }) => (
          <li key={field}>
            <a href={`#contact-${field}`} suppressHydrationWarning>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
