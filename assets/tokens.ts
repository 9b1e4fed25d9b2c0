/** What the tokens say, for whatever is drawn in their colours. */
import { readFileSync } from "node:fs";

/** The style that states them. */
export const tokens = readFileSync(new URL("css/tokens.css", import.meta.url), "utf8");

/** The values that a token has by day and by night; what it takes from another is that one's. */
export function dayAndNight(token: string): [day: string, night: string] {
  const [day, night = day] = [...tokens.matchAll(new RegExp(`--${token}: ([^;]+);`, "g"))].map(
    ([, value = ""], index) => {
      const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
      return other ? (dayAndNight(other)[index] ?? value) : value;
    },
  );
  if (!day || !night) throw new Error(`css/tokens.css has no --${token}.`);
  return [day, night];
}
