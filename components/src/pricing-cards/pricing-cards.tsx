import type { PricingCardsProps } from "../contract.ts";

/** The plans, side by side. */
export function PricingCards({ copy, start }: PricingCardsProps) {
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
                <dd>{plan.bandwidth}</dd>
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
