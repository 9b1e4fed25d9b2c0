/**
 * Inlined in every page. Wakes an island when it is needed and until then downloads nothing.
 *
 * An island says when by `data-hydrate`. One whose need lies in a single element inside marks
 * that element with `data-wakes`.
 */

import { prefetchOnIntent } from "./prefetch.ts";

/** The address of hydrate.tsx, set by the assets build. */
declare const HYDRATE_URL: string;

/** How long a submit waits for its island's script before the browser sends the form itself. */
const PATIENCE_MS = 5000;

let failures = 0;
let script: Promise<typeof import("./hydrate.tsx")> | undefined;

function load() {
  // Browsers remember a module that failed to load, so another try needs another address.
  script ??= import(HYDRATE_URL + (failures ? `?${failures}` : "")).catch((error) => {
    failures++;
    script = undefined;
    throw error;
  });
  return script as NonNullable<typeof script>;
}

/** Fetches the script and runs nothing of it: that would delay the click which is about to come. */
function fetchAhead() {
  const hint = document.createElement("link");
  hint.rel = "modulepreload";
  hint.href = HYDRATE_URL;
  document.head.append(hint);
}

/** The moment when the browser has shown what an interaction brought about. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** When the clouds of the hero set off after the page has loaded (specification, section 9). */
const SETTLE_MS = 500;

function watch(island: HTMLElement) {
  const done = new AbortController();
  const { signal } = done;
  let waking: Promise<void> | undefined;

  const wake = () => {
    waking ??= painted()
      .then(load)
      .then(
        ({ hydrate }) => {
          done.abort();
          hydrate(island);
        },
        (error) => {
          waking = undefined;
          throw error;
        },
      );
    return waking;
  };

  // Only at the end of an interaction: what the browser does by itself it shows first, and only
  // then React keeps a slow phone busy for a moment.
  const target = island.querySelector("[data-wakes]") ?? island;
  for (const event of ["click", "keyup", "input"]) {
    target.addEventListener(event, wake, { signal });
  }
  // Whoever points at it or moves to it is about to use it.
  for (const event of ["pointerover", "focusin"]) {
    target.addEventListener(event, fetchAhead, { signal, once: true });
  }

  let held = false;
  island.addEventListener(
    "submit",
    async (event) => {
      event.preventDefault();
      if (held) {
        return;
      }
      held = true;
      const form = event.target as HTMLFormElement;
      try {
        await Promise.race([wake(), new Promise((_, fail) => setTimeout(fail, PATIENCE_MS))]);
        form.requestSubmit(event.submitter);
      } catch {
        form.submit();
      }
    },
    { signal },
  );

  const openNamed = () => {
    const { hash } = location;
    if (hash && island.contains(document.getElementById(hash.slice(1)))) {
      wake();
    }
  };
  addEventListener("hashchange", openNamed, { signal });
  openNamed();

  const when = island.dataset.hydrate;
  if (when === "visible") {
    // The island itself has no box: it is `display: contents`.
    const seen = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        seen.disconnect();
        wake();
      }
    });
    for (const child of island.children) {
      seen.observe(child);
    }
  } else if (when === "idle") {
    (window.requestIdleCallback ?? setTimeout)(wake);
  }
}

for (const island of document.querySelectorAll<HTMLElement>("[data-island]")) {
  try {
    watch(island);
  } catch (error) {
    reportError(error);
  }
}

prefetchOnIntent();

if (document.body.dataset.scroll === "top") {
  history.scrollRestoration = "manual";
}

const root = document.documentElement;

const noteScroll = () => root.toggleAttribute("data-scrolled", scrollY > 0);
addEventListener("scroll", noteScroll, { passive: true });
// Where a page comes slowly, the browser has gone to the question in its address before.
noteScroll();

addEventListener("load", () => {
  setTimeout(() => root.toggleAttribute("data-settled", true), SETTLE_MS);
});
