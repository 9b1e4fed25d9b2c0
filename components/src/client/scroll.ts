/** Says whether the page has scrolled, which the header shows, and where a page starts after a reload. */
export function noteScroll() {
  if (document.body.dataset.scroll === "top") startOnTop();
  const note = () => {
    document.documentElement.dataset.scrolled = String(scrollY > 0);
  };
  addEventListener("scroll", note);
  // Where a page comes slowly, the browser has gone to the question in its address before.
  note();
}

/** A reload leads to the top. Back and forth, in the page or to it, lead to where the visitor was. */
function startOnTop() {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (visit?.type !== "reload") return;
  history.scrollRestoration = "manual";
  // The browser may have gone there before.
  if (!location.hash) scrollTo({ top: 0, behavior: "instant" });
  // Until the visitor goes on, in the page or from it.
  for (const event of ["click", "pagehide"]) {
    addEventListener(event, () => {
      history.scrollRestoration = "auto";
    });
  }
}
