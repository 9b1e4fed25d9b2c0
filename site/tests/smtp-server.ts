/**
 * A mail server for the tests, on a port of its own on loopback. The one argument is a JSON object
 * of `Options`. Prints the port, then each mail that it got as a line of JSON, and how many connections
 * are open whenever it is asked; ends with its input.
 */

import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

type Options = {
  /** 0 for any. */
  port: number;
  /** Without it the server doesn't know TLS. */
  tls?: { mode: "starttls" | "implicit"; key: string; cert: string };
  /** Without it nobody needs to log in. */
  password?: string;
  /**
   * What becomes of each mail in turn; the last one goes on for ever. A reply of three digits refuses
   * it, "drop" breaks the connection after the mail, "hang" never answers, "slow" does after a second,
   * "mute" takes the mail and doesn't answer QUIT.
   */
  answers: ("ok" | "451" | "550" | "drop" | "hang" | "slow" | "mute")[];
};

const options: Options = JSON.parse(process.argv[2] ?? "");
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

let mails = 0;

const server = new SMTPServer({
  ...options.tls,
  secure: options.tls?.mode === "implicit",
  disabledCommands: options.tls?.mode === "starttls" ? [] : ["STARTTLS"],
  // A server that knows TLS takes passwords over nothing else.
  allowInsecureAuth: !options.tls,
  authOptional: options.password === undefined,
  disableReverseLookup: true,
  onAuth({ username, password }, _session, done) {
    if (options.password === undefined || password === options.password) {
      done(null, { user: username });
    } else {
      done(Object.assign(new Error("Who are you?"), { responseCode: 535 }));
    }
  },
  async onData(stream, session, done) {
    const raw = await text(stream);
    const { answers } = options;
    const answer = answers[Math.min(mails, answers.length - 1)] ?? "ok";
    mails += 1;
    const { mailFrom, rcptTo } = session.envelope;
    const to = rcptTo.map(({ address }) => address);
    const from = mailFrom ? mailFrom.address : "";
    print({ from, to, user: session.user ?? "", secure: session.secure, raw });
    if (answer === "drop") {
      for (const connection of server.connections) {
        connection._socket.destroy();
      }
    } else if (answer === "slow") {
      await setTimeout(1_000);
      done();
    } else if (answer === "mute") {
      for (const connection of server.connections) {
        connection.handler_QUIT = () => {};
      }
      done();
    } else if (answer === "ok") {
      done();
    } else if (answer !== "hang") {
      // Servers often name the mailbox, which no log may repeat.
      done(Object.assign(new Error(`<${to}> is refused`), { responseCode: Number(answer) }));
    }
  },
});

let listens = false;
// Clients that break off are what some tests are about; a port that is taken is not.
server.on("error", (error) => {
  if (!listens) {
    throw error;
  }
});
const listening = server.listen(options.port, "127.0.0.1", () => {
  listens = true;
  const address = listening.address();
  print(typeof address === "object" ? address?.port : null);
});
process.stdin.on("data", () => print(server.connections.size)).on("end", () => process.exit());
