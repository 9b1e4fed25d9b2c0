/** When the clouds of the hero set off after the page has loaded (specification, section 9). */
const SETTLE_MS = 500;

/** Says when the clouds of the hero set off; the style moves them. */
export function settleClouds() {
  addEventListener("load", () => {
    setTimeout(() => document.documentElement.toggleAttribute("data-settled", true), SETTLE_MS);
  });
}
