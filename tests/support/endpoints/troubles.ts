import { z } from 'zod';
import type { Answer, Failure, Profile, Refused } from './profile.ts';
import { refused } from './rules.ts';

/** What real endpoints do to runs, each alone, at an endpoint that does everything else well. */
export interface Trouble {
  readonly name: string;
  readonly change: Pick<Profile, 'fail' | 'adorn'>;
  /** Whether it lasts until the user corrects something, such as a key. */
  readonly lasts?: boolean;
}

/** The first requests are the test questions of a run's creation, and its first unit. */
const early = 12;

const between = (from: number, to: number, failure: Failure): Trouble['change'] => ({
  fail: (place) => (place >= from && place < to ? failure : null),
});

/** One request in five. The request that repeats it is another one. */
const oneInFive = (failure: Failure): Trouble['change'] => ({
  fail: (place) => (place >= early && place % 5 === 0 ? failure : null),
});

const refusal = (said: Refused, headers: Readonly<Record<string, string>> = {}): Failure => ({
  kind: 'refusal',
  refused: said,
  headers,
});

const ending = (finish_reason: string, delta: unknown): Failure => ({
  kind: 'event',
  event: { id: 'c', choices: [{ index: 0, delta, finish_reason }], usage: { prompt_tokens: 70, completion_tokens: 5 } },
});

const inCalls = (change: (call: Answer['calls'][number]) => Partial<Answer['calls'][number]>): Trouble['change'] => ({
  adorn: (answer) => ({ ...answer, calls: answer.calls.map((call) => ({ ...call, ...change(call) })) }),
});

/** OpenRouter, "Errors": what goes wrong while the model writes comes within an answer of status 200. */
export const failureInAnswer = (usage?: Readonly<Record<string, number>>): Failure => ({
  kind: 'event',
  event: { error: { code: 502, message: 'Provider returned error' }, choices: [], usage },
});

const tooMany = refused('Rate limit reached for requests.', undefined, 'rate_limit_exceeded', 429);
const noCredit = refused('You exceeded your current quota.', undefined, 'insufficient_quota', 429);
const revoked = refused('Incorrect API key provided.', undefined, 'invalid_api_key', 401);
const gone = refused('The model does not exist or you do not have access to it.', undefined, 'model_not_found', 404);

export const troubles: readonly Trouble[] = [
  { name: '429 with `Retry-After: 90`', change: between(early, early + 1, refusal(tooMany, { 'retry-after': '90' })) },
  { name: '429 without a time, five times', change: between(early, early + 5, refusal(tooMany)) },
  { name: 'no credit in mid-run', change: between(early, Infinity, refusal(noCredit)), lasts: true },
  { name: 'a key that is revoked in mid-run', change: between(early, Infinity, refusal(revoked)), lasts: true },
  { name: 'a model that is gone', change: between(0, Infinity, refusal(gone)) },
  { name: '`error` in an answer of status 200', change: oneInFive(failureInAnswer()) },
  { name: 'an answer without choices', change: oneInFive({ kind: 'event', event: { id: 'c', choices: [] } }) },
  { name: '`finish_reason: "error"` after half a text', change: oneInFive(ending('error', { content: '{"scena' })) },
  { name: '`finish_reason: "length"`', change: oneInFive(ending('length', { content: '{"scena' })) },
  { name: 'a model that refuses', change: oneInFive(ending('stop', { refusal: 'I cannot help with that.' })) },
  { name: 'an answer that never ends', change: between(early, early + 2, { kind: 'silence' }) },
  {
    name: 'counts of tokens that are null',
    change: { adorn: (answer) => ({ ...answer, usage: { prompt_tokens: null, completion_tokens: null } }) },
  },
  {
    name: 'content in parts',
    change: { adorn: (answer) => ({ ...answer, content: [{ type: 'text', text: answer.content }] }) },
  },
  {
    name: 'arguments as an object',
    change: inCalls(({ arguments: written }) => ({
      arguments: z.record(z.string(), z.unknown()).parse(JSON.parse(z.string().parse(written))),
    })),
  },
  { name: 'arguments that are no JSON', change: inCalls(() => ({ arguments: '{"path": ' })) },
  { name: 'calls without ids', change: inCalls(() => ({ id: '' })) },
  { name: 'function names with a slash', change: inCalls(({ name }) => ({ name: name.replace('_', '/') })) },
];
