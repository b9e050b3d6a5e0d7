/** The revision of MCP that Sextant speaks without `initialize` and sessions. */
export const modernVersion = '2026-07-28';

/** Returns whether a version of MCP, a date, is one without `initialize` and sessions. */
export const isModernVersion = (version: string): boolean => version >= modernVersion;
