import { type ComponentProps, type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ContactField, ContactFormProps, FieldError } from "../contract.ts";
import { type Outcome, send } from "./send.ts";

/** The form that sends a message, in the states of the specification's section 4. */
export function ContactForm(props: ContactFormProps) {
  const { action, copy, draft, sendDelayMs } = props;
  const [{ state, errors }, show] = useState<Outcome>(props);
  const [submitting, setSubmitting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLElement>(null);
  // One id for each draft, so that the server stores a message once however often it is retried.
  const submission = useRef("");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { current: sent } = form;
    if (!sent || submitting) {
      return;
    }
    setSubmitting(true);

    // Browsers offer randomUUID on secure addresses only; elsewhere the server makes the id.
    submission.current ||= crypto.randomUUID?.() ?? "";
    const fields = new FormData(sent);
    fields.set("submission_id", submission.current);
    fields.set("elapsed_ms", String(Math.round(performance.now())));

    const [outcome] = await Promise.all([
      // A form without file fields holds strings only.
      send(action, new URLSearchParams(fields as unknown as Record<string, string>)),
      new Promise((resolve) => setTimeout(resolve, sendDelayMs)),
    ]);

    flushSync(() => {
      setSubmitting(false);
      show(outcome);
    });
    if (outcome.state === "sent") {
      submission.current = "";
      // Not `reset()`: that would bring back a draft that the server sent along.
      for (const field of Object.keys(draft)) {
        (sent.elements.namedItem(field) as HTMLInputElement).value = "";
      }
    }
    const title = document.title.replace(`${copy.errorPrefix} `, "");
    document.title = summary.current ? `${copy.errorPrefix} ${title}` : title;
    if (summary.current) {
      summary.current.focus();
    } else if (document.activeElement === document.body) {
      // The button lost the focus when it was disabled.
      sent.querySelector("button")?.focus();
    }
  };

  const banner = submitting ? "idle" : state;
  const field = (name: ContactField) => ({
    name,
    label: copy[name],
    defaultValue: draft[name],
    error: errors.find((error) => error.field === name),
    errorPrefix: copy.errorPrefix,
  });

  return (
    <form
      className="contact-form"
      method="post"
      action={action}
      ref={form}
      onSubmit={submit}
      aria-labelledby="contact-form-heading"
    >
      <h2 id="contact-form-heading">{copy.heading}</h2>
      {errors.length > 0 && (
        <ErrorSummary ref={summary} heading={copy.errorSummary} errors={errors} />
      )}
      {/* The live regions stand there before they speak, or screen readers would miss them. */}
      <div role="status">
        {banner === "sent" && <p className="banner banner-success">{copy.success}</p>}
      </div>
      <div role="alert">
        {(banner === "failed" || banner === "limited") && (
          <p className="banner banner-failure">
            {banner === "failed" ? copy.failure : copy.limited}
          </p>
        )}
      </div>
      <Field {...field("name")} autoComplete="name" required />
      <Field {...field("email")} type="email" autoComplete="email" required />
      <Field {...field("company")} autoComplete="organization" note={copy.optional} />
      <Field {...field("message")} rows={6} required />
      {/* People neither see nor reach this field; a machine that fills in everything gives itself away. */}
      <div className="contact-form-trap" aria-hidden="true">
        <label htmlFor="contact-website">Website</label>
        <input id="contact-website" name="website" autoComplete="off" tabIndex={-1} />
      </div>
      <input type="hidden" name="submission_id" defaultValue="" />
      <input type="hidden" name="elapsed_ms" defaultValue="" />
      <p className="contact-form-privacy">{copy.privacy}</p>
      <button className="button button-primary" type="submit" disabled={submitting}>
        {submitting && <span className="spinner" aria-hidden="true" />}
        {submitting ? copy.sending : copy.submit}
      </button>
    </form>
  );
}

type FieldProps = {
  name: ContactField;
  label: string;
  note?: string;
  error: FieldError | undefined;
  errorPrefix: string;
} & Pick<ComponentProps<"input">, "type" | "autoComplete" | "required" | "defaultValue"> &
  Pick<ComponentProps<"textarea">, "rows">;

/** A labelled field; one with `rows` takes several lines. Uncontrolled, so that text typed before hydration stays. */
function Field({ label, note, error, errorPrefix, ...rest }: FieldProps) {
  const id = `contact-${rest.name}`;
  const control = {
    ...rest,
    id,
    "aria-invalid": error && true,
    "aria-describedby": error && `${id}-error`,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {note && <span className="field-note">{` ${note}`}</span>}
      </label>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          <span className="visually-hidden">{`${errorPrefix} `}</span>
          {error.message}
        </p>
      )}
      {rest.rows ? <textarea {...control} /> : <input {...control} />}
    </div>
  );
}

type ErrorSummaryProps = Pick<ComponentProps<"section">, "ref"> & {
  heading: string;
  errors: FieldError[];
};

/** What is wrong, on top of the form, with links to the fields. */
function ErrorSummary({ ref, heading, errors }: ErrorSummaryProps) {
  return (
    <section
      className="error-summary"
      ref={ref}
      aria-labelledby="contact-form-problem"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without script nothing else moves the focus to what went wrong
      autoFocus
    >
      <h3 id="contact-form-problem">{heading}</h3>
      <ul>
        {errors.map(({ field, message }) => (
          <li key={field}>
            <a href={`#contact-${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
