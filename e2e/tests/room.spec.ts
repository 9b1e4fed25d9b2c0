import { faintTexts } from "../contrast.ts";
import {
  expect,
  hold,
  hydrated,
  type Locator,
  NARROW,
  type Page,
  SCRIPTS,
  test,
} from "../fixtures.ts";
import {
  control,
  expectToAddUp,
  kick,
  lines,
  pane,
  room,
  slider,
  status,
  tick,
  visit,
} from "../room.ts";
import { shifts, watchShifts } from "../shifts.ts";
import { settled } from "../states.ts";

test("at rest it is the room of the front picture", async ({ page }) => {
  await visit(page);
  await expect(room(page)).toContainText("tick 184,212");
  await expect(room(page)).toContainText("6 of 8");
  await expect(room(page)).toContainText("5.6 kB/s in");
  await expectToAddUp(page, 6);
});

test.describe("the first action counts, before the script is there:", () => {
  const first: Record<string, [(page: Page) => Promise<void>, (page: Page) => Promise<void>]> = {
    kick: [
      (page) => kick(page, "moth").click(),
      (page) => expect(status(page)).toHaveText("moth kicked. 5 players, 25.4 kB/s out."),
    ],
    lock: [
      (page) => control(page, "Lock").click(),
      (page) => expect(slider(page)).toHaveAttribute("max", "6"),
    ],
    run: [
      (page) => control(page, "Run").click(),
      (page) => expect(room(page)).not.toContainText("tick 184,212"),
    ],
    slider: [
      (page) => slider(page).press("End"),
      (page) => expect(room(page)).toContainText("57.7 kB/s out"),
    ],
  };
  for (const [name, [act, follows]] of Object.entries(first)) {
    test(name, async ({ page }) => {
      const release = await hold(page, SCRIPTS);
      await visit(page);
      await act(page);
      release();
      await follows(page);
    });
  }
});

test("every number of players adds up, and twenty-one times the bytes go to eight", async ({
  page,
}) => {
  await visit(page);
  await slider(page).press("Home");
  for (let count = 0; count <= 8; count += 1) {
    await expect(room(page).locator(".room-sum b").first()).toHaveText(String(count));
    await expectToAddUp(page, count);
    if (count === 1) await expect(room(page)).toContainText("2.8 kB/s out");
    await slider(page).press("ArrowRight");
  }
  await expect(room(page)).toContainText("57.7 kB/s out");
});

test("it runs calmly, pauses, and restarts from nought", async ({ page }) => {
  await watchShifts(page);
  await visit(page);
  await control(page, "Run").click();
  await expect(control(page, "Pause")).toBeVisible();
  await expect.poll(() => tick(page)).toBeGreaterThan(184_212);
  const before = (await shifts(page)).length;
  // Six seconds more.
  await expect.poll(() => tick(page), { timeout: 30_000 }).toBeGreaterThan(184_212 + 6 * 30);
  expect((await shifts(page)).slice(before), "moved by itself").toEqual([]);
  await control(page, "Pause").click();
  await expect(status(page)).toContainText("paused");
  const ticks = await lines(page).locator("td:first-child").allTextContents();
  const seen = ticks.map((tick) => Number(tick.replace(",", ""))).filter((tick) => tick > 184_212);
  expect(seen.length).toBeGreaterThan(0);
  for (const tick of seen) {
    expect(seen.filter((other) => other >= tick && other < tick + 30).length).toBeLessThanOrEqual(
      3,
    );
  }
  await room(page).getByRole("button", { name: "Restart" }).click();
  await expect(room(page).locator(".room-head")).toContainText("live");
  for (const state of ["starting", "open", "live"]) {
    await expect(lines(page).filter({ hasText: `State ${state}` })).toHaveCount(1);
  }
});

test("the slider goes on from where a locked room has left it", async ({ page }) => {
  await visit(page);
  await slider(page).press("End");
  await control(page, "Lock").click();
  await kick(page, "moth").click();
  await control(page, "Lock").click();
  await expectToAddUp(page, 7);
  await slider(page).press("ArrowRight");
  await expect(room(page)).toContainText("57.7 kB/s out");
  await expectToAddUp(page, 8);
});

test("a running room goes on while its slider is moved", async ({ page }) => {
  await visit(page);
  await control(page, "Run").click();
  await expect(control(page, "Pause")).toBeVisible();
  const before = await tick(page);
  // Without a pause as long as a moment.
  for (let moves = 0; moves < 12; moves += 1) {
    await slider(page).press(moves % 2 ? "ArrowLeft" : "ArrowRight");
    await page.waitForTimeout(100);
  }
  expect(await tick(page)).toBeGreaterThan(before);
});

test("the log under the other panes has its newest seven lines, all in view", async ({ page }) => {
  for (const width of [NARROW, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page);
    await expect(lines(page)).toHaveCount(7);
    await lines(page).last().scrollIntoViewIfNeeded();
    for (const line of await lines(page).all()) await expect(line).toBeInViewport({ ratio: 1 });
    await expect(lines(page).last()).toContainText("184,212");
    await room(page).getByRole("radio", { name: "Inputs" }).check();
    await expect(lines(page)).toHaveCount(3);
  }
});

test("the keyboard meets the controls in the order of the page", async ({ page }) => {
  await visit(page);
  await control(page, "Lock").focus();
  const names: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    names.push(await page.evaluate(() => (document.activeElement as HTMLInputElement).name ?? ""));
    await page.keyboard.press("Tab");
  }
  expect(names).toEqual([
    "lock",
    "run",
    "",
    "count",
    "moth",
    "Okonkwo",
    "pixelpaula",
    "ravn",
    "tomo_k",
    "Vesper",
    "object",
    "kind",
  ]);
  await kick(page, "ravn").press("Enter");
  await expect(page).toHaveURL("/");
});

/** The ways to act: to press a control, to choose one of several, and to move the slider. */
type Hand = Record<"press" | "choose", (control: Locator) => Promise<void>> & {
  move: (slider: Locator, to: "Home" | "End") => Promise<void>;
  width: number;
};

/** Where on the slider its first or its last value is. */
const end = async (slider: Locator, to: "Home" | "End") => {
  const { width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
  return { position: { x: to === "End" ? width - 2 : 2, y: height / 2 } };
};

const hands: Record<string, Hand> = {
  mouse: {
    width: 1280,
    press: (control) => control.click(),
    choose: (control) => control.click(),
    move: async (slider, to) => slider.click(await end(slider, to)),
  },
  touch: {
    width: 375,
    press: (control) => control.tap(),
    choose: (control) => control.tap(),
    move: async (slider, to) => slider.tap(await end(slider, to)),
  },
  keyboard: {
    width: 1280,
    press: (control) => control.press("Space"),
    choose: async (control) => {
      const name = await control.getAttribute("name");
      const page = control.page();
      await page.locator(`[name="${name}"]:checked`).focus();
      while (!(await control.isChecked())) await page.keyboard.press("ArrowDown");
    },
    move: (slider, to) => slider.press(to),
  },
};

for (const [name, { width, press, choose, move }] of Object.entries(hands)) {
  const hasTouch = name === "touch";
  // For a picture of more than the window the browser forgets that it has a touch screen, and
  // lays the page out anew.
  const viewport = { width, height: hasTouch ? 7000 : 800 };

  /** Where the panes share one place, shows one of them alone. */
  const show = async (page: Page, chosen: string) => {
    if (width >= NARROW) return;
    await choose(room(page).locator(".room-pane").getByRole("radio", { name: chosen }));
    for (const each of ["Players", "Objects", "Log"]) {
      await expect(pane(page, each.toLowerCase())).toBeVisible({ visible: each === chosen });
    }
  };

  /** By day and by night; the keyboard has the mouse's window. */
  const canBeRead = async (page: Page) => {
    if (name === "keyboard") return;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      expect(await faintTexts(page, ".room"), colorScheme).toEqual([]);
    }
  };

  test.describe(`by ${name}`, () => {
    test.use({ viewport, hasTouch });

    test("every action does what it says, and what it leaves can be read", async ({ page }) => {
      await visit(page);

      await press(kick(page, "moth"));
      await expect(status(page)).toHaveText("moth kicked. 5 players, 25.4 kB/s out.");
      await expectToAddUp(page, 5);
      await expect(kick(page, "moth")).toBeFocused();
      await press(kick(page, "moth"));
      await expect(status(page)).toHaveText("moth let in. 6 players, 35.4 kB/s out.");
      await expectToAddUp(page, 6);

      await press(kick(page, "moth"));
      await press(control(page, "Lock"));
      await expect(slider(page)).toHaveAttribute("max", "5");
      await press(kick(page, "moth"));
      await expect(kick(page, "moth")).toBeChecked();
      await show(page, "Log");
      await expect(lines(page).last()).toContainText("Join refused: locked");
      await canBeRead(page);
      await press(control(page, "Lock"));

      await show(page, "Players");
      await move(slider(page), "End");
      await expect(room(page)).toContainText("57.7 kB/s out");
      await expectToAddUp(page, 8);
      await move(slider(page), "Home");
      await expectToAddUp(page, 0);
      await canBeRead(page);
      await move(slider(page), "End");

      await show(page, "Objects");
      const rows = pane(page, "objects").locator("tbody tr");
      await choose(rows.nth(4).getByRole("radio"));
      await expect(rows.nth(4).locator("svg")).toHaveCSS("position", "absolute");
      await expect(rows.nth(0).locator("svg")).toHaveCSS("position", "static");

      await show(page, "Log");
      await choose(pane(page, "log").getByRole("radio", { name: "Calls" }));
      const calls = await lines(page).allTextContents();
      expect(calls.length).toBeGreaterThan(0);
      for (const line of calls) expect(line).toMatch(/Rpc|Owner/);
      await press(control(page, "Run"));
      await expect(control(page, "Pause")).toBeVisible();
      await expect(room(page)).not.toContainText("tick 184,212");
      await canBeRead(page);
      await show(page, "Players");
      // Half a second is soon over.
      const starting = page.waitForFunction(() =>
        document.querySelector(".room-head")?.textContent.includes("starting"),
      );
      await press(room(page).getByRole("button", { name: "Restart" }));
      await starting;
      await expect(pane(page, "log")).toContainText("No such message yet.");
      await expect(room(page).locator(".room-head")).toContainText("live");
      await press(control(page, "Pause"));
      await expect(status(page)).toContainText("paused");
    });
  });

  test.describe(`by ${name}, without scripts`, () => {
    test.use({ viewport, hasTouch, javaScriptEnabled: false });

    test("pane, selection and filter work, and what can't is not shown", async ({ page }) => {
      await visit(page);
      for (const hidden of [
        kick(page, "moth"),
        control(page, "Lock"),
        control(page, "Run"),
        slider(page),
      ]) {
        await expect(hidden).toBeHidden();
      }
      await show(page, "Objects");
      const rows = pane(page, "objects").locator("tbody tr");
      await choose(rows.nth(4).getByRole("radio"));
      await expect(rows.nth(4).locator("svg")).toHaveCSS("position", "absolute");
      await expect(rows.nth(0).locator("svg")).toHaveCSS("position", "static");
      await canBeRead(page);
      await show(page, "Log");
      await choose(pane(page, "log").getByRole("radio", { name: "Inputs" }));
      await expect(lines(page)).toHaveCount(3);
      await canBeRead(page);
    });
  });
}

for (const width of [1440, 1024, 768, 375, 320]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, hasTouch: true });

    test("nothing moves or overflows in any state, and targets suit a thumb", async ({ page }) => {
      await visit(page);
      // On the page: to act on something, the browser may scroll to it.
      const place = () =>
        room(page).evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return [left, top + scrollY, width, height].map(Math.round);
        });
      const box = await place();
      const act = async (what: () => Promise<void>) => {
        await what();
        await hydrated(page, "Room");
        await settled(page);
        expect(await place()).toEqual(box);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        const cut = await room(page)
          .locator(".room-key:visible, h3, b:visible")
          .evaluateAll(
            (all) =>
              all.filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
                .length,
          );
        expect(cut).toBe(0);
      };
      if (width < 1024) await act(() => kick(page, "moth").tap());
      else await act(() => kick(page, "moth").click());
      await act(() => slider(page).press("End"));
      await act(() => slider(page).press("Home"));
      await act(async () => {
        await control(page, "Run").click();
        await expect(room(page)).not.toContainText("tick 184,212");
      });
      await act(() => room(page).getByRole("button", { name: "Restart" }).click());
      if (width < NARROW) {
        for (const name of ["Objects", "Log"]) {
          await act(() => room(page).locator(".room-pane").getByRole("radio", { name }).click());
        }
      }
      if (width < 1024) {
        const targets = room(page).locator(".room-key:visible, [type=range]:visible");
        for (const target of await targets.all()) {
          expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
        }
      }
    });
  });
}
