/** A control that holds a figure, and the one it is dragged with: they say the same. */
import type { Game } from "./arithmetic.ts";

/** What a game is described by. */
export const figures = ["players", "rate", "hours"] as const;

/** One of the figures of a game. */
export type Figure = keyof Game;

/** The two controls of a figure: what it is typed into, and what it is dragged with. */
const controlsOf = ({ elements }: HTMLFormElement, name: Figure) =>
  [name, `${name}-slider`].map((each) => elements.namedItem(each) as HTMLInputElement);

/** What a figure's controls say: the one that was changed, if it holds a figure. */
export function setTo(form: HTMLFormElement, name: Figure): number | undefined {
  const changed = controlsOf(form, name).find(({ value, defaultValue }) => value !== defaultValue);
  return changed?.validity.valid ? changed.valueAsNumber : undefined;
}

/**
 * Lets the controls of a figure say what is so, but for the one that is being used. What was typed and
 * is no figure stays; false where it does.
 */
export function show(
  form: HTMLFormElement,
  name: Figure,
  value: number,
  used: EventTarget | null,
): boolean {
  const controls = controlsOf(form, name);
  if (controls.every((control) => control !== used) && !controls[0]?.validity.valid) return false;
  for (const control of controls) {
    if (control !== used && control.valueAsNumber !== value) control.value = String(value);
  }
  return true;
}
