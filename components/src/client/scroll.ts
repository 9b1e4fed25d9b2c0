/** Says whether the page has scrolled, which the header shows, and where a page starts after a reload. */
export function noteScroll() {
  if (document.body.dataset.scroll === "top") {
    history.scrollRestoration = "manual";
  }
  const note = () => document.documentElement.toggleAttribute("data-scrolled", scrollY > 0);
  addEventListener("scroll", note, { passive: true });
  // Where a page comes slowly, the browser has gone to the question in its address before.
  note();
}
