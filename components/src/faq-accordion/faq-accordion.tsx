import type { FaqAccordionProps } from "../contract.ts";

/** The questions; at most one is open, and a click on the open one closes it (`<details name>`). */
export function FaqAccordion({ entries }: FaqAccordionProps) {
  return (
    <div className="faq">
      {entries.map(({ id, question, gist, answer }) => (
        <details className="faq-entry" name="faq" id={id} key={id}>
          <summary>
            <h3>{question}</h3>
            {gist && <span>{gist}</span>}
          </summary>
          <div className="faq-answer">
            {answer.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </details>
      ))}
    </div>
  );
}
