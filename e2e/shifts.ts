import type { Page } from "./fixtures.ts";

/** Layout Instability, section 2.1; TypeScript does not know it. */
type LayoutShift = PerformanceEntry & {
  sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};

/** Notes every layout shift of the pages to come: what moved, from where to where. */
export const watchShifts = (page: Page, { except = ":not(*)" } = {}) =>
  page.addInitScript((except) => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    const corner = ({ left, top }: DOMRectReadOnly) => `${left}, ${top}`;
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources
          .filter(({ node }) => !(node instanceof Element && node.closest(except)))
          .map(({ node, previousRect, currentRect }) => [
            node instanceof Element ? node.outerHTML.slice(0, 60) : node?.nodeName,
            corner(previousRect),
            corner(currentRect),
          ]);
        if (moved.length > 0) {
          shifts.push(moved);
        }
      }
    }).observe({ type: "layout-shift" });
  }, except);

/** The shifts of the page until now. */
export const shifts = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    // The shift of a frame is known once the frame after it begins.
    for (let frame = 0; frame < 3; frame++) {
      await new Promise(requestAnimationFrame);
    }
    return (window as unknown as { shifts: unknown[] }).shifts;
  });
