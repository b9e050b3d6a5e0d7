import type { Tool } from '#core/catalog/tool.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type {
  ChatMessage,
  ChatModel,
  ChatTurn,
  FindTools,
  FunctionDefinition,
  RenderedPrompt,
  RouteQuery,
  RunProgram,
  ToolConnections,
} from '#core/ports.ts';
import type { RankedTool } from '#core/similarity/retrieval/rank-tools.ts';
import type { Step } from '#core/traces/trace.ts';
import { AttemptLog, sumTokensOfCalls, type LoopResult } from './attempt-log.ts';
import {
  getAttemptEndingFaultOrNull,
  makeAbandonedCallStep,
  makeUnsentStep,
  makeSentStep,
  outcomeTextForModel,
  type Arguments,
} from './steps.ts';

export interface AttemptInput {
  /** The prompt that opens the conversation, including the request. */
  readonly prompt: RenderedPrompt;
  /** The mounted tools. */
  readonly tools: readonly Tool[];
  readonly model: ChatModel;
  readonly connections: ToolConnections;
  /** Searches the mounted tools; only loops that search for them need it. */
  readonly findTools?: FindTools | undefined;
  /** The tools that a model has from the start although it searches; only the loop `tool-search` has any. */
  readonly shown?: readonly string[] | undefined;
  /** Runs programs; only the loop `code` needs it. */
  readonly runProgram?: RunProgram | undefined;
  /** The agent's own limits: reaching one is its result, not a fault. */
  readonly limits: AgentLimits;
  readonly seed: number;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

/** A call as a model wrote it. */
export type CallToMake = {
  /** `server/tool`, or the name as the model wrote it if there is no such tool. */
  readonly tool: string;
} & (
  | { readonly arguments: Arguments; readonly problem: null }
  /** A call that cannot be made. Its arguments are null if the model did not write a JSON object. */
  | { readonly arguments: Arguments | null; readonly problem: Problem }
);

/** A call that a model issued. */
export type IssuedCall = CallToMake & {
  /** Builds the message that tells the model the outcome. */
  readonly makeReplyMessage: (text: string) => ChatMessage;
};
/** A search for tools that a model issued. */
export interface IssuedRoute {
  readonly kind: 'route';
  readonly query: RouteQuery;
  readonly makeReplyMessage: IssuedCall['makeReplyMessage'];
  /** Null if the query is unusable, which `problem` explains to the model. */
  readonly find: FindTools | null;
  readonly problem: string;
  /** Takes the tools that were found, and returns what the model is told about them. */
  readonly takeFound: (found: readonly RankedTool[]) => string;
}

/** What a model issued that carries itself out, and logs what it did. */
export interface IssuedWork {
  readonly kind: 'work';
  carryOut(log: AttemptLog, context: CallContext): Promise<Reply>;
  readonly makeReplyMessage: IssuedCall['makeReplyMessage'];
}

interface Problem {
  /** A text for the model. */
  readonly text: string;
  /** The protocol's code for it, if there is one. */
  readonly code?: number;
}

/** The meaning of a model's turn. */
export type Move =
  | { readonly kind: 'answer'; readonly text: string }
  | {
      readonly kind: 'calls';
      readonly said: ChatMessage;
      readonly calls: readonly (IssuedCall | IssuedRoute | IssuedWork)[];
    }
  /** A turn of the wrong form: one call that cannot be made. */
  | { readonly kind: 'malformed'; readonly said: ChatMessage; readonly calls: readonly [IssuedCall] };

/** How a model issues calls. */
export interface Calling {
  /** The functions of the next turn. */
  listFunctions(): readonly FunctionDefinition[];
  /** The tools that functions stand for, by the functions' names; absent if they stand for none. */
  readonly toolsByFunction?: ReadonlyMap<string, string>;
  readonly parallelCalls: boolean;
  readMove(answer: Extract<ChatTurn, { ok: true }>): Move;
  /** The final text of a turn that reached the limit of completion tokens. */
  unfinishedText(content: string): string;
}

/** Consecutive turns of the wrong form after which the attempt ends. */
export const malformedTurns = 3;

/** What a model is told about a call beyond its limits. */
export const tooManyCalls = 'Not carried out: too many calls in one turn.';

/**
 * Lets a model work on a request until it answers, refuses, or reaches a limit. Repeated turns of the wrong form, or a
 * full trace, end it as if the turns were used up. The calls of one turn are carried out sequentially in order of
 * issue, so their effects on a server, and the trace, do not depend on their speed. Does not close connections.
 */
export async function runAgentLoop(calling: Calling, input: AttemptInput): Promise<LoopResult> {
  const { connections, limits, model, now, prompt, seed } = input;
  const asked = { prompt: prompt.id, parallelCalls: calling.parallelCalls, seed } as const;
  const log = new AttemptLog(limits, now, calling.toolsByFunction);
  const messages: ChatMessage[] = [...prompt.messages];
  let malformed = 0;

  for (let turn = 1; ; turn += 1) {
    if (turn > limits.turns || malformed >= malformedTurns || log.isFull) return log.makeResult('turn-limit');
    const reached = log.findReachedLimit();
    if (reached !== null) return log.makeResult(reached);
    const functions = calling.listFunctions();
    const answer = await log.askModelForTurn(model, { ...asked, functions, messages: [...messages] });
    if (!answer.ok) return log.makeResultOfFaultOrTimeLimit(answer.fault);
    if (answer.finish === 'refused') return log.makeResult('refused', answer.content);
    if (answer.finish === 'length') return log.makeResult('token-limit', calling.unfinishedText(answer.content));
    const move = calling.readMove(answer);
    if (move.kind === 'answer') return log.makeResult('answered', move.text);
    malformed = move.kind === 'malformed' ? malformed + 1 : 0;
    messages.push(move.said);
    const turnTokens = sumTokensOfCalls([answer.call]);
    for (const [index, call] of move.calls.entries()) {
      if (index >= limits.callsPerTurn || log.isFull) {
        messages.push(call.makeReplyMessage(tooManyCalls));
        continue;
      }
      const timeLeft = log.leftMs;
      if (timeLeft <= 0) return log.makeResult('time-limit');
      const context = { turn, turnTokens, connections, limits, timeLeft, now };
      const { reply, ending } = await carryOutAndLog(call, log, context);
      if (ending !== null) return log.makeResultOfFaultOrTimeLimit(ending);
      messages.push(call.makeReplyMessage(reply));
    }
  }
}

function carryOutAndLog(
  issued: IssuedCall | IssuedRoute | IssuedWork,
  log: AttemptLog,
  context: CallContext,
): Promise<Reply> {
  if (!('kind' in issued)) return forwardOrRefuseAndLogCall(issued, log, context);
  return issued.kind === 'route' ? searchToolsAndLogRoute(issued, log, context) : issued.carryOut(log, context);
}

/** A call that was carried out, or could not be made. */
export interface CarriedOutCall {
  readonly step: Step;
  /** What the model is told. */
  readonly reply: string;
  /** The whole text that came back from the tool; empty if none did. */
  readonly wholeText: string;
  /** What the tool's output schema is of, as JSON; null if it has none, or nothing came back. */
  readonly json: string | null;
  readonly queued: number;
  /** The fault that ends the attempt, if there is one. */
  readonly ending: InfrastructureFault | null;
}

export interface CallContext {
  readonly turn: number;
  readonly turnTokens: number;
  readonly connections: ToolConnections;
  /** What is left of the attempt's time. */
  readonly timeLeft: number;
  readonly limits: Pick<AgentLimits, 'callTimeoutMs'>;
  readonly now: () => number;
}

/** Sends a call to its server, unless it cannot be made, and returns what became of it. */
export async function forwardOrRefuseCall(call: CallToMake, context: CallContext): Promise<CarriedOutCall> {
  const { turn, turnTokens, now } = context;
  const { tool } = call;
  if (call.problem !== null) {
    const step = makeUnsentStep({ tool, arguments: call.arguments, ...call.problem, turn, turnTokens });
    return { step, reply: call.problem.text, wholeText: '', json: null, queued: 0, ending: null };
  }
  const begun = now();
  const { timeLeft, limits } = context;
  const outcome = await context.connections.call(tool, call.arguments, Math.min(limits.callTimeoutMs, timeLeft));
  const queued = outcome.queuedMs ?? 0;
  const latencyMs = Math.max(0, now() - begun - queued);
  const made = { tool, arguments: call.arguments, latencyMs, turn, turnTokens };
  // The server had less time than a call may take, so it is not to blame.
  if (timeLeft < limits.callTimeoutMs && outcome.kind === 'fault' && outcome.fault.code === 'timeout') {
    const text = "The attempt's time was over before an answer came.";
    const step = makeAbandonedCallStep({ ...made, text });
    return { step, reply: text, wholeText: '', json: null, queued, ending: null };
  }
  return {
    step: makeSentStep({ ...made, outcome }),
    reply: outcomeTextForModel(outcome),
    wholeText: outcome.kind === 'fault' ? '' : outcome.text,
    json: outcome.kind === 'success' ? (outcome.structured ?? null) : null,
    queued,
    ending: getAttemptEndingFaultOrNull(outcome),
  };
}

/** What the model is told, or the fault that ends the attempt. */
export type Reply = Pick<CarriedOutCall, 'reply' | 'ending'>;

async function forwardOrRefuseAndLogCall(call: IssuedCall, log: AttemptLog, context: CallContext): Promise<Reply> {
  const { step, reply, queued, ending } = await forwardOrRefuseCall(call, context);
  log.excludeQueuedMs(queued);
  log.addStep(step);
  return { reply, ending };
}

/**
 * Searches within the time of a call. The embedder is a part of the agent, as its model is: where it breaks or takes longer,
 * nothing is known about the agent. A search that the end of the attempt's time broke off is the agent's own result.
 */
async function searchToolsAndLogRoute(
  { query, find, problem, takeFound }: IssuedRoute,
  log: AttemptLog,
  { turn, now, timeLeft, limits }: CallContext,
): Promise<Reply> {
  const made = { query: query.tool, ...(query.server === null ? {} : { server: query.server }), turn };
  if (find === null) {
    log.addRoute({ ...made, tools: [], problem, latencyMs: 0 });
    return { reply: problem, ending: null };
  }
  const begun = now();
  const found = await find(query, Math.min(limits.callTimeoutMs, timeLeft));
  const queued = found.queuedMs ?? 0;
  log.excludeQueuedMs(queued);
  for (const call of found.calls) log.addModelCall(call);
  const latencyMs = Math.max(0, now() - begun - queued);
  if (!found.ok) {
    if (timeLeft >= limits.callTimeoutMs || found.fault.code !== 'timeout') return { reply: '', ending: found.fault };
    const text = "The attempt's time was over before the search ended.";
    log.addRoute({ ...made, tools: [], problem: text, latencyMs });
    return { reply: text, ending: null };
  }
  const tools = found.tools.map(({ name, fit }) => ({ name, fit }));
  log.addRoute({ ...made, tools, latencyMs });
  return { reply: takeFound(found.tools), ending: null };
}
