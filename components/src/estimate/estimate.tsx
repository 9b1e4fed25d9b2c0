import { type FormEvent, useEffect, useRef, useState } from "react";
import type { EstimateProps } from "../contract.ts";
import { fill } from "../fill.ts";
import {
  example,
  fitting,
  type Game,
  gigabytes,
  hoursCarried,
  hoursShown,
  monthly,
  most,
  onGauge,
  playerHours,
  scale,
  shareOf,
  shown,
} from "./arithmetic.ts";
import { inAddress, markPlan, ofAddress, onReturn, putInAddress } from "./surroundings.ts";

/** The rates of the table, in kB/s. */
const RATES = [2, 4, 8, 16];

/** What can be dragged to; more can be typed. */
const reach: Game = { players: 500, rate: 32, hours: 24 };

const figures = ["players", "rate", "hours"] as const;
type Figure = (typeof figures)[number];

/**
 * Which plan carries a game's traffic: three figures, and a table for whoever has no scripts. A
 * translator may replace what stays as it is; what changes is React's.
 */
export function Estimate({ copy, plans }: EstimateProps) {
  const [game, setGame] = useState(example);
  const [mistakes, tell] = useState<readonly Figure[]>([]);
  const form = useRef<HTMLFormElement>(null);

  // The controls may have been used before the script was there: then they say more than the address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the controls are first read
  useEffect(() => {
    const { current } = form;
    if (!current) return;
    const asked = { ...example, ...ofAddress() };
    const begun = { ...asked };
    for (const name of figures) begun[name] = setTo(current, name) ?? asked[name];
    become(begun, document.activeElement);
    if (figures.some((name) => begun[name] !== asked[name])) inAddress(begun);
    return onReturn((asked) => become({ ...example, ...asked }, null));
  }, []);

  const become = (next: Game, used: EventTarget | null) => {
    const { current } = form;
    if (!current) return;
    setGame(next);
    tell(figures.filter((name) => !show(current, name, next[name], used)));
    markPlan(fitting(plans, monthly(next))?.id);
  };
  const follow = ({ target }: FormEvent) => {
    const { name, valueAsNumber, validity } = target as HTMLInputElement;
    const figure = figures.find((figure) => name.startsWith(figure));
    if (!figure || Number.isNaN(valueAsNumber) || !validity.valid) return;
    const next = { ...game, [figure]: valueAsNumber };
    become(next, target);
    inAddress(next);
  };

  const need = monthly(game);
  const plan = fitting(plans, need);
  const largest = plans.at(-1)?.bandwidth ?? "";
  return (
    <div className="estimate" id="estimate">
      <form
        className="estimate-form"
        method="dialog"
        autoComplete="off"
        ref={form}
        onInput={follow}
        onBlur={() => {
          putInAddress();
          become(game, null);
        }}
      >
        <div className="estimate-figures">
          {figures.map((name) => (
            <div key={name}>
              <label
                id={`estimate-${name}-label`}
                htmlFor={`estimate-${name}`}
                suppressHydrationWarning
              >
                {copy[name]}
              </label>
              <input
                id={`estimate-${name}`}
                name={name}
                type="number"
                inputMode="decimal"
                min="0"
                max={most[name]}
                step="any"
                required
                aria-invalid={mistakes.includes(name) || undefined}
                aria-describedby={mistakes.includes(name) ? `estimate-${name}-mistake` : undefined}
                defaultValue={example[name]}
              />
              <input
                name={`${name}-slider`}
                type="range"
                min="0"
                max={reach[name]}
                step={name === "rate" ? 0.1 : 1}
                aria-labelledby={`estimate-${name}-label`}
                defaultValue={example[name]}
              />
              {mistakes.includes(name) && (
                <p id={`estimate-${name}-mistake`} role="alert" translate="no">
                  {fill(copy.mistake, { most: most[name].toLocaleString("en") })}
                </p>
              )}
            </div>
          ))}
        </div>
        <div className="estimate-result" translate="no">
          <output htmlFor={figures.map((name) => `estimate-${name}`).join(" ")}>
            <strong>{fill(copy.month, { gigabytes: shown(need) })}</strong>
            <span>
              {plan
                ? fill(copy.fits, {
                    plan: plan.name,
                    share: shareOf(plan.bandwidth, need),
                    bandwidth: plan.bandwidth,
                  })
                : fill(copy.beyond, { bandwidth: largest })}
            </span>
          </output>
          <svg aria-hidden="true">
            <Bar to={100} at="2.5em" />
            <Bar filled to={onGauge(need)} at="2.5em" />
            {scale.map((mark) => {
              const at = `${onGauge(gigabytes(mark))}%`;
              return (
                <g className="estimate-mark" key={mark}>
                  <line x1={at} x2={at} y1="3.4em" y2="3.8em" />
                  <text x={at} y="5em">
                    {mark}
                  </text>
                </g>
              );
            })}
            {plans.map(({ id, bandwidth }) => {
              const at = `${onGauge(gigabytes(bandwidth))}%`;
              const passed = gigabytes(bandwidth) < need;
              const kind = passed ? "estimate-passed" : id === plan?.id && "estimate-fits";
              return (
                <g className={kind || undefined} key={id}>
                  <line x1={at} x2={at} y1="0.2em" y2="1.65em" />
                  <text x={at} y="1em">
                    {bandwidth}
                  </text>
                </g>
              );
            })}
          </svg>
          <a href={plan ? `#plan-${plan.id}` : "/contact"} onClick={putInAddress}>
            {plan ? fill(copy.see, { plan: plan.name }) : copy.talk}
          </a>
          <p>{copy.note}</p>
        </div>
      </form>
      <div className="estimate-table">
        <div>
          <h3 id="player-hours" suppressHydrationWarning>
            {copy.table}
          </h3>
          <p suppressHydrationWarning>{copy.playerHour}</p>
          <p className="estimate-sum" translate="no">
            {fill(copy.sum, game)}{" "}
            <strong>{fill(copy.total, { total: hoursShown(playerHours(game)) })}</strong>{" "}
            <svg aria-hidden="true">
              <Bar to={100} at="50%" />
              {plan && <Bar filled to={shareOf(plan.bandwidth, need)} at="50%" />}
            </svg>
            {plan &&
              fill(copy.carries, {
                plan: plan.name,
                hours: hoursShown(hoursCarried(plan.bandwidth, game.rate)),
                rate: game.rate,
              })}
          </p>
        </div>
        <table aria-labelledby="player-hours" translate="no">
          <thead>
            <tr>
              <th scope="col">{copy.rateHeading}</th>
              {plans.map(({ id, name, bandwidth, highlighted }) => (
                <th scope="col" key={id} data-highlighted={highlighted || undefined}>
                  {name} <small>{bandwidth}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className="estimate-yours">
              <th scope="row">
                {game.rate} <small>{copy.yours}</small>
              </th>
              <Carried rate={game.rate} plans={plans} fits={plan?.id} />
            </tr>
            {RATES.map((rate) => (
              <tr key={rate}>
                <th scope="row">{rate}</th>
                <Carried rate={rate} plans={plans} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

type BarProps = { filled?: boolean; to: number; at: string };

/** As much of a bar of squares as is so many hundredths of its length. */
function Bar({ filled, to, at }: BarProps) {
  return (
    <line
      className={filled ? "estimate-filled" : "estimate-bar"}
      x2={`${to}%`}
      y1={at}
      y2={at}
      pathLength={to}
    />
  );
}

type CarriedProps = Pick<EstimateProps, "plans"> & { rate: number; fits?: string | undefined };

/** How many hours of one player at a rate, in kB/s, each plan carries. */
function Carried({ plans, rate, fits }: CarriedProps) {
  return plans.map(({ id, bandwidth, highlighted }) => (
    <td key={id} data-highlighted={highlighted || undefined} data-fits={id === fits || undefined}>
      {hoursShown(hoursCarried(bandwidth, rate))}
    </td>
  ));
}

/** The two controls of a figure: what it is typed into, and what it is dragged with. */
const controlsOf = ({ elements }: HTMLFormElement, name: Figure) =>
  [name, `${name}-slider`].map((each) => elements.namedItem(each) as HTMLInputElement);

/** What a figure's controls say: the one that was changed, if it holds a figure. */
function setTo(form: HTMLFormElement, name: Figure): number | undefined {
  const changed = controlsOf(form, name).find(({ value, defaultValue }) => value !== defaultValue);
  return changed?.validity.valid ? changed.valueAsNumber : undefined;
}

/**
 * Lets the controls of a figure say what is so, but for the one that is being used. What was typed and
 * is no figure stays; false where it does.
 */
function show(
  form: HTMLFormElement,
  name: Figure,
  value: number,
  used: EventTarget | null,
): boolean {
  const controls = controlsOf(form, name);
  if (controls.every((control) => control !== used) && !controls[0]?.validity.valid) return false;
  for (const control of controls) {
    if (control !== used && control.valueAsNumber !== value) control.value = String(value);
  }
  return true;
}
