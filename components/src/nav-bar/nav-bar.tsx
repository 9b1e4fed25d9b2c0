import { type MouseEvent, useEffect, useRef, useSyncExternalStore } from "react";
import type { NavBarProps } from "../contract.ts";
import { Logo } from "./logo.tsx";

/** The menu works by itself; the script only tells what the platform leaves unsaid. */
export const hydrate = "interaction";

const MENU = "nav-bar-menu";

/** The navigation of every page; 768 px wide or less, its links collapse into a menu. */
export function NavBar({ brand, links, current, copy }: NavBarProps) {
  const menu = useRef<HTMLDivElement>(null);
  const open = useSyncExternalStore(
    (changed) => {
      const element = menu.current;
      element?.addEventListener("toggle", changed);
      return () => element?.removeEventListener("toggle", changed);
    },
    () => isOpen(menu.current),
    // Without script the browser itself tells the state; a fixed attribute would contradict it.
    () => undefined,
  );

  useEffect(() => {
    const wide = matchMedia("(min-width: 769px)");
    const close = () => wide.matches && isOpen(menu.current) && menu.current?.hidePopover();
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, []);

  // A page that comes back from the back-forward cache would otherwise show the menu still open.
  const closeOnLink = (event: MouseEvent) => {
    if (open && (event.target as Element).closest("a")) {
      menu.current?.hidePopover();
    }
  };

  return (
    <nav className="nav-bar" aria-label={copy.label}>
      <a className="nav-bar-brand" href="/" aria-current={current === "/" ? "page" : undefined}>
        <Logo />
        <span>{brand}</span>
        <span className="visually-hidden">{` ${copy.home}`}</span>
      </a>
      <button
        className="nav-bar-toggle"
        type="button"
        popoverTarget={MENU}
        aria-expanded={open}
        data-wakes
      >
        <span className="nav-bar-icon" aria-hidden="true" />
        <span className="nav-bar-when-closed visually-hidden">{copy.openMenu}</span>
        <span className="nav-bar-when-open visually-hidden">{copy.closeMenu}</span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the clicks are those of the links inside, which keys raise too */}
      <div className="nav-bar-menu" id={MENU} popover="auto" ref={menu} onClick={closeOnLink}>
        <ul>
          <li>
            <Here to="/pricing" label={copy.pricing} current={current} />
          </li>
          <li>
            <Here to="/contact" label={copy.contact} current={current} />
          </li>
          <li>
            <Away to={links.documentation} label={copy.documentation} note={copy.newTab} />
          </li>
          <li>
            <Away
              className="button"
              to={links.application}
              label={copy.dashboard}
              note={copy.newTab}
            />
          </li>
        </ul>
      </div>
    </nav>
  );
}

type HereProps = { to: string; label: string; current: string | null };

/** A link to a page of this site; the page that is shown is marked. */
function Here({ to, label, current }: HereProps) {
  return (
    <a href={to} aria-current={to === current ? "page" : undefined}>
      {label}
    </a>
  );
}

type AwayProps = { to: string; label: string; note: string; className?: string };

/** A link that opens in a new tab, and says so to screen readers. */
function Away({ to, label, note, className }: AwayProps) {
  return (
    <a className={className} href={to} target="_blank" rel="noopener">
      {label}
      <span className="visually-hidden">{` ${note}`}</span>
    </a>
  );
}

/** Whether the menu shows; a browser without popovers doesn't know the selector and throws. */
function isOpen(menu: HTMLElement | null): boolean {
  return "popover" in HTMLElement.prototype && menu !== null && menu.matches(":popover-open");
}
