import { type FormEvent, useEffect, useRef, useState } from "react";
import type { EstimateProps } from "../contract.ts";
import { fill } from "../fill.ts";
import { example, fitting, type Game, monthly, most, shareOf, shown } from "./arithmetic.ts";
import { type Figure, figures, setTo, show } from "./controls.ts";
import { Gauge } from "./gauge.tsx";
import { PlayerHours } from "./player-hours.tsx";
import { inAddress, markPlan, ofAddress, onReturn, putInAddress } from "./surroundings.ts";

/** What can be dragged to; more can be typed. */
const reach: Game = { players: 500, rate: 32, hours: 24 };

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
          <Gauge plans={plans} need={need} fits={plan?.id} />
          <a href={plan ? `#plan-${plan.id}` : "/contact"} onClick={putInAddress}>
            {plan ? fill(copy.see, { plan: plan.name }) : copy.talk}
          </a>
          <p>{copy.note}</p>
        </div>
      </form>
      <PlayerHours copy={copy} plans={plans} game={game} plan={plan} need={need} />
    </div>
  );
}
