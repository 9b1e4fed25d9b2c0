/** The console's three panes, and the controls and figures that it is made of. */
import { memo } from "react";
import type { RoomCopy } from "../contract.ts";
import { fill } from "../fill.ts";
import { CHART_HEIGHT, CHART_WIDTH, outline } from "./chart.ts";
import { rate, rowRates, thousands } from "./figures.ts";
import { rttOf, rttSpread } from "./latency.ts";
import type { Line } from "./log.ts";
import {
  CAPACITY,
  lesserCount,
  momentOf,
  type NetworkObject,
  objects,
  PLAYERS_AT_REST,
  players,
} from "./model.ts";
import { CHART_MOMENTS, history, ownerOf, type RoomState, traffic } from "./state.ts";

type PaneProps = { copy: RoomCopy; room: RoomState };

/**
 * The key of a figure's element. In a room at rest a figure that changes is another element, which
 * the style lights up; in a running one it only changes its words, which costs next to nothing.
 */
export const keyOf = ({ running }: RoomState, name: string, figure?: string | number) =>
  running ? name : `${name} ${figure}`;

/** As wide as the greatest of its kind, so that a text begins where the one before it did. */
const aligned = (figure: string | number | undefined, digits = 3) =>
  String(figure).padStart(digits, "\u2007");

type KeyProps = { name: string; word: string; pressed?: string; whose?: string };

/**
 * A key that stays pressed, with another word while it is; `whose` is for those who hear it only.
 * Controls are rendered once: what they say is between the visitor and controls.ts.
 */
export const Key = memo(({ name, word, pressed, whose }: KeyProps) => (
  <label className="room-key">
    <input type="checkbox" name={name} />
    <span>{word}</span>
    {pressed && <span>{pressed}</span>}
    {whose && <span className="visually-hidden">{` ${whose}`}</span>}
  </label>
));

/** How many players there are to be. */
export const Slider = memo(({ label }: { label: string }) => (
  <label>
    <span>{label}</span>
    <input type="range" name="count" max={CAPACITY} defaultValue={PLAYERS_AT_REST} />
  </label>
));

type ChoicesProps = { name: string; label: string; options: Record<string, string> };

/** Keys of which one is pressed, the first to begin with. */
export const Choices = memo(({ name, label, options }: ChoicesProps) => (
  <fieldset className={`room-${name}`}>
    <legend className="visually-hidden">{label}</legend>
    {Object.entries(options).map(([value, word], i) => (
      <label className="room-key" key={value}>
        <input type="radio" name={name} value={value} defaultChecked={i === 0} />
        {word}
      </label>
    ))}
  </fieldset>
));

/** Everybody who is or was there, with a key to send them away or let them in. */
export function Players({ copy, room }: PaneProps) {
  const { present, seats, tick } = room;
  const moment = momentOf(tick);
  const rtt = (i: number) => (present[i] ? `${aligned(rttOf(i, moment))} ms` : "–");
  const { p50 = "–", p95 = "–" } = rttSpread(present, moment) ?? {};
  // What a figure lacks in width stands before the whole text, where nobody sees it.
  const spread = `${aligned("", 3 - String(p95).length)}${fill(copy.roundTrip, { p50: aligned(p50, 2), p95 })}`;
  return (
    <div className="room-players">
      <table>
        <caption className="visually-hidden">{copy.panes.players}</caption>
        <thead>
          <tr>
            <th scope="col">{copy.present}</th>
            <th scope="col" colSpan={2}>
              {spread}
            </th>
          </tr>
        </thead>
        <tbody>
          {players.map(({ name }, i) =>
            i < seats ? (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td key={present[i] ? "there" : "gone"}>{rtt(i)}</td>
                <td>
                  <Key name={name} word={copy.kick} pressed={copy.letIn} whose={name} />
                </td>
              </tr>
            ) : (
              <tr key={name}>
                <td colSpan={3}>{copy.free}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

type ChoiceProps = { prefab: string; id: string; first: boolean };

/** An object's name, by which it is selected. */
const Choice = memo(({ prefab, id, first }: ChoiceProps) => (
  <th scope="row">
    <label>
      <input type="radio" name="object" defaultChecked={first} />
      {`${prefab} `}
      <small>{id}</small>
    </label>
  </th>
));

/** A column of a chart stands for two seconds; the last is the moment itself. */
const COLUMN_MOMENTS = CHART_MOMENTS / CHART_WIDTH;

/** What each object costs, with its last half minute; the rows add up to the last. */
export function Objects({ copy, room }: PaneProps) {
  const now = traffic(room);
  const out = rowRates(now, "out");
  const received = rowRates(now, "in");
  const past = history(room, COLUMN_MOMENTS).slice(-CHART_WIDTH);
  const isGone = ({ player }: NetworkObject) => player !== undefined && !room.present[player];
  const chart = ({ prefab, id }: NetworkObject, row: number) => {
    const series = past.map(({ rows }) => rows[row]?.out ?? 0);
    return (
      <>
        <svg
          viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={outline(series)} />
        </svg>
        <small>{`${prefab} ${id} · max ${rate(Math.max(...series))} kB/s`}</small>
      </>
    );
  };
  const sums = [
    [fill(copy.more, { count: lesserCount(room.present) }), out.at(-2), received.at(-2)],
    [copy.overhead, out.at(-1), received.at(-1)],
    [copy.total, rate(now.out), rate(now.in)],
  ];
  return (
    <div className="room-objects">
      <table>
        <caption className="visually-hidden">{copy.panes.objects}</caption>
        <thead>
          <tr>
            {[
              copy.panes.objects,
              copy.owner,
              `${CHART_MOMENTS / 2} s`,
              copy.sent,
              copy.received,
            ].map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {objects.map((object, i) => (
            <tr key={object.id} className={isGone(object) ? "gone" : undefined}>
              <Choice prefab={object.prefab} id={object.id} first={i === 0} />
              <td>{ownerOf(room, object)}</td>
              <td>{chart(object, i)}</td>
              <td key={keyOf(room, "out", out[i])}>{out[i]}</td>
              <td key={keyOf(room, "in", received[i])}>{received[i]}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(([name, sent, came]) => (
            <tr key={name}>
              <th scope="row" colSpan={3}>
                {name}
              </th>
              <td key={keyOf(room, "out", sent)}>{aligned(sent, 4)}</td>
              <td key={keyOf(room, "in", came)}>{came}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  );
}

/** The filter's choices besides all messages, and what each of them shows. */
const FILTERS: Partial<Record<Line["kind"], keyof RoomCopy["filters"]>> = {
  Snapshot: "snapshots",
  Input: "inputs",
  ServerRpc: "calls",
  ClientRpc: "calls",
  Owner: "calls",
};
export const ALL = "all";

/** As many lines as the lowest of the panes holds. */
const LINES = 11;

/**
 * The newest messages of the chosen kind. Lines keep their places and change their words, so that
 * nothing moves.
 */
export function Log({ copy, room, filter }: PaneProps & { filter: string }) {
  const lines = room.log.filter(({ kind }) => filter === ALL || FILTERS[kind] === filter);
  return (
    <div className="room-lines">
      <table>
        <caption className="visually-hidden">{copy.panes.log}</caption>
        <thead>
          <tr>
            <th scope="col">{copy.tick}</th>
            <th scope="col">{copy.panes.log}</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(-LINES).map(({ tick, direction, peer, kind, detail, bytes }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            <tr key={place} className={FILTERS[kind]}>
              <td>{thousands(tick)}</td>
              <td>
                <span>{`${direction} ${peer}`}</span>
                {"\n"}
                <span>{kind === "Refused" ? copy.refused : kind}</span>
                {` ${detail}`}
              </td>
              <td>{aligned(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p>{copy.none}</p>}
    </div>
  );
}
