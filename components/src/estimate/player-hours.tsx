import type { EstimateProps } from "../contract.ts";
import { fill } from "../fill.ts";
import { type Game, hoursCarried, hoursShown, playerHours, shareOf } from "./arithmetic.ts";
import { Bar } from "./gauge.tsx";

/** The rates of the table, in kB/s. */
const RATES = [2, 4, 8, 16];

type PlayerHoursProps = EstimateProps & {
  game: Game;
  /** The plan that carries it, if one does. */
  plan: EstimateProps["plans"][number] | undefined;
  /** What it needs, in gigabytes a month. */
  need: number;
};

/** How many hours of one player each plan's bandwidth carries: at the game's own rate, and at others. */
export function PlayerHours({ copy, plans, game, plan, need }: PlayerHoursProps) {
  return (
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
