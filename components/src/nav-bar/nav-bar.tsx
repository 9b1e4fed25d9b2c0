import { type MouseEvent, useEffect, useRef, useSyncExternalStore } from "react";
import type { NavBarProps } from "../contract.ts";
import { LinkTo } from "../link.tsx";
import { Logo } from "./logo.tsx";

/** The menu works by itself; the script only tells what the platform leaves unsaid. */
export const hydrate = "interaction";

const MENU = "nav-bar-menu";

/** The navigation of every page; 768 px wide or less, its links collapse into a menu. */
export function NavBar({ brand, links, dashboard, current, copy }: NavBarProps) {
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
    <nav className="nav-bar" aria-label={copy.navigation}>
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
          {links.map((link) => (
            <li key={link.label}>
              <LinkTo
                to={link}
                note={copy.newTab}
                aria-current={link.href === current ? "page" : undefined}
              />
            </li>
          ))}
          <li>
            <LinkTo className="button" to={dashboard} note={copy.newTab} />
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** Whether the menu shows; a browser without popovers doesn't know the selector and throws. */
function isOpen(menu: HTMLElement | null): boolean {
  return "popover" in HTMLElement.prototype && menu !== null && menu.matches(":popover-open");
}
