/** A chart's steps: to the right one for two seconds, and upwards. */
export const CHART_WIDTH = 15;
export const CHART_HEIGHT = 10;

/** The outline of a series as an SVG path, newest at the end; its peak reaches the top. */
export function outline(series: readonly number[]): string {
  const peak = Math.max(...series, 1);
  const start = CHART_WIDTH - series.length;
  let path = `M${start} ${CHART_HEIGHT}`;
  let level = CHART_HEIGHT;
  for (const [i, value] of series.entries()) {
    const y = CHART_HEIGHT - Math.round((value / peak) * CHART_HEIGHT);
    if (y !== level) path += `H${start + i}V${y}`;
    level = y;
  }
  return `${path}H${CHART_WIDTH}V${CHART_HEIGHT}z`;
}
