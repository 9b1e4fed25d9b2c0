/** The console's words. In braces stands what takes the place of a name or a figure. */
export type RoomCopy = {
  lock: string;
  run: string;
  pause: string;
  restart: string;
  /** Before the tick's number. */
  tick: string;
  states: { starting: string; open: string; live: string };
  /** After a number of players. */
  player: string;
  players: string;
  /** Before the slider, with {count} and {capacity}. */
  places: string;
  /** Before the milliseconds of a tick. */
  work: string;
  /** What an hour weighs, with {megabytes}. */
  hour: string;
  /** The address where that leads, with {count} players and {rate} in kB/s for each of them. */
  estimate: string;
  /** The panes. */
  panes: { players: string; objects: string; log: string };
  kick: string;
  letIn: string;
  /** In an empty place. */
  free: string;
  /** The spread of round-trip times, with {p50} and {p95} in milliseconds. */
  roundTrip: string;
  owner: string;
  out: string;
  in: string;
  /** The row of lesser objects, with {count}. */
  more: string;
  overhead: string;
  total: string;
  filters: { all: string; snapshots: string; inputs: string; calls: string };
  /** Where the log has no message of the chosen kind. */
  none: string;
  /** The log's line about somebody who found the room locked. */
  refused: string;
  caption: string;
  /** What is announced after an action: {what} happened to {name}, {count} as `6 players`, {rate}. */
  status: string;
  what: {
    kicked: string;
    letIn: string;
    refused: string;
    locked: string;
    unlocked: string;
    running: string;
    paused: string;
  };
};

/** A sentence with the values in the places of their names in braces. */
export const fill = (sentence: string, values: Record<string, string | number>) =>
  sentence.replace(/\{(\w+)\}/g, (brace, name) => String(values[name] ?? brace));
