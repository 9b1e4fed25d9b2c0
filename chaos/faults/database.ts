import { once } from "node:events";
import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { during, type Fault, type Scale, type Told, until } from "../fault.ts";
import { endHelper, said, startHelper } from "../helper.ts";
import { command, like, type Prepared, type Site, startSite } from "../site.ts";
import { send } from "../visitors.ts";

/** How many messages are sent while the database is in trouble. */
const MESSAGES = 10;

/** What becomes of the database while messages come: each that was acknowledged must be there. */
export function databaseFaults(prepared: Prepared, scale: Scale): Fault[] {
  const damages: Record<string, (file: string, backup: string) => void> = {
    gone: (file) => rmSync(file),
    replaced: put,
    corrupt: (file) => writeFileSync(file, Buffer.alloc(100_000, "no database ")),
  };
  const damaged = Object.entries(damages).map(([name, damage]) => ({
    name: `contact.db ${name}`,
    inflict: async () => {
      const site = await startSite(like(prepared.state));
      await send(site.address, "203.0.113.1", "before");
      const [file, backup] = [join(site.state, "contact.db"), join(site.state, "backup.db")];
      command(site, "messages", "backup", backup);
      return during(site, scale, async () => {
        damage(file, backup);
        const accepted = await sendAll(site);
        // What can be opened takes messages at once.
        const due = name === "corrupt" ? 0 : MESSAGES;
        return afterwards(site, accepted, due, async () => {
          if (accepted.length < MESSAGES) {
            put(file, backup);
          }
        });
      });
    },
  }));
  const locked: Fault = {
    name: "contact.db locked by another process",
    inflict: async () => {
      const site = await startSite(like(prepared.state));
      await send(site.address, "203.0.113.1", "before");
      return during(site, scale, async () => {
        const lock = await exclusiveLock(join(site.state, "contact.db"));
        const accepted = await sendAll(site);
        return afterwards(site, accepted, 0, () => endHelper(lock));
      });
    },
  };
  const stopped: Fault = {
    name: "PostgreSQL stopped and started again",
    inflict: async () => {
      // PostgreSQL's account has to get there, and a Unix socket's path is short.
      const folder = join(tmpdir(), `site-chaos-${process.pid}`);
      const server = startHelper(["sh", "site/tests/postgres.sh", folder]);
      const told = (action: "start" | "stop") => {
        server.stdin.write(`${action}\n`);
        return said(server);
      };
      await said(server);
      const DATABASE_URL = `postgres:///postgres?user=postgres&host=${folder}`;
      const site = await startSite(like(prepared.state), { DATABASE_URL });
      await send(site.address, "203.0.113.1", "before");
      const outcome = await during(site, scale, async () => {
        await told("stop");
        const accepted = await sendAll(site);
        return afterwards(site, accepted, 0, () => told("start"));
      });
      server.stdin.end();
      await once(server, "exit");
      return outcome;
    },
  };
  return [...damaged, locked, stopped];
}

/** Puts a database into the place of another one, as operators restore a backup. */
function put(file: string, backup: string) {
  copyFileSync(backup, `${file}.new`);
  renameSync(`${file}.new`, file);
}

/** Sends messages at once, each from a client of its own; returns those that were acknowledged. */
async function sendAll({ address }: Site): Promise<string[]> {
  const messages = Array.from({ length: MESSAGES }, (_, number) => `Message number ${number}.`);
  const sent = messages.map((message, number) => send(address, `203.0.${number}.2`, message));
  const accepted = await Promise.all(sent);
  return messages.filter((_, number) => accepted[number]);
}

/**
 * Mends the database, and looks for what was acknowledged. That must be `due` messages: none while
 * nothing can be stored, or the fault did not take hold.
 */
async function afterwards(
  site: Site,
  accepted: string[],
  due: number,
  mend: () => Promise<unknown>,
): Promise<Told> {
  await mend();
  const recovery = await until("a message is accepted", () =>
    send(site.address, "198.51.100.1", "again"),
  );
  const kept = command(site, "messages", "export");
  const lost = accepted.filter((message) => !kept.includes(message)).length;
  const refused = MESSAGES - accepted.length;
  const differs = accepted.length === due ? "" : `${due} had to be acknowledged`;
  return {
    recovery,
    note: `${accepted.length} messages acknowledged and kept, ${refused} refused`,
    wrong: lost ? `${lost} messages lost that were acknowledged` : differs,
  };
}

/** Another process that holds SQLite's lock of those who write ("File Locking And Concurrency"). */
async function exclusiveLock(file: string) {
  const lock = `use Fcntl; open(my $db, "+<", shift) or die $!;
    my $range = pack("s s x4 q q l x4", F_WRLCK, 0, 0x40000000, 512, 0);
    fcntl($db, F_SETLKW, $range) or die $!;
    $| = 1; print "locked"; sleep;`;
  const holder = startHelper(["perl", "-e", lock, file]);
  await said(holder);
  return holder;
}
