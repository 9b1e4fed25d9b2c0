/** A window as a visitor may have it: the page's breadth and height, and whether its scripts run. */
export type Screen = { width: number; height?: number; scripts?: boolean };

/** What a visitor's browser can be told to do. */
export type Tab = {
  /** Resolves once the page is loaded. */
  go: (address: string) => Promise<void>;
  /** Calls a function, of which this is the source, in the page with a text; resolves to its text. */
  call: (source: string, argument: string) => Promise<string>;
  /** Presses and releases the mouse, in CSS pixels from the window's top left corner. */
  click: (x: number, y: number) => Promise<void>;
  /** Presses one key after the other; those without a character by their code points (WebDriver, section 17.4.2). */
  type: (keys: string) => Promise<void>;
  close: () => Promise<void>;
};

/** A browser that is running. */
export type Engine = {
  open: (screen: Required<Screen>) => Promise<Tab>;
  end: () => Promise<void>;
};
