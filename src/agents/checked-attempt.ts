import type { Tool } from '#core/catalog/tool.ts';
import type { Check, CheckResult } from '#core/traces/checks/check.ts';
import {
  evaluateCheckAfterAttempt,
  decideWhetherResponseStatesValue,
  readValueThatResponseMustState,
} from '#core/traces/checks/evaluate-check.ts';
import { makeFaultIfCheckMayNotCallTool } from '#core/traces/checks/refuse-check.ts';
import type { ToolConnections, ToolOutcome } from '#core/ports.ts';
import type { Result } from '#core/values/result.ts';
import type { LoopResult } from './attempt-log.ts';

/** What checks need besides the attempt. */
interface Checking {
  readonly checks: readonly Check[];
  /** The tools of the catalog that checks may call; those that the agent sees may be fewer. */
  readonly tools: readonly Tool[];
  /** The attempt's own connections, so that checks see what it did. */
  readonly connections: ToolConnections;
  /** Time limit for one call. */
  readonly callTimeoutMs: number;
}

/**
 * Runs an attempt with its unit's checks: those that read what the response must state before it, the others after it, one after the
 * other. Their results are in its trace, their calls are not. An attempt that a fault broke is not checked.
 */
export async function runAttemptWithChecks(
  run: () => Promise<LoopResult>,
  { checks, tools, connections, callTimeoutMs }: Checking,
): Promise<LoopResult> {
  const call = async ({ tool, arguments: args }: Check): Promise<ToolOutcome> => {
    const refusal = makeFaultIfCheckMayNotCallTool(tool, tools);
    return refusal ?? connections.call(tool, args, callTimeoutMs);
  };
  const stated = new Map<Check, Result<string, string>>();
  for (const check of checks)
    if (check.when === 'before') stated.set(check, readValueThatResponseMustState(check, await call(check)));
  const result = await run();
  if (result.fault !== null) return result;
  const results: CheckResult[] = [];
  for (const check of checks) {
    if (check.when === 'after') results.push(evaluateCheckAfterAttempt(check, await call(check)));
    else {
      const value = stated.get(check);
      if (value !== undefined) results.push(decideWhetherResponseStatesValue(check, value, result.trace.finalText));
    }
  }
  return checks.length === 0 ? result : { ...result, trace: { ...result.trace, checks: results } };
}
