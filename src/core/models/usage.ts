import { z } from 'zod';
import type { ModelCall } from '#core/models/model-call.ts';

/** The parts of the tokens that have names of their own; absent where there are none. */
const tokenParts = z.enum(['cachedTokens', 'cacheWriteTokens', 'reasoningTokens']).options;

export const usage = z.object({
  calls: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  /** The part of the prompts that endpoints read from their caches; absent if none, as in records of earlier releases. */
  cachedTokens: z.int().optional(),
  /** The part of the prompts that endpoints wrote to their caches. */
  cacheWriteTokens: z.int().optional(),
  /** The part of the completions that models thought with. */
  reasoningTokens: z.int().optional(),
  costUsd: z.number(),
  /** In what requests differed from what was to be sent, because endpoints refused it, such as `seed: none` or `without files__read`. */
  adaptations: z.array(z.string()).optional(),
});
export type Usage = z.infer<typeof usage>;

export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

type PaidCall = Pick<
  ModelCall,
  'promptTokens' | 'completionTokens' | 'costUsd' | (typeof tokenParts)[number] | 'adaptations' | 'leftOut'
>;

/** Adds up the usage of model calls. */
export const sumUsageOfCalls = (calls: readonly PaidCall[]): Usage =>
  calls
    .map(({ promptTokens, completionTokens, costUsd, adaptations = [], leftOut = [], ...call }): Usage => ({
      calls: 1,
      promptTokens,
      completionTokens,
      costUsd,
      ...buildPositiveTokenParts((part) => call[part] ?? 0),
      ...adaptationsPropertyWithoutRepeats([...adaptations, ...leftOut.map(({ name }) => `without ${name}`)]),
    }))
    .reduce(addUsage, noUsage);

export const addUsage = (a: Usage, b: Usage): Usage => ({
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  costUsd: a.costUsd + b.costUsd,
  ...buildPositiveTokenParts((part) => (a[part] ?? 0) + (b[part] ?? 0)),
  ...adaptationsPropertyWithoutRepeats([...(a.adaptations ?? []), ...(b.adaptations ?? [])]),
});

/** Returns prompt and completion tokens together, by which budgets count. */
export const sumPromptAndCompletionTokens = ({
  promptTokens,
  completionTokens,
}: Pick<Usage, 'promptTokens' | 'completionTokens'>): number => promptTokens + completionTokens;

/** Returns the usage between two moments. What requests were adapted to by then, they were adapted to. */
export const subtractUsage = (later: Usage, earlier: Usage): Usage => ({
  calls: later.calls - earlier.calls,
  promptTokens: later.promptTokens - earlier.promptTokens,
  completionTokens: later.completionTokens - earlier.completionTokens,
  costUsd: later.costUsd - earlier.costUsd,
  ...buildPositiveTokenParts((part) => (later[part] ?? 0) - (earlier[part] ?? 0)),
  ...adaptationsPropertyWithoutRepeats(later.adaptations ?? []),
});

const buildPositiveTokenParts = (count: (part: (typeof tokenParts)[number]) => number) =>
  Object.fromEntries(tokenParts.map((part) => [part, count(part)] as const).filter(([, tokens]) => tokens > 0));

const mostAdaptations = 40;

/** Returns different adaptations in a fixed order, whatever the order of the calls. */
export function adaptationsPropertyWithoutRepeats(all: readonly string[]): Pick<Usage, 'adaptations'> {
  const different = [...new Set(all)].toSorted().slice(0, mostAdaptations);
  return different.length === 0 ? {} : { adaptations: different };
}
