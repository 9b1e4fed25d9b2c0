import { setTimeout as pause } from "node:timers/promises";
import { during, type Fault, type Scale } from "../fault.ts";
import { like, type Prepared, startSite } from "../site.ts";
import { send } from "../visitors.ts";

/** A flood of messages from 20 networks, and visitors who write meanwhile. */
export function floodFaults(prepared: Prepared, scale: Scale): Fault[] {
  const inflict = async () => {
    const site = await startSite(like(prepared.state));
    return during(site, scale, async () => {
      let posts = 0;
      const flood = setInterval(() => {
        const from = `198.51.${posts % 20}.${Math.floor(posts / 20) % 250}`;
        void send(site.address, from, `flood ${posts}`);
        posts += 1;
      }, 50);
      let kept = 0;
      for (let number = 0; number < scale.flood; number++) {
        kept += Number(await send(site.address, `203.${number % 250}.113.7`, `honest ${number}`));
        await pause(10);
      }
      clearInterval(flood);
      return {
        recovery: 0,
        note: `${kept} of ${scale.flood} visitors' messages accepted, beside ${posts} posts`,
        wrong: kept === scale.flood ? "" : "a visitor's message was refused",
      };
    });
  };
  return [{ name: "a flood of messages from 20 networks", inflict }];
}
