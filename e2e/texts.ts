import type { Page } from "./fixtures.ts";

/** What finds, in the page, the texts of a part of it that visitors see, each with its place. */
export const seenTexts = (page: Page) =>
  page.evaluateHandle(() => (root: Element) => {
    const found: { node: Node; text: string; element: Element; range: Range }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const unseen = "script, .visually-hidden, .skip-link, .contact-form-trap";
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const { textContent: text, parentElement: element } = node;
      if (text?.trim() && element?.checkVisibility() && !element.closest(unseen)) {
        const range = document.createRange();
        range.selectNodeContents(node);
        found.push({ node, text, element, range });
      }
    }
    return found;
  });
