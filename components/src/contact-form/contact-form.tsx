import {
  type ComponentProps,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import type {
  ContactDraft,
  ContactForm as ContactFormCopy,
  ContactFormProps,
  FieldError,
  FieldRule,
} from "../contract.ts";
import { fill } from "../fill.ts";
import { type Outcome, send } from "./send.ts";

/**
 * The form that sends a message, in its states (docs/behaviour.md, "Contact form"). As it begins, each
 * text is all that its element holds, and may be another's: a translator has been there before React.
 * Later no text stands beside what comes and goes: React would look for it, and a translator has it.
 */
export function ContactForm(props: ContactFormProps) {
  const { action, fields, copy, email, sendDelayMs } = props;
  const [{ state, errors }, show] = useState<Outcome>(props);
  const [draft, setDraft] = useState(props.draft);
  const [messages, setMessages] = useState(props.state === "sent" ? 1 : 0);
  // What was wrong with a field is told there until somebody writes in it, and in the summary until the next try.
  const [corrected, correct] = useState<string[]>([]);
  const [submitting, setSubmitting] = useState(false);
  // Asked at the very first: of a text area Firefox forgets it once React holds it.
  const [browserRefused] = useState(hasRefused);
  // What came of a message stays in view until the visitor turns to the fields again.
  const [pinned, pin] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  const status = useRef<HTMLDivElement>(null);
  const summary = useRef<HTMLElement>(null);
  // One id for each draft, so that the server stores a message once however often it is retried.
  const submission = useRef("");
  // The page's own: a translator may have changed what was put before it.
  const title = useRef("");

  // Before the script was there the browser may have marked fields in its own way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stays as it was at the very first
  useEffect(() => {
    const { activeElement: focused } = document;
    if (!(browserRefused && focused instanceof HTMLElement)) {
      form.current?.querySelectorAll<TextControl>("input, textarea").forEach(tell);
      return;
    }
    form.current?.checkValidity();
    // Its bubble, which would lie on what is told here, goes with the focus. In a turn of its own:
    // in this one Chrome keeps it.
    setTimeout(() => {
      focused.blur();
      focused.focus({ preventScroll: true });
      // WebKit has left its label under the header.
      focused.scrollIntoView({ block: "nearest" });
    });
  }, []);

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
      correct([]);
      if (outcome.state === "sent") {
        setDraft(emptied(fields));
      }
    });
    if (outcome.state === "sent") {
      submission.current = "";
      // Rather than emptied, or the browser would mark as invalid what nobody has filled in yet.
      sent.reset();
      setMessages(messages + 1);
    }
    title.current ||= document.title.replace(`${copy.errorPrefix} `, "");
    document.title =
      outcome.state === "sent" ? title.current : `${copy.errorPrefix} ${title.current}`;
    summary.current?.focus({ preventScroll: true });
    // Pinned, it is in view unless the visitor has left the form meanwhile.
    answer.current?.scrollIntoView({ block: "nearest" });
  };

  const banner = submitting ? "idle" : state;
  const refused = !submitting && errors.length > 0;

  // Once a message is sent what became of it comes first, and another one second.
  const another = state === "sent" || messages > 0;
  const heading = (
    <h2 id="contact-form-heading" suppressHydrationWarning>
      {another ? copy.again : copy.heading}
    </h2>
  );

  return (
    <form
      className="contact-form"
      method="post"
      action={action}
      ref={form}
      onSubmit={submit}
      onFocus={({ target }) => target.closest(".field") && pin(false)}
      onInput={({ target }) => {
        pin(false);
        const { name } = target as HTMLInputElement;
        correct((names) => (names.includes(name) ? names : [...names, name]));
      }}
      aria-labelledby="contact-form-heading"
    >
      {!another && heading}
      <div
        className="contact-form-answer"
        data-room={longest(copy)}
        data-pinned={pinned || undefined}
        ref={answer}
      >
        {banner === "idle" && !refused && !submitting && (
          <p className="contact-form-note">
            <span suppressHydrationWarning>{copy.privacy}</span>{" "}
            <a href="/privacy" suppressHydrationWarning>
              {copy.privacyLink}
            </a>
          </p>
        )}
        {/* The live regions stand there before they speak, or screen readers would miss them. */}
        <div role="status" tabIndex={-1} ref={status}>
          {submitting && <p className="contact-form-note">{copy.sending}</p>}
          {banner === "sent" && <Banner kind="success" text={copy.success} />}
        </div>
        <div role="alert">
          {banner === "failed" && (
            <Banner kind="failure" text={copy.failure}>
              <span>
                <span suppressHydrationWarning>{copy.instead}</span>{" "}
                <a href={`mailto:${email}`} suppressHydrationWarning>
                  {email}
                </a>
              </span>
            </Banner>
          )}
          {banner === "limited" && <Banner kind="limited" text={copy.limited} />}
        </div>
        {refused && <ErrorSummary ref={summary} heading={copy.errorSummary} errors={errors} />}
      </div>
      {another && heading}
      {fields.map((rule) => (
        <Field
          key={rule.name}
          rule={rule}
          copy={copy}
          draft={draft[rule.name]}
          error={errors.find(({ field }) => field === rule.name && !corrected.includes(field))}
          submitting={submitting}
          messages={messages}
          prompt={state === "sent" && rule.kind === "text" ? copy.prompt : undefined}
        />
      ))}
      {/* People neither see nor reach this field; a machine that fills in everything gives itself away. */}
      <div className="contact-form-trap" aria-hidden="true">
        <label htmlFor="contact-website" suppressHydrationWarning>
          Website
        </label>
        <input id="contact-website" name="website" autoComplete="off" tabIndex={-1} />
      </div>
      <input type="hidden" name="submission_id" defaultValue="" />
      <input type="hidden" name="elapsed_ms" defaultValue="" />
      <button
        className="button button-primary"
        type="submit"
        disabled={submitting}
        onClick={() => {
          const first = form.current?.querySelector<TextControl>(":invalid");
          first?.focus({ preventScroll: true });
          // No further than its margin asks for: browsers would show it in the middle.
          first?.scrollIntoView({ block: "nearest" });
        }}
      >
        {submitting && <span className="spinner" aria-hidden="true" />}
        <span suppressHydrationWarning>{submitting ? copy.sending : copy.submit}</span>
      </button>
    </form>
  );
}

/** Whether the browser has refused to send the message: it marks all that is wrong, and moves there. */
const hasRefused = () =>
  typeof document !== "undefined" &&
  document.activeElement?.matches(".field :is(:user-invalid)") &&
  !document.querySelector(".field :invalid:not(:is(:user-invalid))");

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Has a field that the browser marks say why: its check fires `invalid` (HTML, section 4.10.21.3). */
function tell(control: TextControl) {
  // In `:is()`, or older browsers, which don't know it, would throw.
  if (control.matches(":is(:user-invalid)")) {
    control.checkValidity();
  }
}

/** What the fields hold once a message is sent. */
const emptied = (fields: FieldRule[]) =>
  Object.fromEntries(fields.map(({ name }) => [name, ""])) as ContactDraft;

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

type FieldProps = {
  rule: FieldRule;
  copy: ContactFormCopy;
  draft: string;
  error: FieldError | undefined;
  submitting: boolean;
  /** How many have been sent: each begins with an empty field. */
  messages: number;
  prompt: string | undefined;
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
  messages,
  prompt,
}: FieldProps) {
  const [left, setLeft] = useState(limit);
  const text = useRef<HTMLTextAreaElement>(null);
  // What came back, or was typed before the script was there, counts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that was sent has emptied the field
  useEffect(() => {
    if (text.current) setLeft(limit - text.current.value.length);
  }, [limit, messages]);
  // What the browser's own check finds, until the visitor turns to it.
  const [found, find] = useState<string>();
  const id = `contact-${name}`;
  const { label, missing, malformed } = copy.fields[name];
  const mistake = error?.message ?? found;
  const rest = kind === "text" && left < NEAR_THE_LIMIT && fill(copy.left, { count: left });
  const control = {
    id,
    name,
    required,
    maxLength: limit,
    placeholder: prompt,
    // What is typed while a message is sent would be lost with it.
    readOnly: submitting,
    autoComplete: autofill ?? undefined,
    defaultValue: draft,
    "aria-invalid": mistake ? true : undefined,
    "aria-describedby": mistake ? `${id}-error` : rest ? `${id}-left` : undefined,
    onBlur: ({ currentTarget }: FocusEvent<TextControl>) => tell(currentTarget),
    onInvalid: (event: FormEvent<TextControl>) => {
      // The browser's own words would lie on these.
      event.preventDefault();
      const { validity, validationMessage } = event.currentTarget;
      find((validity.valueMissing ? missing : malformed) ?? validationMessage);
    },
    onInput: ({ currentTarget: { value } }: FormEvent<TextControl>) => {
      find(undefined);
      setLeft(limit - value.length);
    },
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        <span suppressHydrationWarning>{label}</span>
        {!required && (
          <span className="field-note" suppressHydrationWarning>{` ${copy.optional}`}</span>
        )}
      </label>
      {kind === "text" ? (
        <textarea {...control} rows={lines} ref={text} />
      ) : (
        <input {...control} type={kind === "email" ? "email" : undefined} />
      )}
      {rest && !mistake && (
        <p className="field-note" id={`${id}-left`}>
          {rest}
        </p>
      )}
      {rest && <Aloud text={rest} />}
      {mistake && (
        <p className="field-error" id={`${id}-error`}>
          <span className="visually-hidden" suppressHydrationWarning>{`${copy.errorPrefix} `}</span>
          <span suppressHydrationWarning>{mistake}</span>
        </p>
      )}
    </div>
  );
}

/** Says a text aloud that is seen elsewhere, once typing pauses: at each key it would be too much. */
function Aloud({ text }: { text: string }) {
  const [said, say] = useState("");
  useEffect(() => {
    const pause = setTimeout(say, 1000, text);
    return () => clearTimeout(pause);
  }, [text]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {said}
    </p>
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
