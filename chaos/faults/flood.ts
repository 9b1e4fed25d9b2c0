import { setTimeout as pause } from "node:timers/promises";
import { during, type Fault, type Scale, until } from "../fault.ts";
import { like, type Prepared, startSite } from "../site.ts";
import { send } from "../visitors.ts";

/** How many posts of the flood are under way at any time. */
const AT_ONCE = 20;

/** A flood of messages from 20 networks, and visitors who write meanwhile. */
export function floodFaults(prepared: Prepared, scale: Scale): Fault[] {
  const inflict = async () => {
    const site = await startSite(like(prepared.state));
    return during(site, scale, async () => {
      let [posts, refused, over] = [0, 0, false];
      const flood = async () => {
        while (!over) {
          posts += 1;
          const from = `198.51.${posts % 20}.${Math.floor(posts / 20) % 250}`;
          const accepted = await send(site.address, from, `flood ${posts}`);
          refused += Number(!accepted);
        }
      };
      const flooding = Array.from({ length: AT_ONCE }, flood);
      // Each network has had what it may send by then, and all of them together long before.
      await until("the flood is refused", async () => refused > AT_ONCE);
      let kept = 0;
      for (let number = 0; number < scale.flood; number++) {
        kept += Number(await send(site.address, `203.${number % 250}.113.7`, `honest ${number}`));
        await pause(10);
      }
      over = true;
      await Promise.all(flooding);
      return {
        recovery: 0,
        note: `${kept} of ${scale.flood} visitors' messages accepted, beside ${posts} posts, of which ${refused} were refused`,
        wrong: kept === scale.flood ? "" : "a visitor's message was refused",
      };
    });
  };
  return [{ name: "a flood of messages from 20 networks", inflict }];
}
