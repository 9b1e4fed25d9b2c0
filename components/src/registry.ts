import type { ReactNode } from "react";
import { ContactForm } from "./contact-form/contact-form.tsx";
import type { Section } from "./contract.ts";
import { Estimate } from "./estimate/estimate.tsx";
import { FaqAccordion } from "./faq-accordion/faq-accordion.tsx";
import { NavBar } from "./nav-bar/nav-bar.tsx";
import { PricingCards } from "./pricing-cards/pricing-cards.tsx";
import { Room } from "./room/room.tsx";

/** The name of a section, as the contract knows it. */
export type SectionName = Section["name"];

/** What the section of this name shows. */
export type PropsOf<Name extends SectionName> = Extract<Section, { name: Name }>["props"];

/** Every section with its component. A variant of the contract that is missing here doesn't compile. */
export const registry = {
  NavBar,
  PricingCards,
  FaqAccordion,
  ContactForm,
  Room,
  Estimate,
} satisfies {
  [Name in SectionName]: (props: PropsOf<Name>) => ReactNode;
};

/**
 * The islands: the sections that React wakes in the browser. Each is a script of its own. Of every
 * other section no script and no props are sent.
 */
export const islands: readonly SectionName[] = ["ContactForm", "Room", "Estimate"];

/** Where a section's files are, in `components/src/`: its name in kebab case, as are theirs. */
export function folderOf(name: SectionName): string {
  return name.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
}
