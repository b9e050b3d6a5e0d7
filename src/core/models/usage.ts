import { z } from 'zod';
import type { ModelCall } from '#core/ports.ts';

export const usage = z.object({
  calls: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  costUsd: z.number(),
});
export type Usage = z.infer<typeof usage>;

export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

/** Adds up the usage of model calls. */
export const sumUsageOfCalls = (
  calls: readonly Pick<ModelCall, 'promptTokens' | 'completionTokens' | 'costUsd'>[],
): Usage =>
  calls
    .map(({ promptTokens, completionTokens, costUsd }): Usage => ({
      calls: 1,
      promptTokens,
      completionTokens,
      costUsd,
    }))
    .reduce(addUsage, noUsage);

export const addUsage = (a: Usage, b: Usage): Usage => ({
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  costUsd: a.costUsd + b.costUsd,
});

/** Returns the usage between two moments. */
export const subtractUsage = (later: Usage, earlier: Usage): Usage => ({
  calls: later.calls - earlier.calls,
  promptTokens: later.promptTokens - earlier.promptTokens,
  completionTokens: later.completionTokens - earlier.completionTokens,
  costUsd: later.costUsd - earlier.costUsd,
});
