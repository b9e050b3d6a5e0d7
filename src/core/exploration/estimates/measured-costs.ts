import type { TokenCounts } from './cost-estimate.ts';

interface Measured {
  /** The day of the measurement. */
  readonly on: string;
  /** By role, under the mounting that explorations have by default. */
  readonly unit: Readonly<Record<'writer' | 'critic' | 'agent', TokenCounts>>;
  readonly attempt: {
    readonly turns: number;
    /** What each turn sends besides the tools, and what all turns write. */
    readonly conversationTokens: number;
    readonly completionTokens: number;
  };
}

/**
 * What counts where no run of the workspace shows it (docs/measurements.md#what-units-and-attempts-take): means on the 16
 * servers that come with Sextant, with rules in place of models. Rules waste no turn and do not think aloud, so models
 * take rather more. What judging takes, each protocol says.
 */
export const measured: Measured = {
  on: '2026-11-23',
  unit: {
    writer: { promptTokens: 13_590, completionTokens: 509 },
    critic: { promptTokens: 5_336, completionTokens: 55 },
    agent: { promptTokens: 40_676, completionTokens: 613 },
  },
  attempt: { turns: 4.5, conversationTokens: 720, completionTokens: 307 },
};

/** Returns what an attempt takes whose turns see tools of so many schema tokens. */
export const estimateTokensOfAttempt = (schemaTokens: number, turnLimit: number): TokenCounts => {
  const { turns, conversationTokens, completionTokens } = measured.attempt;
  return { promptTokens: Math.min(turns, turnLimit) * (schemaTokens + conversationTokens), completionTokens };
};
