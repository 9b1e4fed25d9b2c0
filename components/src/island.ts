/**
 * Tells React's ids in one island from those in another. The server and the browser must use the
 * same one, or React finds other ids than the server wrote.
 */
export const identifierPrefix = (island: string) => `${island}-`;
