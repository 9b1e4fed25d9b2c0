/** How long after load the hero's clouds begin to move, in milliseconds (docs/behaviour.md, "Home"). */
const SETTLE_MS = 500;

/** Marks the page some time after load; the style then moves the hero's clouds. */
export function settleClouds() {
  addEventListener("load", () => {
    setTimeout(() => document.documentElement.toggleAttribute("data-settled", true), SETTLE_MS);
  });
}
