import type { Example } from "@site/components/examples";
import { registry, type SectionName } from "@site/components/registry";
import { type ComponentType, createElement } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";

/**
 * The HTML of one section. One that hydrates becomes an island: its props follow it as JSON,
 * which is data and never runs.
 */
export function renderSection(name: string, props: unknown): string {
  if (!isSection(name)) {
    throw new Error(`No component is named "${name}"`);
  }
  if (typeof props !== "object" || props === null) {
    throw new Error(`The props of ${name} must be an object`);
  }
  const { component, hydrate } = registry[name];
  const element = createElement(component as ComponentType<object>, props);
  if (hydrate === "never") {
    return renderToStaticMarkup(element);
  }
  const html = renderToString(element, { identifierPrefix: `${name}-` });
  const json = JSON.stringify(props).replaceAll("<", "\\u003c");
  return `<div data-island="${name}" data-hydrate="${hydrate}">${html}</div><script type="application/json">${json}</script>`;
}

/** Renders the examples of every section; returns what is broken, one sentence each. */
export function checkExamples(examplesOf: (name: SectionName) => Example[]): string[] {
  return Object.keys(registry).flatMap((section) =>
    examplesOf(section as SectionName).flatMap(({ name, props }) => {
      try {
        renderSection(section, props);
        return [];
      } catch (error) {
        return [`${section} doesn't render its example "${name}": ${(error as Error).message}`];
      }
    }),
  );
}

function isSection(name: string): name is SectionName {
  return Object.hasOwn(registry, name);
}
