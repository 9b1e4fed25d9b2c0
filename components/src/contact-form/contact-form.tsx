import { type ComponentProps, type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type {
  ContactForm as ContactFormCopy,
  ContactFormProps,
  FieldError,
  FieldRule,
} from "../contract.ts";
import { type Outcome, send } from "./send.ts";

/** The form that sends a message, in its states (docs/behaviour.md, "Contact form"). */
export function ContactForm(props: ContactFormProps) {
  const { action, fields, copy, draft, sendDelayMs } = props;
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
    const posted = new FormData(sent);
    posted.set("submission_id", submission.current);
    posted.set("elapsed_ms", String(Math.round(performance.now())));

    const [outcome] = await Promise.all([
      // A form without file fields holds strings only.
      send(action, new URLSearchParams(posted as unknown as Record<string, string>)),
      new Promise((resolve) => setTimeout(resolve, sendDelayMs)),
    ]);

    flushSync(() => {
      setSubmitting(false);
      show(outcome);
    });
    if (outcome.state === "sent") {
      submission.current = "";
      // Not `reset()`: that would bring back a draft that the server sent along.
      for (const { name } of fields) {
        (sent.elements.namedItem(name) as HTMLInputElement).value = "";
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
      {fields.map((rule) => (
        <Field
          key={rule.name}
          rule={rule}
          copy={copy}
          draft={draft[rule.name]}
          error={errors.find(({ field }) => field === rule.name)}
        />
      ))}
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
  rule: FieldRule;
  copy: ContactFormCopy;
  draft: string;
  error: FieldError | undefined;
};

/** A labelled field. Uncontrolled, so that text typed before hydration stays. */
function Field({
  rule: { name, kind, required, lines, autofill },
  copy,
  draft,
  error,
}: FieldProps) {
  const id = `contact-${name}`;
  const control = {
    id,
    name,
    required,
    autoComplete: autofill ?? undefined,
    defaultValue: draft,
    "aria-invalid": error && true,
    "aria-describedby": error && `${id}-error`,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {copy.fields[name].label}
        {!required && <span className="field-note">{` ${copy.optional}`}</span>}
      </label>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          <span className="visually-hidden">{`${copy.errorPrefix} `}</span>
          {error.message}
        </p>
      )}
      {kind === "text" ? (
        <textarea {...control} rows={lines} />
      ) : (
        <input {...control} type={kind === "email" ? "email" : undefined} />
      )}
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
