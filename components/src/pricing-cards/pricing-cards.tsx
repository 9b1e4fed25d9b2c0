import type { PricingCardsProps } from "../contract.ts";
import { gigabytes } from "../estimate/arithmetic.ts";

/** The plans, side by side. */
export function PricingCards({ copy, start }: PricingCardsProps) {
  const most = Math.max(...copy.plans.map(({ bandwidth }) => gigabytes(bandwidth)));
  return (
    <div className="pricing-cards">
      {copy.plans.map((plan) => {
        const heading = `plan-${plan.id}`;
        return (
          <article
            className="plan"
            key={plan.id}
            aria-labelledby={heading}
            data-highlighted={plan.highlighted || undefined}
          >
            <h2 className="plan-name" id={heading}>
              {plan.name}
            </h2>
            <p className="plan-description">{plan.description}</p>
            <p className="plan-price">
              <strong>{plan.price}</strong> <span>{plan.period}</span>
            </p>
            <dl className="plan-differences">
              <div>
                <dt>{copy.bandwidth}</dt>
                <dd>
                  <Share of={gigabytes(plan.bandwidth) / most} />
                  <span>{plan.bandwidth}</span>
                </dd>
              </div>
              <div>
                <dt>{copy.support}</dt>
                <dd>{plan.support}</dd>
              </div>
            </dl>
            <a
              className={plan.highlighted ? "button button-primary" : "button"}
              href={plan.action.href ?? start}
              aria-describedby={heading}
            >
              {plan.action.label}
            </a>
            <p className="plan-included">{copy.includedHeading}</p>
            <ul className="plan-features marked">
              {copy.included.map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
          </article>
        );
      })}
    </div>
  );
}

/** The squares of a field, in two rows. */
const COLUMNS = 25;

/** A share of the largest plan's bandwidth, in fiftieths; the smallest plan has one of them. */
function Share({ of }: { of: number }) {
  const squares = Math.max(1, Math.round(of * 2 * COLUMNS));
  const rows = (upper: number, lower: number) => `M0 .5h${upper}M0 1.5h${lower}`;
  return (
    <svg viewBox={`0 0.125 ${COLUMNS - 0.25} 1.75`} aria-hidden="true">
      <path d={rows(COLUMNS, COLUMNS)} />
      <path d={rows(Math.ceil(squares / 2), Math.floor(squares / 2))} />
    </svg>
  );
}
