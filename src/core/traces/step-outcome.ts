import type { Asked, Disturbed } from '#core/ports.ts';
import type { ReportedError } from './reported-error.ts';

/** What became of a call: a step of a trace, or a case's record of one. */
export interface CallOutcome {
  readonly outcome: 'success' | 'failure' | 'fault';
  readonly reported?: ReportedError | undefined;
}

/** Returns whether the server marked the call as a success although its text reports an error. */
export const isReportedError = ({ outcome, reported }: CallOutcome): boolean =>
  outcome === 'success' && reported !== undefined && reported.judged !== 'overruled';

/** Returns whether the call did what it was made for, as far as the server's mark and the text of its result tell. */
export const hasSucceeded = (call: CallOutcome): boolean => call.outcome === 'success' && !isReportedError(call);

/** Returns whether the tool answered with an error, marked as one or not, or could not take the call. */
export const hasFailed = (call: CallOutcome): boolean => call.outcome === 'failure' || isReportedError(call);

/** Returns what a server asked its user, if it did, and whether a disturbance changed what came back. */
export const factsBesideOutcome = ({ asked, disturbed }: Asked & Disturbed): Asked & Disturbed => ({
  ...(asked === undefined ? {} : { asked }),
  ...(disturbed === undefined ? {} : { disturbed }),
});
