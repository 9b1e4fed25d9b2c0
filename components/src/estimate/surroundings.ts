/** What the estimate reads and marks outside of itself: the address, and the card of a plan. */
import { type Game, most } from "./arithmetic.ts";

/** The figures that stand in the address, as far as they are any. */
export function ofAddress(): Partial<Game> {
  const asked = new URLSearchParams(location.search);
  const figures = Object.entries(most).map(([name, largest]) => {
    const text = asked.get(name)?.trim();
    const value = text ? Number(text) : Number.NaN;
    return [name, value >= 0 && value <= largest ? value : undefined] as const;
  });
  return Object.fromEntries(figures.filter(([, value]) => value !== undefined));
}

/** How long figures rest before the address has them: browsers refuse more than 100 changes in 10 s. */
const REST_MS = 250;
let waiting: { write: () => void; timer: ReturnType<typeof setTimeout> } | undefined;

/** Puts the figures into the address once they rest, so that the result can be shared. */
export function inAddress(game: Game) {
  const figures = Object.entries(game).map(([name, value]) => [name, String(value)]);
  const write = () =>
    history.replaceState(history.state, "", `?${new URLSearchParams(figures)}#estimate`);
  clearTimeout(waiting?.timer);
  waiting = { write, timer: setTimeout(putInAddress, REST_MS) };
}

/** The same at once, with figures that wait for it: what comes next may be another address. */
export function putInAddress() {
  clearTimeout(waiting?.timer);
  waiting?.write();
  waiting = undefined;
}

/**
 * Tells the figures in the address when the visitor goes back or forth in the page. Figures that are
 * not written yet belong to the entry that was left, and are dropped. Returns how to stop.
 */
export function onReturn(tell: (asked: Partial<Game>) => void) {
  const follow = () => {
    clearTimeout(waiting?.timer);
    waiting = undefined;
    tell(ofAddress());
  };
  addEventListener("popstate", follow);
  return () => removeEventListener("popstate", follow);
}

/** Marks the card of the plan with this id, and no other. */
export function markPlan(id: string | undefined) {
  for (const card of document.querySelectorAll<HTMLElement>(".plan")) {
    const fits = card.querySelector(".plan-name")?.id === `plan-${id}`;
    card.toggleAttribute("data-fits", fits);
  }
}
