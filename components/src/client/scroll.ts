/** Says whether the page has scrolled, which the header shows, and where a page starts after a reload. */
export function noteScroll() {
  if (document.body.dataset.scroll === "top") {
    const restore = (how: ScrollRestoration) => () => {
      history.scrollRestoration = how;
    };
    // Back from a place in the page leads to where the link to it was.
    addEventListener("click", restore("auto"));
    addEventListener("pagehide", restore("manual"));
  }
  const note = () => document.documentElement.toggleAttribute("data-scrolled", scrollY > 0);
  addEventListener("scroll", note);
  // Where a page comes slowly, the browser has gone to the question in its address before.
  note();
}
