import type { ComponentType } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { ContactForm } from "../contact-form/contact-form.tsx";
import { FaqAccordion } from "../faq-accordion/faq-accordion.tsx";
import { NavBar } from "../nav-bar/nav-bar.tsx";
import type { IslandName, PropsOf } from "../registry.ts";

/** Not the registry itself: that would send the sections which never hydrate along. */
const islands: { [Name in IslandName]: ComponentType<PropsOf<Name>> } = {
  NavBar,
  FaqAccordion,
  ContactForm,
};

/** Makes an island of the server's HTML interactive, with the props that follow it in the page. */
export function hydrate(island: HTMLElement) {
  const name = island.dataset.island as IslandName;
  const Island = islands[name] as ComponentType<object>;
  const props = JSON.parse(island.nextElementSibling?.textContent ?? "");
  // At once, so that an event which waits for the island finds its handlers in place.
  flushSync(() =>
    hydrateRoot(island, <Island {...props} />, {
      identifierPrefix: `${name}-`,
      onRecoverableError: reportError,
    }),
  );
  island.dataset.hydrated = "";
}
