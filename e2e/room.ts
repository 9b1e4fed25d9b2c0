/** The room that visitors can touch: what is in it, what it shows, and whether that adds up. */
import { expect, type Page } from "./fixtures.ts";

export const room = (page: Page) => page.locator(".room");
export const kick = (page: Page, name: string) =>
  page.getByRole("checkbox", { name: new RegExp(`^(Kick|Let in) ${name}$`) });
export const control = (page: Page, name: string) =>
  room(page).getByRole("checkbox", { name, exact: true });
export const slider = (page: Page) => room(page).getByRole("slider", { name: "Players" });
export const status = (page: Page) => page.locator("figure:has(.room) [role=status]");
export const pane = (page: Page, name: string) => room(page).locator(`.room-${name}`);
export const lines = (page: Page) => pane(page, "log").locator("tbody tr:visible");

/** The tick that is shown. */
export const tick = async (page: Page) =>
  Number((await room(page).locator(".room-head p").last().innerText()).replace(/\D/g, ""));

export const visit = async (page: Page) => {
  await page.goto("/");
  await room(page).scrollIntoViewIfNeeded();
};

/** What the console shows, in tenths where it has a decimal. */
async function figures(page: Page) {
  const sum = await room(page).locator(".room-sum b").allTextContents();
  const [players = 0, hertz = 0, snapshot = 0, out = 0] = sum.map(Number);
  const rows = await pane(page, "objects").locator("tbody tr, tfoot tr").all();
  const columns = [-2, -1].map((column) =>
    Promise.all(
      rows.map(async (row) => {
        const cells = await row.locator("td").allTextContents();
        return Math.round(Number(cells.at(column)) * 10);
      }),
    ),
  );
  const [sent = [], received = []] = await Promise.all(columns);
  const hour = Number.parseInt(await room(page).locator(".room-sum a").innerText(), 10);
  return { players, hertz, snapshot, out, sent, received, hour };
}

/** Expects every figure to agree with the others to its last digit. */
export async function expectToAddUp(page: Page, expected: number) {
  const { players, hertz, snapshot, out, sent, received, hour } = await figures(page);
  expect(players).toBe(expected);
  expect(await slider(page).inputValue()).toBe(String(players));
  expect(await pane(page, "players").locator("tr:has(:not(:checked)[type=checkbox])").count()).toBe(
    players,
  );
  expect(out).toBe(Math.round((players * hertz * snapshot) / 100) / 10);
  expect(hour).toBe(Math.round((players * hertz * snapshot * 3600) / 1e6));
  for (const column of [sent, received]) {
    const total = column.pop();
    expect(column.reduce((all, each) => all + each, 0)).toBe(total);
  }
}
