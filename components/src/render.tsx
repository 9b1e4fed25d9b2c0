import { type ComponentType, createElement } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { identifierPrefix } from "./island.ts";
import { islands, registry, type SectionName } from "./registry.ts";

/**
 * The HTML of one section. An island's props follow it as JSON, which is data and never runs.
 * Throws where no component has this name, or the component can't render these props.
 */
export function renderSection(name: string, props: unknown): string {
  if (!isSection(name)) {
    throw new Error(`No component is named "${name}"`);
  }
  if (typeof props !== "object" || props === null) {
    throw new Error(`The props of ${name} must be an object`);
  }
  const element = createElement(registry[name] as ComponentType<object>, props);
  if (!islands.includes(name)) {
    return renderToStaticMarkup(element);
  }
  const html = renderToString(element, { identifierPrefix: identifierPrefix(name) });
  const json = JSON.stringify(props).replaceAll("<", "\\u003c");
  return `<div data-island="${name}">${html}</div><script type="application/json">${json}</script>`;
}

function isSection(name: string): name is SectionName {
  return Object.hasOwn(registry, name);
}
