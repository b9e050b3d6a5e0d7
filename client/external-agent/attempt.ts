import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedAttempt, maxResponseChars } from '#core/evaluation/claim.ts';
import { heartbeatEveryMs } from '#core/evaluation/lease.ts';
import type { Client } from '../client.ts';
import { ApiError } from '../http/errors.ts';
import { callUntilServiceAnswers } from './patience.ts';
import type { NotMade, Outcome } from './outcome.ts';
import { runShell, type CommandEnd } from './shell-command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Builds a command's environment: ours, and its attempt. */
function buildAttemptEnvironmentWithoutApiKey(
  { id, request, mcp, models, deadline }: ClaimedAttempt,
  ours: Environment,
): Environment {
  const authorization = mcp.headers.Authorization;
  // The API key can read the expected chains, so the agent must not have it.
  const { SEXTANT_KEY: _, ...rest } = ours;
  return {
    ...rest,
    SEXTANT_ATTEMPT: id,
    // An environment cannot contain NUL.
    SEXTANT_REQUEST: request.replaceAll('\0', ''),
    SEXTANT_MCP_URL: mcp.url,
    SEXTANT_MCP_AUTHORIZATION: authorization,
    SEXTANT_MCP_TOKEN: authorization.replace(/^Bearer +/i, ''),
    SEXTANT_DEADLINE: deadline,
    ...(models === undefined
      ? {}
      : {
          SEXTANT_MODEL: models.names[0],
          SEXTANT_MODEL_URL_OPENAI: models.urls.openai,
          SEXTANT_MODEL_URL_ANTHROPIC: models.urls.anthropic,
          SEXTANT_MODEL_URL_GEMINI: models.urls.gemini,
          SEXTANT_MODEL_TOKEN: models.token,
        }),
  };
}

/** Enough of an output to see whether it is too long: one line break at its end does not count. */
const keptChars = maxResponseChars + 3;

/** Returns the response in an output: without one line break at its end, and cut if it is too long. */
function parseResponseCutToLimit(printed: string): { readonly response: string; readonly cut: boolean } {
  const response = printed.replace(/\r?\n$/, '');
  if (response.length <= maxResponseChars) return { response, cut: false };
  // Never cuts between the two units of a character.
  return { response: response.slice(0, maxResponseChars).replace(/[\uD800-\uDBFF]$/, ''), cut: true };
}

/** Exit codes of a shell that found no such command or could not run it. */
const notStarted: readonly number[] = [126, 127];

/** How long giving an attempt back may take: somebody waits for the command line to end. */
const giveBackMs = 5_000;

/** Makes one attempt: its output is the response. It ends with the signal. */
export type AttemptMaker = (
  attempt: ClaimedAttempt,
  run: { readonly maxChars: number; readonly signal: AbortSignal },
) => Promise<CommandEnd>;

/** What is needed to make attempts. */
export interface Work {
  readonly client: Client;
  readonly make: AttemptMaker;
  /** Ends the current command. */
  readonly signal: AbortSignal;
}

/** Returns what makes attempts with a command for `sh -c`. */
export const makeAttemptsWithShell =
  (command: string, environment: Environment): AttemptMaker =>
  (attempt, run) =>
    runShell(command, {
      ...run,
      environment: buildAttemptEnvironmentWithoutApiKey(attempt, environment),
      input: attempt.request,
    });

/** Makes one attempt and responds with its output. Meanwhile it gives the signs of life that the attempt needs. */
export async function makeAttemptAndRespond(attempt: ClaimedAttempt, work: Work): Promise<Outcome> {
  const ended = new AbortController();
  const beating = beatUntilAborted(attempt, work.client, ended.signal);
  try {
    return await makeAndRespond(attempt, work);
  } finally {
    ended.abort();
    await beating;
  }
}

/** Says at regular times that an attempt is being made, until that is over. The service holds no attempt without a lease by it. */
async function beatUntilAborted({ id, leaseMs }: ClaimedAttempt, { attempts }: Client, signal: AbortSignal) {
  if (leaseMs === undefined) return;
  while (!signal.aborted) {
    await sleep(heartbeatEveryMs(leaseMs), undefined, { signal }).catch(() => null);
    if (signal.aborted) return;
    try {
      await attempts.beat(id, signal);
    } catch {
      // The next one may arrive. If the attempt is over, its response is told so.
    }
  }
}

async function makeAndRespond(attempt: ClaimedAttempt, work: Work): Promise<Outcome> {
  const deadline = AbortSignal.timeout(Math.max(0, Date.parse(attempt.deadline) - Date.now()));
  const signal = AbortSignal.any([deadline, work.signal]);
  const { exitCode, printed } = await work.make(attempt, { maxChars: keptChars, signal });
  if (work.signal.aborted) return { kind: 'interrupted', ...(await giveBack(attempt, work.client)) };
  if (deadline.aborted) return { kind: 'too-late' };
  if (notStarted.includes(exitCode))
    return { kind: 'not-started', exitCode, ...(await giveBack(attempt, work.client)) };
  const respond = (response: string | { readonly crashed: true }) =>
    callUntilServiceAnswers(() => work.client.attempts.respond(attempt.id, response), work.signal);
  try {
    if (exitCode !== 0) return { kind: 'crashed', exitCode, ...(await respond({ crashed: true })) };
    const { response, cut } = parseResponseCutToLimit(printed);
    const end = await respond(response);
    return { kind: 'answered', chars: response.length, cut, ...end };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'attempt-over') return { kind: 'over', detail: error.detail };
    throw error;
  }
}

/** Gives an attempt back that is not made. If that fails, its claim runs out by itself. */
async function giveBack({ id }: ClaimedAttempt, { attempts }: Client): Promise<Pick<NotMade, 'again'>> {
  try {
    return await attempts.giveBack(id, AbortSignal.timeout(giveBackMs));
  } catch {
    return { again: null };
  }
}
