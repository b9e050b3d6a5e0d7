import type { AttemptResult } from '#core/evaluation/case.ts';
import type { AgentConfiguration } from '#core/evaluation/config.ts';
import type { Trace } from '#core/traces/trace.ts';
import { costOfSpentTokens } from './trace-cost.ts';
import type { TraceLine } from './trace-file.ts';

/**
 * Converts an attempt in a file to an evaluation's result. Its cost is computed from its tokens and the prices in the
 * file's configuration.
 */
export function makeImportedAttempt(
  { side, trace, spent: { relaunched, ...tokens } }: Pick<TraceLine, 'side' | 'spent'> & { readonly trace: Trace },
  configuration: AgentConfiguration,
): AttemptResult {
  // A file may not say what became of the checks: nobody here has seen them.
  const { checks: _claimed, ...seenTrace } = trace;
  const seen = tokens.promptTokens + tokens.completionTokens > 0;
  return {
    kind: 'attempt',
    side,
    trace: { ...seenTrace, costUsd: costOfSpentTokens(trace, trace, configuration) },
    fault: trace.fault,
    calls: seen ? [{ ...tokens, costUsd: costOfSpentTokens(trace, tokens, configuration) }] : [],
    elsewhere: { relaunched },
  };
}
