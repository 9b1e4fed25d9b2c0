import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, paths, test, withoutSidecar } from "./fixtures.ts";
import { otherQuestions, reach, states } from "./states.ts";

/** The checker; it is fetched when it is asked for, because it weighs 30 MB and needs Java. */
const CHECKER = "vnu-jar@26.9.27";

/** What the checker says out of ignorance, and why it is right all the same. */
const IGNORANCE: { says: RegExp; because: string }[] = [
  {
    says: /@view-transition|view-transition-name|Parse Error.*sition-(group|old|new)/,
    because: "CSS View Transitions, levels 1 and 2",
  },
  { says: /“pathLength” not allowed on element “line”/, because: "SVG 2, section 9.6.1" },
  { says: /starting-style/, because: "CSS Transitions, level 2, section 2" },
  { says: /@container|container-type/, because: "CSS Conditional Rules, level 5" },
  { says: /animation-(timeline|range)/, because: "Scroll-driven Animations, level 1" },
  { says: /corner-shape/, because: "CSS Borders and Box Decorations, level 4" },
  { says: /“path\(.*is not a “clip-path” value/, because: "CSS Shapes, level 2" },
  { says: /interpolate-size/, because: "CSS Values and Units, level 5" },
  {
    says: /“inline-size”: Parse Error|Parse Error\.: [^{}]*\}\}\}<\/style>/,
    because: "round() in a condition, CSS Values and Units, level 4: it then miscounts the braces",
  },
  {
    says: /Trailing slash on void elements/,
    because: "React writes it, and quotes every attribute before it",
  },
  {
    says: /“list” role is unnecessary/,
    because:
      "Safari takes a list without marks for none unless it has its role (WebKit bug 170179)",
  },
];

/** A message of the checker, as it writes it in JSON. */
type Message = { type: string; url: string; message: string; extract?: string };

test("the Nu Html Checker has nothing to say about any page in any state", async ({
  page,
  announce,
}, testInfo) => {
  const folder = testInfo.outputPath("pages");
  mkdirSync(folder, { recursive: true });
  const keep = (name: string, html: string) => writeFileSync(join(folder, `${name}.html`), html);

  for (const address of [...paths, "/contact/sent", `${withoutSidecar}/`]) {
    const served = await page.request.get(address);
    keep(`served ${served.status()} ${address.replaceAll("/", "-")}`, await served.text());
  }
  for (const state of [...states, ...otherQuestions]) {
    if (state.fault) {
      announce(state.fault);
    }
    await page.setViewportSize({ width: state.upTo ?? 1280, height: 800 });
    await reach(page, state);
    keep(`in use ${state.name}`, await page.content());
    await page.unrouteAll();
  }

  const options = ["--silent", "exec", "--yes", "--ignore-scripts", `--package=${CHECKER}`, "--"];
  const checker = ["vnu", "--stdout", "--format", "json", "--exit-zero-always", folder];
  const { stdout } = await promisify(execFile)("npm", [...options, ...checker], {
    maxBuffer: 1e8,
  });
  const { messages }: { messages: Message[] } = JSON.parse(stdout);
  const unexpected = messages
    .map(({ type, url, message, extract }) => `${basename(url)}: ${type}: ${message}: ${extract}`)
    .filter((message) => !IGNORANCE.some(({ says }) => says.test(message)));
  expect(unexpected).toEqual([]);
});
