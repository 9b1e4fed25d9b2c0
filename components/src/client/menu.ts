/** Closes the menu, which is a popover, where browsers leave it open. */
export function closeMenu() {
  const menu = document.querySelector<HTMLElement>(".nav-bar-menu");
  // Browsers without popovers show the links in the bar and have nothing to close.
  const close = () => menu?.togglePopover?.(false);
  // By touch Safari before 18.3 leaves it open (WebKit bug 267688). A tap on the page is the header's
  // too, as what it draws lies over the page.
  menu?.closest(".site-header")?.addEventListener("click", ({ target }) => {
    if (!(target as Element).closest(".nav-bar-menu, .nav-bar-toggle")) close();
  });
  // A link may open another tab and leave this page as it is.
  menu?.addEventListener("click", ({ target }) => (target as Element).closest("a") && close());
  // Whoever tabs past it, or back, wants what is behind it.
  addEventListener("focusin", ({ target }) => (target as Element).closest(".nav-bar") || close());
  // A page that comes back from the back-forward cache comes back as it was left.
  addEventListener("pagehide", close);
  matchMedia("(width > 768px)").addEventListener("change", close);
}
