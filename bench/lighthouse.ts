import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { launchOptions } from "../assets/browser.ts";
import { figure, median, type Table, verdict } from "./figures.ts";
import { options } from "./options.ts";
import { keptState, portOf, root, serving, startSite, stop } from "./processes.ts";

const ATTEMPTS = 4;

/** The part of Lighthouse's report that is read. */
type Report = {
  runtimeError?: { message: string };
  categories: { performance: { score: number } };
  audits: Record<string, { numericValue?: number }>;
};

/** Lighthouse on every page, as a phone on a slow network sees it. */
export async function measureLighthouse(): Promise<Table[]> {
  const site = await serving(await startSite(await keptState()));
  const port = portOf(site.address);
  const rows: string[][] = [];
  for (const page of options.pages) {
    const reports: Report[] = [];
    for (let run = 0; run < options.browserRuns; run++) {
      reports.push(await auditPatiently(`http://127.0.0.1:${port}${page}`));
    }
    const of = (name: string) =>
      median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
    const score = median(reports.map(({ categories }) => categories.performance.score * 100));
    const paint = of("largest-contentful-paint");
    const blocking = of("total-blocking-time");
    const shift = of("cumulative-layout-shift");
    rows.push([
      page,
      `${figure(score)} ${verdict(score >= 100)}`,
      `${figure(paint)} ${verdict(paint <= 1200)}`,
      `${figure(blocking)} ${verdict(blocking <= 0)}`,
      `${figure(shift, 3)} ${verdict(shift <= 0)}`,
    ]);
  }
  await stop(site);
  return [
    {
      title: "Lighthouse",
      note: `Mobile, simulated throttling, plain HTTP on loopback; medians of ${options.browserRuns}.`,
      head: [
        "Page",
        "Performance, goal 100",
        "LCP ms, goal ≤ 1,200",
        "TBT ms, goal 0",
        "CLS, goal 0",
      ],
      rows,
    },
  ];
}

/** Now and then Chromium records a trace without its beginning; then Lighthouse asks to be run again. */
async function auditPatiently(address: string): Promise<Report> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await audit(address);
    } catch (error) {
      console.error(`Lighthouse failed on ${address}, trying again: ${String(error).slice(-200)}`);
    }
  }
  return audit(address);
}

async function audit(address: string): Promise<Report> {
  const { executablePath, args = [] } = launchOptions();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(root, "bench/node_modules/lighthouse/cli/index.js"),
      address,
      ...["--quiet", "--output=json", "--output-path=stdout", "--no-enable-error-reporting"],
      ...["--only-categories=performance", "--form-factor=mobile", "--throttling-method=simulate"],
      `--chrome-flags=${args.join(" ")}`,
    ],
    { env: { ...process.env, CHROME_PATH: executablePath }, maxBuffer: 2 ** 26 },
  );
  const report: Report = JSON.parse(stdout);
  if (report.runtimeError) {
    throw new Error(`Lighthouse on ${address}: ${report.runtimeError.message}`);
  }
  return report;
}
