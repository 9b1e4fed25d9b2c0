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
type Card = { brand: string; heading: string; words: string; view: string };

const file = (path: string) => new URL(path, import.meta.url);

/** Every card as the copy wants it; a page that is listed and has none here doesn't compile. */
export async function wanted(): Promise<Record<Listed, Card>> {
  const copy: unknown = parse(await readFile(file("../../site/content/site.toml"), "utf8"));
  const { site, home, pricing, contact, privacy } = copy as Copy;
  const card = (heading: string, words: string, view: string): Card => ({
    brand: site.name,
    heading: filledIn(heading, copy),
    words: filledIn(words, copy),
    view,
  });
  return {
    home: card(home.hero.headline, home.hero.text, "rooms"),
    pricing: card(pricing.heading, pricing.subtitle, "objects"),
    contact: card(contact.heading, contact.intro, "log"),
    privacy: card(privacy.heading, privacy.intro, "rooms"),
  };
}

/**
 * A text of the copy with the texts that it repeats in braces: the element of a list goes by its
 * number from 1, its name or its id (docs/owners.md, "Say a thing once").
 */
export function filledIn(text: string, copy: unknown): string {
  const under = (value: unknown, key: string): unknown =>
    Array.isArray(value)
      ? (value[Number(key) - 1] ?? value.find(({ id, name }) => id === key || name === key))
      : (value as Record<string, unknown> | undefined)?.[key];
  return text.replace(/\{([^{}]+\.[^{}]+)\}/g, (_, place: string) => {
    const found = place.split(".").reduce(under, copy);
    if (typeof found !== "string") {
      throw new Error(`site.toml: {${place}} leads to no text; \`site check\` says where`);
    }
    return found;
  });
}

/** Where `make draw` notes what stands on the cards that it has drawn. */
export const drawn = file("drawn.json");
