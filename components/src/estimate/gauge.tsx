import type { EstimateProps } from "../contract.ts";
import { gigabytes, onGauge, scale } from "./arithmetic.ts";

type GaugeProps = Pick<EstimateProps, "plans"> & { need: number; fits: string | undefined };

/** A month's traffic, in gigabytes, on a logarithmic gauge with a notch at what each plan carries. */
export function Gauge({ plans, need, fits }: GaugeProps) {
  return (
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
        const kind = passed ? "estimate-passed" : id === fits && "estimate-fits";
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
  );
}

type BarProps = { filled?: boolean; to: number; at: string };

/** As much of a bar of squares as is so many hundredths of its length. */
export function Bar({ filled, to, at }: BarProps) {
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
