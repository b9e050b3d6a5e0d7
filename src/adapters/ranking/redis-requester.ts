import type { Admission } from '#adapters/network/admission.ts';
import { makeUpstashRequester, type UpstashAnswer, type UpstashEndpoint } from '#adapters/upstash/requester.ts';

export interface RedisRequesterOptions extends UpstashEndpoint {
  readonly admission: Admission;
}

/**
 * Why a command at Upstash Redis failed: thrown through the client, which knows only successful results. `refused`: the
 * database was reached but refused; otherwise it could not be reached. The message contains no address, no token and
 * nothing of the command.
 */
export class RedisFailure extends Error {
  readonly refused: boolean;

  constructor(message: string, refused: boolean) {
    super(message);
    this.name = 'RedisFailure';
    this.refused = refused;
  }
}

/**
 * The transport of the client of Upstash Redis. Repeats nothing, because the caller knows whether the answer is still
 * needed.
 */
export const makeRedisRequester = (options: RedisRequesterOptions) =>
  makeUpstashRequester(options, async (once) => {
    const answer = await options.admission.runHoldingPlace(once);
    if (answer.kind === 'result') return answer.result;
    throw makeRedisFailure(answer);
  });

function makeRedisFailure(answer: Exclude<UpstashAnswer, { kind: 'result' }>): RedisFailure {
  if (answer.kind === 'malformed') return new RedisFailure(answer.detail, true);
  if (answer.kind === 'broken') return new RedisFailure(answer.detail, false);
  const { status, error } = answer;
  if (status === 401) return new RedisFailure('HTTP status 401: the database does not accept the token', false);
  // Redis starts its errors with a kind in capitals. The rest may repeat the command, so it is dropped.
  const kind = /^[A-Z]{2,20}(?= |$)/.exec(error)?.[0];
  const refused = status === 400 && kind !== undefined;
  return new RedisFailure(`HTTP status ${status}${refused ? `: ${kind}` : ''}`, refused);
}
