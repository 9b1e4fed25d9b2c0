import type { ComponentProps } from "react";
import type { Link } from "./contract.ts";

type LinkToProps = Omit<ComponentProps<"a">, "href" | "children"> & {
  to: Link;
  /** Read after a link that opens in a new tab. */
  note: string;
};

/** A link of the contract; one that opens in a new tab says so to screen readers. */
export function LinkTo({ to, note, ...rest }: LinkToProps) {
  return (
    <a href={to.href} {...(to.newTab && { target: "_blank", rel: "noopener" })} {...rest}>
      {to.label}
      {to.newTab && <span className="visually-hidden">{` ${note}`}</span>}
    </a>
  );
}
