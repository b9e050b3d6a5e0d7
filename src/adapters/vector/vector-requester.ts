import { requestUntilAnsweredOrGivenUp, type Repeats } from '#adapters/model/backoff.ts';
import type { BrokenRequest } from '#adapters/network/guard-faults.ts';
import { makeUpstashRequester, type UpstashAnswer, type UpstashEndpoint } from '#adapters/upstash/requester.ts';
import type { FaultCode } from '#core/models/faults.ts';

/** A time-out is not repeated. */
export interface VectorRequesterOptions extends UpstashEndpoint, Repeats {}

/** Why a request to Upstash Vector failed: thrown through the client, which knows only successful results. */
export class VectorFailure extends Error {
  readonly code: FaultCode;
  /** The requested namespace does not exist. */
  readonly noNamespace: boolean;

  constructor({ code, detail, noNamespace }: Broken) {
    super(detail);
    this.name = 'VectorFailure';
    this.code = code;
    this.noNamespace = noNamespace;
  }
}

/**
 * The transport of the client of Upstash Vector. Repeats transient failures (429, 5xx, no connection); all of its
 * requests can be repeated.
 */
export const makeRetryingVectorRequester = (options: VectorRequesterOptions) =>
  makeUpstashRequester(options, async (once) => {
    const { attempt } = await requestUntilAnsweredOrGivenUp(
      async () => convertAnswerToResultOrBroken(await once()),
      options,
    );
    if (!attempt.ok) throw new VectorFailure(attempt);
    return attempt.result;
  });

interface Broken extends BrokenRequest {
  readonly ok: false;
  readonly noNamespace: boolean;
  readonly headers?: Headers;
}

function convertAnswerToResultOrBroken(
  answer: UpstashAnswer,
): { readonly ok: true; readonly result: unknown } | Broken {
  switch (answer.kind) {
    case 'result':
      return { ok: true, result: answer.result };
    case 'malformed':
      return {
        ok: false,
        code: 'malformed-protocol',
        detail: answer.detail,
        transient: false,
        noNamespace: false,
      };
    case 'broken':
      return {
        ok: false,
        code: answer.code,
        detail: answer.detail,
        transient: answer.transient,
        noNamespace: false,
      };
    case 'refused': {
      const { status, headers, error } = answer;
      return {
        ok: false,
        code: status === 429 ? 'rate-limited' : 'http-status',
        detail: `HTTP status ${status}${refusalHintText(status, error)}`,
        // Waiting for seconds does not help against a daily limit.
        transient: (status === 429 && !/\b(daily|monthly)\b/i.test(error)) || status >= 500,
        noNamespace: status < 500 && /namespace\b.*(does not exist|not found)/i.test(error),
        headers,
      };
    }
  }
}

/** Explains a refusal. The index's own words are not repeated, because anybody's index may say anything. */
function refusalHintText(status: number, error: string): string {
  if (status === 401) return ': the index does not accept the token';
  if (status === 403) return ': the token does not allow this';
  if (status >= 429) return '';
  if (/dimension/i.test(error)) return ': the vectors have another dimension than the index';
  if (/embedding/i.test(error)) return ': the index has no embedding model';
  return '';
}
