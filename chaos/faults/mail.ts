import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "../../bench/port.ts";
import { during, type Fault, type Scale, until } from "../fault.ts";
import { startScript } from "../helper.ts";
import { like, type Prepared, startSite } from "../site.ts";
import { send } from "../visitors.ts";

const MESSAGES = 5;

/** The mail server is in trouble while messages come: all of them are delivered in the end. */
export function mailFaults(prepared: Prepared, scale: Scale): Fault[] {
  const ways: Record<string, string | undefined> = {
    away: undefined,
    "refusing for now (451)": "451",
    "breaking off": "drop",
  };
  return Object.entries(ways).map(([name, answer]) => ({
    name: `mail server ${name}`,
    inflict: async () => {
      const port = await freePort();
      const site = await startSite(like(prepared.state), {
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        CONTACT_FROM: "site@example.com",
        CONTACT_TO: "team@example.com",
      });
      return during(site, scale, async () => {
        const troubled = answer && (await mailServer(port, answer));
        let accepted = 0;
        for (let number = 0; number < MESSAGES; number++) {
          accepted += Number(await send(site.address, `203.0.${number}.1`, `message ${number}`));
        }
        if (troubled) {
          await until("a mail is refused", async () => troubled.toTeam.size > 0);
          await troubled.end();
        }
        const server = await mailServer(port, "ok");
        const recovery = await until("the mails", async () => server.toTeam.size === accepted);
        await server.end();
        return {
          recovery,
          note: `${accepted} messages accepted and delivered; tried again after 30 s`,
          wrong: accepted === MESSAGES ? "" : "a message was refused",
        };
      });
    },
  }));
}

/** The tests' mail server, and the Message-IDs of what it was sent for the team. */
async function mailServer(port: number, answer: string) {
  const options = JSON.stringify({ port, answers: [answer] });
  const server = startScript("site/tests/smtp-server.ts", [options]);
  const toTeam = new Set<string>();
  let listening = false;
  createInterface(server.stdout).on("line", (line) => {
    const mail: unknown = JSON.parse(line);
    listening = true;
    if (typeof mail === "object" && mail && "to" in mail && `${mail.to}` === "team@example.com") {
      toTeam.add(/^Message-ID: (.*)$/im.exec("raw" in mail ? `${mail.raw}` : "")?.[1] ?? line);
    }
  });
  await until("the mail server", async () => listening);
  const end = () => {
    server.stdin.end();
    return once(server, "exit");
  };
  return { toTeam, end };
}
