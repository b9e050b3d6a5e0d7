import { z } from 'zod';
import type { InfrastructureFault } from './faults.ts';

/** Refusals in a row after which a run pauses: five requests cost nothing, and a coincidence of five is rare. */
export const refusalsUntilPause = 5;

/** How many of the latest requests in a row an endpoint refused for good, by the role or agent that asked. */
export const refusalsInARow = z.record(z.string(), z.int());
export type RefusalsInARow = Readonly<z.infer<typeof refusalsInARow>>;

/** Statuses by which an endpoint says that it will answer the same request the same way tomorrow. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 410, 422]);

/** Statuses that concern the account, whatever is asked: no request of it will be answered. */
const accountStatuses: ReadonlySet<number> = new Set([401, 402]);

/** Returns whether a model's endpoint refused for good: the setting is wrong, not the moment. */
export const isRefusedForGood = ({ where, code, status = 0 }: InfrastructureFault): boolean =>
  where === 'model' && (code === 'out-of-credit' || finalStatuses.has(status));

const isAboutAccount = ({ code, status = 0 }: InfrastructureFault): boolean =>
  code === 'out-of-credit' || accountStatuses.has(status);

/** What one request came to: `fault` is null if the endpoint answered. */
export interface Asked {
  /** A role of the run, or the name of an agent. */
  readonly by: string;
  readonly fault: InfrastructureFault | null;
}

/**
 * Returns the refusals in a row after a request (none after an answer), and why the run has to pause, for a person, if it
 * has to: an endpoint refused the key or the account, or so many requests in a row. Faults that may pass count neither way.
 */
export function refusalsAndPauseAfterRequest(
  before: RefusalsInARow,
  { by, fault }: Asked,
): { readonly refusals: RefusalsInARow; readonly pause: string | null } {
  const { [by]: sofar = 0, ...others } = before;
  if (fault === null) return { refusals: sofar === 0 ? before : others, pause: null };
  if (!isRefusedForGood(fault)) return { refusals: before, pause: null };
  const refusals = { ...before, [by]: sofar + 1 };
  const words = `${fault.detail}. Correct its setting, then resume`;
  if (isAboutAccount(fault)) return { refusals, pause: `the model of ${by} refused the key or the account: ${words}` };
  if (sofar + 1 < refusalsUntilPause) return { refusals, pause: null };
  return { refusals, pause: `the model of ${by} refused ${refusalsUntilPause} requests in a row: ${words}` };
}
