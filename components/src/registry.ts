import type { ReactNode } from "react";
import { ContactForm, hydrate as hydrateContactForm } from "./contact-form/contact-form.tsx";
import type { Section } from "./contract.ts";
import { FaqAccordion, hydrate as hydrateFaqAccordion } from "./faq-accordion/faq-accordion.tsx";
import { hydrate as hydrateNavBar, NavBar } from "./nav-bar/nav-bar.tsx";
import { hydrate as hydratePricingCards, PricingCards } from "./pricing-cards/pricing-cards.tsx";

/** The name of a section, as the contract knows it. */
export type SectionName = Section["name"];

/** What the section of this name shows. */
export type PropsOf<Name extends SectionName> = Extract<Section, { name: Name }>["props"];

/** When a section becomes interactive; "never" ships neither script nor props. */
export type Hydrate = "interaction" | "visible" | "idle" | "never";

/** Every section with its component. A variant of the contract that is missing here doesn't compile. */
export const registry = {
  NavBar: { component: NavBar, hydrate: hydrateNavBar },
  PricingCards: { component: PricingCards, hydrate: hydratePricingCards },
  FaqAccordion: { component: FaqAccordion, hydrate: hydrateFaqAccordion },
  ContactForm: { component: ContactForm, hydrate: hydrateContactForm },
} satisfies {
  [Name in SectionName]: { component: (props: PropsOf<Name>) => ReactNode; hydrate: Hydrate };
};

/** The sections that hydrate. */
export type IslandName = {
  [Name in SectionName]: (typeof registry)[Name]["hydrate"] extends "never" ? never : Name;
}[SectionName];
