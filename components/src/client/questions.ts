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
    document.addEventListener("toggle", closeOthers, { capture: true });
  }
  openNamed();
}

/** At most one of a group is open; older browsers don't know the attribute that says so. */
function closeOthers({ target }: Event) {
  if (target instanceof HTMLDetailsElement && target.open) {
    for (const entry of target.parentElement?.querySelectorAll("details") ?? []) {
      entry.open = entry === target;
    }
  }
}
