import { useEffect, useRef, useState } from "react";
import type { RoomProps } from "../contract.ts";
import { fill } from "../fill.ts";
import { mirror, obey } from "./controls.ts";
import { decimal, hourly, rate, thousands } from "./figures.ts";
import { CAPACITY, MOMENT_TICKS, phaseOf, ROOM_NAME, TICK_BUDGET, TICK_RATE } from "./model.ts";
import { ALL, Choices, Key, keyOf, Log, Objects, Players, Slider } from "./panes.tsx";
import { rest } from "./rest.ts";
import { advance, restart } from "./simulation.ts";
import { type RoomState, traffic } from "./state.ts";
import { announce } from "./status.ts";
import { tickWork } from "./traffic.ts";

/** A room that visitors can use: its players, its objects and its log, which add up. */
export function Room({ copy }: RoomProps) {
  const [room, setRoom] = useState(rest);
  const [filter, setFilter] = useState(ALL);
  const [status, setStatus] = useState("");
  const form = useRef<HTMLFormElement>(null);

  const become = (next: RoomState) => {
    if (next !== room) {
      setRoom(next);
      const said = announce(copy, room, next);
      // The same words are read again only where the text differs.
      setStatus((before) => (before === said ? `${said}\u00a0` : said));
    }
  };
  const follow = () => {
    if (!form.current) return;
    const { elements } = form.current;
    setFilter((elements.namedItem("kind") as RadioNodeList).value);
    become(obey(room, elements));
  };

  // What was done before the script was there counts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the controls are first read
  useEffect(follow, []);

  useEffect(() => {
    if (form.current && room !== rest) mirror(room, form.current.elements);
  }, [room]);

  // A running room is looked at once a moment, or once in two where motion is to be reduced.
  useEffect(() => {
    if (!room.running) return;
    const { matches } = matchMedia("(prefers-reduced-motion: reduce)");
    const ticks = MOMENT_TICKS * (matches ? 2 : 1);
    const look = () => {
      if (!document.hidden) setRoom((now) => advance(now, ticks));
    };
    const timer = setInterval(look, (ticks * 1000) / TICK_RATE);
    return () => clearInterval(timer);
  }, [room.running]);

  const now = traffic(room);
  const phase = phaseOf(room.tick);
  const work = tickWork(now.players);
  const figure = (name: string, value: string | number) => (
    <b key={keyOf(room, name, value)}>{value}</b>
  );
  return (
    <figure className="room-figure" id="room">
      <form
        className="room"
        method="dialog"
        autoComplete="off"
        translate="no"
        ref={form}
        onChange={follow}
      >
        <header className="room-head">
          <div>
            <h3>{ROOM_NAME}</h3>
            <p className={phase}>{copy.states[phase]}</p>
            <p>{`${copy.tick} ${thousands(room.tick)}`}</p>
          </div>
          <Key name="lock" word={copy.lock} />
          <Key name="run" word={copy.run} pressed={copy.pause} />
        </header>
        <div className="room-sum">
          <p>
            {figure("count", now.players)}
            {` ${now.players === 1 ? copy.player : copy.players} × `}
            {figure("hertz", TICK_RATE)}
            {" Hz × "}
            {figure("bytes", decimal(now.snapshot))}
            {" B "}
            <span>
              {"= "}
              {figure("out", rate(now.out))}
              {` kB/s ${copy.sent}`}
            </span>
          </p>
          <p>
            {`${rate(now.in)} kB/s ${copy.received} · `}
            <a
              href={fill(copy.estimate, {
                count: now.players,
                rate: rate(now.out / (now.players || 1)),
              })}
            >
              {fill(copy.hour, { megabytes: hourly(now.out) })}
            </a>
          </p>
        </div>
        <Choices name="pane" label={ROOM_NAME} options={copy.panes} />
        <div className="room-load">
          <Slider label={copy.panes.players} />
          <span>{fill(copy.places, { count: now.players, capacity: CAPACITY })}</span>
          <p>
            {`${copy.work} `}
            {figure("work", work.toFixed(1))}
            {` / ${TICK_BUDGET.toFixed(1)} ms`}
          </p>
          <svg
            viewBox={`0 0 ${TICK_BUDGET.toFixed(1)} 1`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <path d={`M0 0H${work}V1H0z`} />
          </svg>
          <button
            className="room-key"
            type="button"
            hidden={room === rest}
            onClick={() => become(restart(room))}
          >
            {copy.restart}
          </button>
        </div>
        <Players copy={copy} room={room} />
        <Objects copy={copy} room={room} />
        <div className="room-log">
          <Choices name="kind" label={copy.panes.log} options={copy.filters} />
          <Log copy={copy} room={room} filter={filter} />
        </div>
      </form>
      <p role="status" className="visually-hidden">
        {status}
      </p>
      <figcaption suppressHydrationWarning>{copy.caption}</figcaption>
    </figure>
  );
}
