import { z } from 'zod';
import { effectOfCall, type CalledTool } from '#core/catalog/effect-of-call.ts';
import { toolEffect, type OwnersEffects } from '#core/catalog/effect.ts';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import type { FaultCode } from '#core/models/faults.ts';
import type { Step, Trace } from './trace.ts';

/** A call of a run that may have changed its server's state. Its arguments are in its attempt's trace. */
export const writingCall = z.object({
  /** The case of an evaluation, or the unit of an exploration. */
  of: z.string(),
  /** Which request of it. */
  request: z.string(),
  /** The turn of the model that issued it. */
  turn: z.int(),
  tool: z.string(),
  effect: toolEffect.exclude(['reads']),
  /** As in a trace: a `failure` may have changed something before it failed. */
  outcome: z.enum(['success', 'failure', 'fault']),
  /** When its attempt began, ISO 8601; null if it is not known. */
  attemptStartedAt: z.string().nullable(),
});
export type WritingCall = z.infer<typeof writingCall>;

/** A call and its place among all of its run, from 1. */
export const numberedWrite = writingCall.extend({ n: z.int() });
export type NumberedWrite = z.infer<typeof numberedWrite>;

/** Faults of calls that never reached their server. */
const unsent: ReadonlySet<FaultCode> = new Set([
  'not-allowed',
  'not-connected',
  'not-isolated',
  'not-proven',
  'unreachable',
  'rate-limited',
  'address-forbidden',
  'replay-miss',
]);

/** Returns whether a call reached its server: it was answered, or nobody knows. */
const mayHaveReachedServer = ({ sha256, fault }: Pick<Step, 'sha256' | 'fault'>): boolean =>
  sha256 !== null || (fault !== null && fault.where === 'server' && !unsent.has(fault.code));

/** Returns a trace whose calls that may have changed a server's state say what their tools do. */
export function traceWithWritingCallsMarked(
  trace: Trace,
  tools: readonly CalledTool[],
  servers: readonly { readonly name: string; readonly effects: OwnersEffects }[],
): Trace {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const owners = new Map(servers.map(({ name, effects }) => [name, effects]));
  const mark = (step: Step): Step => {
    const tool = byName.get(step.tool);
    if (tool === undefined || !mayHaveReachedServer(step)) return step;
    const effect = effectOfCall(tool, owners.get(serverNameOfToolName(step.tool)) ?? {});
    return effect === 'reads' ? step : { ...step, effect };
  };
  return { ...trace, steps: trace.steps.map(mark) };
}

/** Returns the calls of an attempt that may have changed something. */
export const listWritingCalls = (
  { steps, startedAt }: Pick<Trace, 'steps' | 'startedAt'>,
  place: Pick<WritingCall, 'of' | 'request'>,
): WritingCall[] =>
  steps.flatMap(({ tool, turn, effect, outcome }) =>
    effect === undefined ? [] : [{ ...place, turn, tool, effect, outcome, attemptStartedAt: startedAt ?? null }],
  );
