/** What browsers leave to scripts about `<details name>`: the question that the address names is open. */
export function openQuestions() {
  const openNamed = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (named instanceof HTMLDetailsElement) {
      named.open = true;
    }
  };
  addEventListener("hashchange", openNamed);

  if (!("name" in HTMLDetailsElement.prototype)) {
    // `toggle` doesn't bubble.
    document.addEventListener("toggle", closeOthers, true);
  }
  openNamed();
  document.addEventListener("click", stay);
}

/** What was pressed stays where it was pressed while an answer above it closes. */
function stay({ target }: Event) {
  const pressed = (target as Element).closest(".faq-entry summary");
  if (!pressed) return;
  const { top } = pressed.getBoundingClientRect();
  let place = scrollY;
  const hold = () => {
    const moved = pressed.getBoundingClientRect().top - top;
    // Whoever scrolls meanwhile wants to be elsewhere.
    if (Math.abs(moved) > 1 && scrollY !== place) return;
    scrollBy({ top: moved, behavior: "instant" });
    place = scrollY;
    // However late a busy browser begins with it.
    const moving = pressed.closest(".faq")?.getAnimations({ subtree: true });
    if (moving?.length) requestAnimationFrame(hold);
  };
  requestAnimationFrame(hold);
}

/** At most one of a group is open; older browsers don't know the attribute that says so. */
function closeOthers({ target }: Event) {
  if (target instanceof HTMLDetailsElement && target.open) {
    for (const entry of target.parentElement?.querySelectorAll("details") ?? []) {
      entry.open = entry === target;
    }
  }
}
