import { type ComponentType, type ReactNode, useLayoutEffect } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { identifierPrefix } from "../island.ts";

/** Makes an island of the server's HTML interactive, with the props that follow it in the page. */
export function hydrate<Props extends object>(
  island: HTMLElement,
  name: string,
  Island: ComponentType<Props>,
) {
  const props: Props = JSON.parse(island.nextElementSibling?.textContent ?? "");
  const controls = () => [...island.querySelectorAll<HTMLInputElement>("[name]")];
  const before = controls();
  const focused = document.activeElement;
  // Where an extension had put something into a field, React has written all of them anew.
  const restore = () => {
    const after = controls();
    const names = new Set(after.map(({ name }) => name));
    const ours = before.filter(({ name }) => names.has(name));
    after.forEach((control, index) => {
      const old = ours[index];
      if (!old || control === old) return;
      control.value = old.value;
      control.checked = old.checked;
      if (old === focused) control.focus();
    });
  };
  // At once, so that an event which waits for the island finds its handlers in place.
  flushSync(() =>
    hydrateRoot(
      island,
      <Before effects={restore}>
        <Island {...props} />
      </Before>,
      { identifierPrefix: identifierPrefix(name), onRecoverableError: reportError },
    ),
  );
  island.dataset.hydrated = "";
}

/** Does something once what is in it is in the page, before any effect there looks at it. */
function Before({ effects, children }: { effects: () => void; children: ReactNode }) {
  useLayoutEffect(effects, [effects]);
  return children;
}
