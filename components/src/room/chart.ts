/** A chart's steps: to the right one for two seconds, and upwards. */
export const CHART_WIDTH = 15;
export const CHART_HEIGHT = 10;

/** The outline of a series as an SVG path, newest at the end; its peak reaches the top. */
export function outline(series: readonly number[]): string {
  const peak = Math.max(...series, 1);
  let path = `M${CHART_WIDTH - series.length} ${CHART_HEIGHT}`;
  let level = 0;
  let run = 0;
  for (const value of series) {
    const height = Math.round((value / peak) * CHART_HEIGHT);
    if (height !== level) {
      path += `h${run}v${level - height}`;
      run = 0;
    }
    level = height;
    run += 1;
  }
  return `${path}h${run}V${CHART_HEIGHT}z`;
}
