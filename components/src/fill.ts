/** A sentence with the values in the places of their names in braces. */
export const fill = (sentence: string, values: Record<string, string | number>) =>
  sentence.replace(/\{(\w+)\}/g, (brace, name) => String(values[name] ?? brace));
