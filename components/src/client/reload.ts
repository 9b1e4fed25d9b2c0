import "./loader.ts";

/** What the development server tells (site/src/routes/development.rs). */
type News = {
  /** The edition that is served; each one has its own name, also after the server's restart. */
  edition: string | null;
  /** What is wrong with the sources, so that they don't show; empty while nothing is. */
  problem: string;
};

/** The edition that this page is of; null where there was none yet. */
let shown: string | null | undefined;

const overlay = document.createElement("pre");
overlay.popover = "manual";
overlay.role = "alert";
// The page's policy allows no style attribute, but it does allow this.
overlay.style.cssText = `
  inset: auto 0 0; inline-size: auto; max-block-size: 60vh; margin: 1rem; padding: 1rem; overflow: auto;
  border: 0.25rem solid #d92d20; border-radius: 0.5rem; background: #1c1012; color: #ffe4e0;
  font: 0.875rem/1.5 ui-monospace, monospace; white-space: pre-wrap;
`;
document.body.append(overlay);

new EventSource("/_editions").addEventListener("message", ({ data }) => {
  const { edition, problem }: News = JSON.parse(data);
  if (shown !== undefined && edition !== null && edition !== shown) {
    location.reload();
  }
  shown ??= edition;
  overlay.textContent = problem;
  overlay.togglePopover(problem !== "");
});
