import { type FormEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ContactDraft, ContactFormProps, FieldRule } from "../contract.ts";
import { Answer } from "./answer.tsx";
import { Field, type TextControl, tell } from "./field.tsx";
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
      <Answer
        copy={copy}
        email={email}
        state={state}
        errors={errors}
        submitting={submitting}
        pinned={pinned}
        ref={answer}
        status={status}
        summary={summary}
      />
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

/** What the fields hold once a message is sent. */
const emptied = (fields: FieldRule[]) =>
  Object.fromEntries(fields.map(({ name }) => [name, ""])) as ContactDraft;
