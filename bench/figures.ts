/** The value in the middle; of two, the lower one. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) {
    throw new Error("There is no median of nothing");
  }
  return middle;
}

/** A number for people: grouped by thousands. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** How a figure compares with its goal. */
export const verdict = (met: boolean) => (met ? "met" : "**missed**");

/** A table of the report. */
export type Table = { title: string; note: string; head: string[]; rows: string[][] };

/** The table in Markdown. */
export function markdown({ title, note, head, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const lines = [line(head), line(head.map(() => "---")), ...rows.map(line)];
  return `### ${title}\n\n${note}\n\n${lines.join("\n")}\n`;
}
