import { noRules } from '#core/catalog/redaction/rules.ts';

/** The limits of a server on which calls may do anything, and of which everything is kept. */
export const unlimited = {
  allows: 'destroys',
  effects: {},
  protocolVersion: null,
  redact: noRules,
  limits: null,
  isolation: { kind: 'session' },
  auth: null,
  instructions: null,
} as const;

/** Tools of which nothing but the names is known. */
export const toolsNamed = (...names: readonly string[]): { readonly name: string }[] => names.map((name) => ({ name }));
