import { z } from 'zod';
import { hasFailed, hasSucceeded } from './step-outcome.ts';
import type { Trace } from './trace.ts';

/** The classes, in display order. They are stored by their places, so a new one is appended. */
const classes = ['query', 'retrieve', 'tool', 'other', 'undecided', 'empty'] as const;

/** Why an attempt of an agent that searches for its tools failed, after LiveMCPBench (2025, section 4.5), and `empty`. */
export const routingError = z.enum(classes).meta({ id: 'RoutingError' });
export type RoutingError = z.infer<typeof routingError>;

/** What each class means. */
export const routingErrorTexts: Readonly<Record<RoutingError, string>> = {
  query: 'no query found a needed tool, although the request or a key point finds it',
  retrieve: 'no query found a needed tool, and neither do the request and the key points',
  tool: 'a needed tool was found, and none of its calls succeeded',
  other: 'the needed tools were found, and called with success or not at all, or the environment spoilt the calls',
  undecided: 'the unit does not say which tools it needs',
  empty: 'no search found anything: none was made, or none said what to look for',
};

/** What an attempt did that decides on its class, and the tools that it had without a search. */
interface Searched extends Pick<Trace, 'steps' | 'routes'> {
  readonly shown?: readonly string[] | undefined;
}

/** Returns the needed tools that were neither shown nor returned by a route, and that were not called with success either, each once. */
export function listNeededToolsNotFound(
  needed: readonly string[],
  { steps, routes = [], shown = [] }: Searched,
): string[] {
  const found = new Set([
    ...shown,
    ...routes.flatMap(({ tools }) => tools.map(({ name }) => name)),
    ...steps.filter(hasSucceeded).map(({ tool }) => tool),
  ]);
  return [...new Set(needed)].filter((name) => !found.has(name));
}

/**
 * Returns the class of a failed attempt. `findable` are the tools that a search for the request or for a key point
 * returns: the words were there, so the agent's own query is at fault if it found none of them. Which tools a unit needs is
 * one path of several; an attempt that took another one has the class of what it lacked on this one.
 */
export function classifyRoutingError(
  needed: readonly string[],
  searched: Searched,
  findable: ReadonlySet<string>,
): RoutingError {
  if (needed.length === 0) return 'undecided';
  const missing = listNeededToolsNotFound(needed, searched);
  if (missing.length > 0 && (searched.routes ?? []).every(({ tools }) => tools.length === 0)) return 'empty';
  if (missing.length > 0) return missing.some((name) => findable.has(name)) ? 'query' : 'retrieve';
  return needed.some((name) => haveAllCallsOfToolFailed(name, searched)) ? 'tool' : 'other';
}

/** Whether all calls of a tool failed, at least one of them for a reason that is not the environment's. */
function haveAllCallsOfToolFailed(name: string, { steps }: Searched): boolean {
  const calls = steps.filter(({ tool }) => tool === name);
  return (
    calls.length > 0 &&
    calls.every(hasFailed) &&
    calls.some(({ cause, outcome }) => cause === undefined && outcome !== 'fault')
  );
}
