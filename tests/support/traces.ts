import type { Step, Trace } from '#core/traces/trace.ts';

/** A successful call without arguments in the first turn, or one with other fields. */
export const makeStep = (tool: string, more: Partial<Step> = {}): Step => ({
  tool,
  arguments: {},
  outcome: 'success',
  text: 'found',
  truncated: false,
  sha256: null,
  fault: null,
  failure: null,
  turn: 1,
  turnTokens: 12,
  latencyMs: 1,
  ...more,
});

/** The trace of an agent that made these calls and answered, or one with other fields. */
export const makeTrace = (steps: readonly Step[], more: Partial<Trace> = {}): Trace => ({
  steps: [...steps],
  finalText: 'done',
  end: 'answered',
  fault: null,
  turns: 1,
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  durationMs: 1,
  ...more,
});
