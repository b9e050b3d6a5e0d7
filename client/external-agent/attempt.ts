import type { ClaimedAttempt } from '#core/evaluation/claim.ts';
import type { Client } from '../client.ts';
import { ApiError } from '../http/errors.ts';
import { buildEnvironment } from './environment.ts';
import type { Outcome } from './outcome.ts';
import { keptChars, cutAgentResponse } from './parse-response.ts';
import { runShell } from './shell-command.ts';

/** Exit codes of a shell that found no such command or could not run it. */
const notStarted: readonly number[] = [126, 127];

/** What is needed to make attempts. */
export interface Work {
  readonly client: Client;
  /** For `sh -c`. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the current command. */
  readonly signal: AbortSignal;
}

/** Makes one attempt: runs the command on it and responds with its output. */
export async function runCommandAndRespond(attempt: ClaimedAttempt, work: Work): Promise<Outcome> {
  const deadline = AbortSignal.timeout(Math.max(0, Date.parse(attempt.deadline) - Date.now()));
  const { exitCode, printed } = await runShell(work.command, {
    environment: buildEnvironment(attempt, work.environment),
    input: attempt.request,
    maxChars: keptChars,
    signal: AbortSignal.any([deadline, work.signal]),
  });
  if (work.signal.aborted) return { kind: 'interrupted' };
  if (deadline.aborted) return { kind: 'too-late' };
  if (notStarted.includes(exitCode)) return { kind: 'not-started', exitCode };
  try {
    if (exitCode !== 0) return { kind: 'crashed', exitCode, ...(await work.client.attempts.respond(attempt.id, '')) };
    const { response, cut } = cutAgentResponse(printed);
    const end = await work.client.attempts.respond(attempt.id, response);
    return { kind: 'answered', chars: response.length, cut, ...end };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'attempt-over') return { kind: 'over', detail: error.detail };
    throw error;
  }
}
