import { z } from 'zod';
import { faultCode } from '#core/models/faults.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { mostTokens } from '#core/models/prices.ts';
import { gatewayWire } from './wire.ts';

/** Model requests that an attempt may make: a trace keeps each. */
export const mostModelRequests = 500;
/** Model requests of an attempt that may be under way at once. */
export const mostOpenModelRequests = 6;
/** Bytes of one model request. */
export const modelRequestBytes = 4 * 1024 * 1024;
/** Calls that a trace keeps of one answer. */
const mostCallsKept = 64;
const callNameChars = 128;

const tokens = z.int().min(0).max(mostTokens);

/** One request of an external agent to its model, as the model gateway saw it. Its texts are not kept. */
export const modelRequest = z.object({
  model: z.string().max(200),
  wire: gatewayWire,
  /** The endpoint's HTTP status; null if it gave none. */
  status: z.int().nullable(),
  /** What broke on the way to the endpoint, or why it refused; absent if nothing did. */
  fault: faultCode.optional(),
  /** Set if the answer did not pass to its end, because the agent left it or the attempt ended. */
  cut: z.literal(true).optional(),
  promptTokens: tokens,
  completionTokens: tokens,
  /** Parts of the prompt: read from the endpoint's cache, written there; part of the completion: thought. Absent if none or untold. */
  cachedTokens: tokens.optional(),
  cacheWriteTokens: tokens.optional(),
  reasoningTokens: tokens.optional(),
  /** Set if the endpoint did not count the tokens, so that they are estimated. */
  estimated: z.literal(true).optional(),
  /** US dollars by the configured prices; 0 without a price. */
  costUsd: z.number().min(0),
  /** From the sending to the end of the answer. */
  latencyMs: z.number().min(0),
  /** The names of the functions whose call the answer asked for, in their order. */
  calls: z.array(z.string().max(callNameChars)).max(mostCallsKept),
});
export type ModelRequest = z.infer<typeof modelRequest>;

/** Tools of its own that are kept of an agent. */
const mostOwnTools = 50;

/** How often an agent called tools of its own, by name. */
export const ownToolCalls = z
  .record(z.string().max(callNameChars), z.int().min(1))
  .refine((counts) => Object.keys(counts).length <= mostOwnTools, `at most ${mostOwnTools} tools`)
  .optional();

/** Returns the names of called functions as a trace keeps them: bounded, and nothing that is no name. */
export const callNamesToKeep = (names: readonly string[]): string[] =>
  names.slice(0, mostCallsKept).map((name) => (/^[\w.:/-]{1,128}$/.test(name) ? name : 'unnamed'));

export const isAnswered = ({ status, fault }: Pick<ModelRequest, 'status' | 'fault'>): boolean =>
  status !== null && status < 400 && fault === undefined;

/** Returns a recorded request as a call of the agent's model, by which usage is summed up. */
export const modelCallOfRequest = ({ model, latencyMs, costUsd, ...request }: ModelRequest): ModelCall => {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = request;
  return {
    role: 'agent',
    model,
    prompt: 'none',
    promptTokens,
    completionTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    costUsd,
    latencyMs,
    retries: 0,
  };
};

/**
 * Returns how often an agent called tools of its own, such as a shell, by name: what its model asked for, without the mounted tools.
 * `shown` are the names by which the gateway lists these; a client may put a prefix before them, and an underscore for what is no letter
 * or digit.
 */
export function countOwnToolCalls(
  requests: readonly Pick<ModelRequest, 'calls'>[],
  shown: Iterable<string>,
): Readonly<Record<string, number>> {
  const spell = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '_');
  const names = Array.from(shown, spell);
  const isShown = (called: string): boolean => names.some((name) => `_${spell(called)}`.endsWith(`_${name}`));
  const counts = new Map<string, number>();
  for (const called of requests.flatMap(({ calls }) => calls))
    if (!isShown(called)) counts.set(called, (counts.get(called) ?? 0) + 1);
  const mostCalled = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostOwnTools);
  return Object.fromEntries(mostCalled.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
