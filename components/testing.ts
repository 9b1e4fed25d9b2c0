import assert from "node:assert/strict";
import { HtmlValidate } from "html-validate";
import { type ComponentType, createElement } from "react";
import { renderToString } from "react-dom/server";
import { readExamples } from "./src/examples.ts";
import { type PropsOf, registry, type SectionName } from "./src/registry.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    // React's spelling, which means the same: popoverTarget, disabled="", value="", <input/>.
    "attr-case": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "void-style": "off",
    // An input without a type is a line of text.
    "no-implicit-input-type": "off",
    // The room's controls act at once: its form has nothing to submit.
    "wcag/h32": "off",
  },
});

/** The props of the example of this name. */
export function example<Name extends SectionName>(section: Name, name: string): PropsOf<Name> {
  const found = readExamples(section).find((candidate) => candidate.name === name);
  assert.ok(found, `${section} has no example "${name}"`);
  return found.props as PropsOf<Name>;
}

/** The HTML of a section as the sidecar makes it, without its island. */
export function render<Name extends SectionName>(section: Name, props: PropsOf<Name>): string {
  const component = registry[section] as ComponentType<object>;
  return renderToString(createElement(component, props));
}

/** Fails where it is not valid HTML. */
async function assertIsValid(html: string, what: string) {
  const report = await validator.validateString(html);
  const messages = report.results.flatMap((result) => result.messages);
  const told = messages.map(
    ({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`,
  );
  assert.deepEqual(told, [], what);
}

/** Fails where one of the section's examples is not valid HTML. */
export async function assertExamplesAreValid(section: SectionName) {
  for (const { name, props } of readExamples(section)) {
    await assertIsValid(render(section, props as never), `${section}, example "${name}"`);
  }
}
