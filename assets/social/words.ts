import { readFile } from "node:fs/promises";
import { parse } from "smol-toml";
import type { pages } from "../../components/src/contract.ts";

type Copy = {
  site: { name: string };
  home: { hero: { headline: string; text: string } };
  pricing: { heading: string; subtitle: string };
  contact: { heading: string; intro: string };
  privacy: { heading: string; intro: string };
};

type Listed = Extract<(typeof pages)[number], { listed: true }>["name"];

/** What stands on a card, and the console beside it. */
export type Card = { brand: string; heading: string; words: string; view: string };

const file = (path: string) => new URL(path, import.meta.url);

/** Every card as the copy wants it; a page that is listed and has none here doesn't compile. */
export async function wanted(): Promise<Record<Listed, Card>> {
  const { site, home, pricing, contact, privacy } = parse(
    await readFile(file("../../site/content/site.toml"), "utf8"),
  ) as unknown as Copy;
  const card = (heading: string, words: string, view: string): Card => ({
    brand: site.name,
    heading,
    words,
    view,
  });
  return {
    home: card(home.hero.headline, home.hero.text, "rooms"),
    pricing: card(pricing.heading, pricing.subtitle, "objects"),
    contact: card(contact.heading, contact.intro, "log"),
    privacy: card(privacy.heading, privacy.intro, "rooms"),
  };
}

/** Where `make draw` notes what stands on the cards that it has drawn. */
export const drawn = file("drawn.json");
