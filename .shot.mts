import { chromium } from "playwright-core";
import { launchOptions } from "/work/main/assets/browser.ts";
const [,, base, out, ...rest] = process.argv;
const b = await chromium.launch(launchOptions());
for (const [w,h] of [[1440,900],[1024,800],[768,1024],[375,812],[320,568]]) for (const scheme of ["light","dark"]) {
  if (scheme==="dark" && ![1440,375].includes(w)) continue;
  const p = await b.newPage({ viewport:{width:w,height:h}, colorScheme: scheme, reducedMotion:"reduce" });
  await p.goto(base);
  const el = p.locator(rest[0] ?? "body");
  await el.scrollIntoViewIfNeeded(); await p.waitForTimeout(300);
  await el.screenshot({ path: `${out}-${w}-${scheme}.png` });
  await p.close();
}
await b.close();
