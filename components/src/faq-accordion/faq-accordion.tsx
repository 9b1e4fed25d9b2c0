import { type SyntheticEvent, useEffect, useRef } from "react";
import type { FaqAccordionProps } from "../contract.ts";

/** Opening and closing is the browser's own; the script only adds what some browsers lack. */
export const hydrate = "interaction";

/** The questions; at most one is open, and a click on the open one closes it. */
export function FaqAccordion({ entries }: FaqAccordionProps) {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const openNamed = () => {
      const named = document.getElementById(location.hash.slice(1));
      if (named instanceof HTMLDetailsElement && list.current?.contains(named)) {
        named.open = true;
      }
    };
    openNamed();
    addEventListener("hashchange", openNamed);
    return () => removeEventListener("hashchange", openNamed);
  }, []);

  // Browsers that don't know `name` on <details> leave the others open.
  const closeOthers = ({ currentTarget: toggled }: SyntheticEvent<HTMLDetailsElement>) => {
    for (const other of list.current?.querySelectorAll("details") ?? []) {
      if (toggled.open && other !== toggled) {
        other.open = false;
      }
    }
  };

  return (
    <div className="faq" ref={list}>
      {entries.map(({ id, question, answer }) => (
        <details className="faq-entry" name="faq" id={id} key={id} onToggle={closeOthers}>
          <summary>
            <h3>{question}</h3>
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
