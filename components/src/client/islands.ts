/** Set by the assets build: the address of each island's script, and then those of what it stands on. */
declare const ISLANDS: Record<string, Scripts>;

type Scripts = [own: string, ...shared: string[]];

/** How long a submit waits for its island's script before the browser sends the form itself. */
const PATIENCE_MS = 5000;

/** What an island's script holds. */
type IslandScript = { default: (island: HTMLElement) => void };

/** Wakes each island when it is needed, and until then downloads nothing. */
export function wakeIslands() {
  for (const island of document.querySelectorAll<HTMLElement>("[data-island]")) {
    const scripts = ISLANDS[String(island.dataset.island)];
    if (scripts) {
      watch(island, scripts);
    }
  }
}

let failures = 0;

/** Browsers remember a script that failed to load, so another try needs another address. */
function load(script: string): Promise<IslandScript> {
  return import(script + (failures ? `?${failures}` : ""));
}

/** Fetches a script and runs nothing of it: that would delay the click which is about to come. */
function fetchAhead(script: string) {
  const hint = document.createElement("link");
  hint.rel = "modulepreload";
  hint.href = script;
  hint.onerror = () => failures++;
  document.head.append(hint);
}

/** The moment when the browser has shown what an interaction brought about. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

function watch(island: HTMLElement, scripts: Scripts) {
  const done = new AbortController();
  const { signal } = done;

  let waking: Promise<void> | undefined;
  const wake = () => {
    waking ??= painted()
      .then(() => load(scripts[0]))
      .then(({ default: hydrate }) => {
        if (!signal.aborted) {
          done.abort();
          hydrate(island);
        }
      })
      .catch((error) => {
        failures++;
        waking = undefined;
        // What asked for the script has not happened; its control offers it again. What was typed, or
        // chosen among several, is shown by the browser alone, and stays.
        for (const it of island.querySelectorAll<HTMLInputElement>(
          "[type=checkbox], [type=range]",
        )) {
          it.checked = false;
          if (it.defaultValue) it.value = it.defaultValue;
        }
        reportError(error);
      });
    return waking;
  };

  // A figure in the address is a use of it; so is what was done before this script came. A box has a
  // value without having one by default.
  const asked = new URLSearchParams(location.search);
  const isUsed = (it: HTMLInputElement) =>
    (it.type === "number" && asked.has(it.name)) ||
    it.checked !== it.defaultChecked ||
    (it.defaultValue && it.value !== it.defaultValue);
  if ([...island.querySelectorAll("input")].some(isUsed)) {
    wake();
  }
  // Only at the end of an interaction: what the browser does by itself it shows first, and only
  // then React keeps a slow phone busy for a moment.
  for (const event of ["click", "keyup", "input"]) {
    island.addEventListener(event, wake, { signal });
  }
  // Whoever points at it or moves to it is about to use it.
  for (const event of ["pointerover", "focusin"]) {
    island.addEventListener(event, () => scripts.forEach(fetchAhead), { signal, once: true });
  }

  // A submit is held until the island is awake.
  let held: Event | undefined;
  island.addEventListener(
    "submit",
    async (event) => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      // One that goes nowhere has nothing to send.
      if (held || form.method !== "post") {
        return;
      }
      held = event;
      form.ariaBusy = "true";
      await Promise.race([wake(), new Promise((over) => setTimeout(over, PATIENCE_MS))]);
      if (held === event) {
        form.ariaBusy = null;
        // Where the script isn't there, the form is the browser's from now on. Where it is, React may
        // have written another one.
        done.abort();
        island.querySelector("form")?.requestSubmit();
      }
    },
    { signal },
  );
  // Whoever leaves while it is held, and comes back, finds a form that has not been sent.
  addEventListener(
    "pagehide",
    () => {
      (held?.target as HTMLFormElement | undefined)?.removeAttribute("aria-busy");
      held = undefined;
    },
    { signal },
  );
}
