import { type ComponentProps, type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type {
  ContactDraft,
  ContactForm as ContactFormCopy,
  ContactFormProps,
  FieldError,
  FieldRule,
} from "../contract.ts";
import { type Outcome, send } from "./send.ts";

/** The form that sends a message, in its states (docs/behaviour.md, "Contact form"). */
export function ContactForm(props: ContactFormProps) {
  const { action, fields, copy, sendDelayMs } = props;
  const [{ state, errors }, show] = useState<Outcome>(props);
  const [draft, setDraft] = useState(props.draft);
  const [submitting, setSubmitting] = useState(false);
  // What came of a message stays in view until the visitor turns to the fields again.
  const [pinned, pin] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const status = useRef<HTMLDivElement>(null);
  const summary = useRef<HTMLElement>(null);
  // One id for each draft, so that the server stores a message once however often it is retried.
  const submission = useRef("");

  const submit = async (event: FormEvent) => {
    // Another server answers in its own way: the browser posts the form and shows the answer.
    if (!action.startsWith("/")) {
      return;
    }
    event.preventDefault();
    const { current: sent } = form;
    if (!sent || submitting) {
      return;
    }
    // Before the button that has it is disabled; a keyboard on the screen makes room, too.
    status.current?.focus({ preventScroll: true });
    setSubmitting(true);
    pin(true);

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
      pin(true);
      show(outcome);
      if (outcome.state === "sent") {
        setDraft(emptied(fields));
      }
    });
    if (outcome.state === "sent") {
      submission.current = "";
      // Rather than emptied, or the browser would mark as invalid what nobody has filled in yet.
      sent.reset();
    }
    const title = document.title.replace(`${copy.errorPrefix} `, "");
    document.title = outcome.state === "sent" ? title : `${copy.errorPrefix} ${title}`;
    summary.current?.focus({ preventScroll: true });
    // Pinned, it is in view unless the visitor has left the form meanwhile.
    sent.lastElementChild?.scrollIntoView({ block: "nearest" });
  };

  // What was wrong with a field is told until it is corrected.
  const forget = (name: string) => {
    if (errors.some(({ field }) => field === name)) {
      show({ state, errors: errors.filter(({ field }) => field !== name) });
    }
  };

  const banner = submitting ? "idle" : state;
  const refused = !submitting && errors.length > 0;

  return (
    <form
      className="contact-form"
      method="post"
      action={action}
      ref={form}
      onSubmit={submit}
      onFocus={({ target }) => target.closest(".field") && pin(false)}
      onInput={({ target }) => forget((target as HTMLInputElement).name)}
      aria-labelledby="contact-form-heading"
    >
      <h2 id="contact-form-heading">{copy.heading}</h2>
      {fields.map((rule) => (
        <Field
          key={rule.name}
          rule={rule}
          copy={copy}
          draft={draft[rule.name]}
          error={errors.find(({ field }) => field === rule.name)}
          submitting={submitting}
        />
      ))}
      {/* People neither see nor reach this field; a machine that fills in everything gives itself away. */}
      <div className="contact-form-trap" aria-hidden="true">
        <label htmlFor="contact-website">Website</label>
        <input id="contact-website" name="website" autoComplete="off" tabIndex={-1} />
      </div>
      <input type="hidden" name="submission_id" defaultValue="" />
      <input type="hidden" name="elapsed_ms" defaultValue="" />
      <div className="contact-form-end" data-pinned={pinned || undefined}>
        <div className="contact-form-answer" data-room={longest(copy)}>
          {banner === "idle" && !refused && (
            <p className="contact-form-privacy">
              {copy.privacy} <a href="/privacy">{copy.privacyLink}</a>
            </p>
          )}
          {/* The live regions stand there before they speak, or screen readers would miss them. */}
          <div role="status" tabIndex={-1} ref={status}>
            {submitting && <p className="visually-hidden">{copy.sending}</p>}
            {banner === "sent" && <Banner kind="success">{copy.success}</Banner>}
          </div>
          <div role="alert">
            {banner === "failed" && <Banner kind="failure">{copy.failure}</Banner>}
            {banner === "limited" && <Banner kind="failure">{copy.limited}</Banner>}
          </div>
          {refused && <ErrorSummary ref={summary} heading={copy.errorSummary} errors={errors} />}
        </div>
        <button className="button button-primary" type="submit" disabled={submitting}>
          {submitting && <span className="spinner" aria-hidden="true" />}
          {submitting ? copy.sending : copy.submit}
        </button>
      </div>
    </form>
  );
}

/** What the fields hold once a message is sent. */
const emptied = (fields: FieldRule[]) =>
  Object.fromEntries(fields.map(({ name }) => [name, ""])) as ContactDraft;

/** The longest text that a banner may show: the style keeps room for it. */
function longest({ success, failure, limited }: ContactFormCopy): string {
  return [success, failure, limited].reduce((a, b) => (b.length > a.length ? b : a));
}

type BannerProps = { kind: "success" | "failure"; children: string };

/** What came of a message. */
function Banner({ kind, children }: BannerProps) {
  return (
    <p
      className={`banner banner-${kind}`}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without script nothing else brings it into view
      autoFocus
    >
      {children}
    </p>
  );
}

type FieldProps = {
  rule: FieldRule;
  copy: ContactFormCopy;
  draft: string;
  error: FieldError | undefined;
  submitting: boolean;
};

/** From so many characters before the limit on the visitor is told how many are left. */
const NEAR_THE_LIMIT = 500;

/** A labelled field. Uncontrolled, so that text typed before hydration stays. */
function Field({
  rule: { name, kind, limit, required, lines, autofill },
  copy,
  draft,
  error,
  submitting,
}: FieldProps) {
  const [left, setLeft] = useState(limit);
  const id = `contact-${name}`;
  const isNear = kind === "text" && left < NEAR_THE_LIMIT;
  const control = {
    id,
    name,
    required,
    maxLength: limit,
    // What is typed while a message is sent would be lost with it.
    readOnly: submitting,
    autoComplete: autofill ?? undefined,
    defaultValue: draft,
    "aria-invalid": error && true,
    "aria-describedby": error ? `${id}-error` : isNear ? `${id}-left` : undefined,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {copy.fields[name].label}
        {!required && <span className="field-note">{` ${copy.optional}`}</span>}
      </label>
      {kind === "text" ? (
        <textarea
          {...control}
          rows={lines}
          onInput={({ currentTarget }) => setLeft(limit - currentTarget.value.length)}
        />
      ) : (
        <input {...control} type={kind === "email" ? "email" : undefined} />
      )}
      {isNear && !error && (
        <p className="field-note" id={`${id}-left`}>
          {copy.left.replace("{count}", String(left))}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          <span className="visually-hidden">{`${copy.errorPrefix} `}</span>
          {error.message}
        </p>
      )}
    </div>
  );
}

type ErrorSummaryProps = Pick<ComponentProps<"section">, "ref"> & {
  heading: string;
  errors: FieldError[];
};

/** What is wrong, with links to the fields. */
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
