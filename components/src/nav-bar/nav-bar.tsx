import type { NavBarProps } from "../contract.ts";
import { LinkTo } from "../link.tsx";
import { Logo } from "./logo.tsx";

const MENU = "nav-bar-menu";

/** The navigation of every page; 768 px wide or less, its links collapse into a menu. */
export function NavBar({ brand, links, dashboard, current, copy }: NavBarProps) {
  return (
    <nav className="nav-bar" aria-label={copy.navigation}>
      <a className="nav-bar-brand" href="/" aria-current={current === "/" ? "page" : undefined}>
        <Logo />
        <span>{brand}</span>
        <span className="visually-hidden">{` ${copy.home}`}</span>
      </a>
      {/* Without `aria-expanded`: browsers tell the state of a popover by themselves. */}
      <button className="nav-bar-toggle" type="button" popoverTarget={MENU}>
        <span className="nav-bar-icon" aria-hidden="true" />
        <span className="nav-bar-when-closed visually-hidden">{copy.openMenu}</span>
        <span className="nav-bar-when-open visually-hidden">{copy.closeMenu}</span>
      </button>
      <div className="nav-bar-menu" id={MENU} popover="auto">
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
