import { serverNameOfToolName, type Tool } from '#core/catalog/tool.ts';
import type { DisturbedAnswer } from '#core/traces/disturbances/disturbance.ts';
import { changeOfAnswer, passageOfCall, type DisturbanceState } from '#core/traces/disturbances/disturbed-calls.ts';
import type { DrawnDisturbance } from '#core/traces/disturbances/drawn-disturbance.ts';
import { factsBesideOutcome } from '#core/traces/step-outcome.ts';
import { convertReplyToOutcome } from './results.ts';
import {
  makeOutcomeOnlyCall,
  makeServerFault,
  type Forwarded,
  type ForwardOptions,
  type ServerConnections,
} from './server-connections.ts';

/** Where the state of a disturbance is kept; reading and writing happen at once. */
export interface StateOfDisturbance {
  read(): DisturbanceState;
  write(state: DisturbanceState): void;
}

/**
 * Forwards calls as a disturbance lets them pass, and changes what comes back. It wraps what records and replays, so that
 * recordings hold what servers said, and a replay can be disturbed.
 */
export function makeDisturbedConnections(
  connections: ServerConnections,
  drawn: DrawnDisturbance,
  {
    state,
    tools,
  }: { readonly state: StateOfDisturbance; readonly tools: readonly Pick<Tool, 'name' | 'outputSchema'>[] },
): ServerConnections {
  const outputSchemas = new Map(tools.map((tool) => [tool.name, tool.outputSchema]));
  const toForwarded = async (tool: string, answer: DisturbedAnswer): Promise<Forwarded> => {
    const server = serverNameOfToolName(tool);
    if (answer.kind === 'fault') return makeServerFault(server, answer.fault);
    const outcome = await convertReplyToOutcome(answer, outputSchemas.get(tool));
    if (outcome === undefined) throw new Error(`${drawn.kind.key} made no result of a tool`);
    return { kind: 'answered', answer, outcome };
  };
  const forward: ServerConnections['forward'] = async (tool, args, options) => {
    const call = { tool, arguments: connections.redactArguments(tool, args) };
    const { state: next, passage } = passageOfCall(drawn, state.read(), call);
    state.write(next);
    if (passage.kind === 'answer') {
      const forwarded = await toForwarded(tool, passage.answer);
      return passage.isDisturbed ? { ...forwarded, disturbed: true } : forwarded;
    }
    const { kind, draw } = drawn;
    const sent = passage.isTranslated ? kind.translate?.({ tool, arguments: args }, draw) : undefined;
    const forwarded = await connections.forward(tool, sent ?? args, options);
    if (forwarded.kind === 'fault') return forwarded;
    const { answer, queuedMs, outcome } = forwarded;
    const { changed, state: after } = changeOfAnswer(drawn, state.read(), {
      call,
      answer,
      text: outcome.text,
      mayMeet: passage.mayMeet,
    });
    const made = changed === null ? null : await toForwarded(tool, changed.answer);
    // A client would see that it violates the tool's output schema, and a call made meanwhile may have met the disturbance.
    if (changed === null || made === null || isNewError(forwarded, made) || state.read().met !== null) return forwarded;
    state.write({ ...state.read(), met: after.met, kept: after.kept });
    const heldMs = await holdBack(changed.delayMs ?? 0, options);
    return {
      ...(heldMs < options.timeoutMs ? made : makeServerFault(serverNameOfToolName(tool), tooSlow)),
      ...(queuedMs === undefined ? {} : { queuedMs }),
      ...factsBesideOutcome(forwarded),
      disturbed: true,
    };
  };
  const { redactArguments } = connections;
  return { forward, call: makeOutcomeOnlyCall(forward), redactArguments, close: () => connections.close() };
}

const tooSlow = { code: 'timeout', detail: 'no answer within the time of a call' } as const;

/** Returns whether an answer that its server gave as a success became an error of its form. */
const isNewError = (before: Forwarded, after: Forwarded): boolean =>
  before.kind === 'answered' &&
  before.outcome.kind === 'success' &&
  after.kind === 'answered' &&
  after.outcome.cause === 'environment';

/** Waits, at most as long as the call may take, and until its caller gives it up; returns how long at most. */
async function holdBack(delayMs: number, { timeoutMs, signal }: ForwardOptions): Promise<number> {
  const ms = Math.min(delayMs, timeoutMs);
  if (ms === 0 || signal?.aborted === true) return ms;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return ms;
}
