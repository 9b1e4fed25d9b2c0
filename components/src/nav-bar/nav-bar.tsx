import type { NavBarProps } from "../contract.ts";

const MENU = "nav-bar-menu";

/** The navigation of every page; 768 px wide or less, its links collapse into a menu. */
export function NavBar({ brand, mark, links, current, copy }: NavBarProps) {
  return (
    <nav className="nav-bar" aria-label={copy.label}>
      <a className="nav-bar-brand" href="/" aria-current={current === "/" ? "page" : undefined}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a drawing of our own, from a file */}
        <span className="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: mark }} />
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
