import { readExamples } from "@site/components/examples";
import { registry, type SectionName } from "@site/components/registry";
import { renderSection } from "@site/components/render";
import { StartError } from "./endpoint.ts";
import { reason } from "./reason.ts";

/** Renders the examples of every section; throws what is broken or missing, a line for each. */
export function renderExamples() {
  const problems = Object.keys(registry).flatMap((section) => {
    const examples = readExamples(section as SectionName);
    if (examples.length === 0) {
      return [`${section} has no example`];
    }
    return examples.flatMap(({ name, props }) => {
      try {
        renderSection(section, props);
        return [];
      } catch (error) {
        return [`${section} doesn't render its example "${name}": ${reason(error)}`];
      }
    });
  });
  if (problems.length > 0) {
    throw new StartError(problems.join("\n"));
  }
}
