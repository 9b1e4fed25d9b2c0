import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from "react";
import type { ContactForm as ContactFormCopy, FieldError, FieldRule } from "../contract.ts";
import { fill } from "../fill.ts";

/** What a visitor types into. */
export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Has a field that the browser marks say why: its check fires `invalid` (HTML, section 4.10.21.3). */
export function tell(control: TextControl) {
  // In `:is()`, or older browsers, which don't know it, would throw.
  if (control.matches(":is(:user-invalid)")) {
    control.checkValidity();
  }
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
export function Field({
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
