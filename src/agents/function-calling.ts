import type { Tool } from '#core/catalog/tool.ts';
import type {
  ChatMessage,
  ChatModel,
  InfrastructureFault,
  ModelCall,
  RenderedPrompt,
  ToolCallRequest,
  ToolConnections,
} from '#core/ports.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { functionNames } from './function-names.ts';
import { failureStep, parseArguments, stepOf, textForModel } from './steps.ts';

/** An agent's own limits: running into one is its result, not a fault. */
export interface AgentLimits {
  readonly turns: number;
  /** Prompt and completion tokens of all turns together. */
  readonly tokens: number;
  readonly timeMs: number;
  /** Whether the model may issue several calls in a turn. */
  readonly parallelCalls: boolean;
  /** Calls of one turn that are carried out; the model is told that the others were not. */
  readonly callsPerTurn: number;
  /** Longest wait for one tool. */
  readonly callTimeoutMs: number;
}

export const defaultLimits: AgentLimits = {
  turns: 20,
  tokens: 200_000,
  timeMs: 180_000,
  parallelCalls: true,
  callsPerTurn: 16,
  callTimeoutMs: 30_000,
};

export interface AttemptInput {
  /** The prompt that opens the conversation, with the request in it. */
  readonly prompt: RenderedPrompt;
  /** The mounted tools. */
  readonly tools: readonly Tool[];
  readonly model: ChatModel;
  readonly connections: ToolConnections;
  readonly limits: AgentLimits;
  readonly seed: number;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

export interface AttemptResult {
  readonly trace: Trace;
  readonly calls: readonly ModelCall[];
  /** What broke on the way, if that ended the attempt; the trace holds what was done until then. */
  readonly fault: InfrastructureFault | null;
}

/**
 * Lets a model work on a request with native function calling until it answers, refuses, or runs into a limit. The calls
 * of one turn are carried out one after the other, in the order of issue: their effects on a server, and so the trace, do
 * not depend on which of them is faster. Closes no connections.
 */
export async function runAttempt(input: AttemptInput): Promise<AttemptResult> {
  const { limits, model, now, prompt, seed } = input;
  const start = now();
  const names = functionNames(input.tools.map(({ name }) => name));
  const toolsByFunction = new Map([...names].map(([tool, name]) => [name, tool]));
  const functions = input.tools.map(({ name, description, inputSchema }) => ({
    name: names.get(name) ?? name,
    description: description ?? '',
    parameters: inputSchema,
  }));
  const messages: ChatMessage[] = [...prompt.messages];
  const calls: ModelCall[] = [];
  const steps: Step[] = [];
  const left = (): number => limits.timeMs - (now() - start);
  const ended = (end: Trace['end'], finalText = '', fault: InfrastructureFault | null = null): AttemptResult => ({
    trace: {
      steps,
      finalText,
      end,
      fault,
      turns: calls.length,
      ...usageOf(calls),
      durationMs: Math.max(0, now() - start),
    },
    calls,
    fault,
  });

  for (let turn = 1; ; turn += 1) {
    if (turn > limits.turns) return ended('turn-limit');
    if (tokensOf(calls) >= limits.tokens) return ended('token-limit');
    if (left() <= 0) return ended('time-limit');
    const { parallelCalls } = limits;
    const request = {
      role: 'agent' as const,
      prompt: prompt.id,
      messages: [...messages],
      functions,
      parallelCalls,
      seed,
    };
    const answer = await model.turn({ ...request, timeoutMs: left() });
    if (!answer.ok) return left() <= 0 ? ended('time-limit') : ended('fault', '', answer.fault);
    calls.push(answer.call);
    if (answer.finish === 'refused') return ended('refused', answer.content);
    if (answer.finish === 'length') return ended('token-limit', answer.content);
    if (answer.toolCalls.length === 0) return ended('answered', answer.content);
    messages.push({ role: 'assistant', content: answer.content, toolCalls: answer.toolCalls });
    for (const [place, call] of answer.toolCalls.entries()) {
      if (place >= limits.callsPerTurn) {
        messages.push({ role: 'tool', toolCallId: call.id, content: 'Not carried out: too many calls in one turn.' });
        continue;
      }
      const timeLeft = left();
      if (timeLeft <= 0) return ended('time-limit');
      const timeoutMs = Math.min(limits.callTimeoutMs, timeLeft);
      const step = await carryOut(call, { turn, toolsByFunction, connections: input.connections, timeoutMs, now });
      steps.push(step.step);
      if (step.step.fault !== null) return left() <= 0 ? ended('time-limit') : ended('fault', '', step.step.fault);
      messages.push({ role: 'tool', toolCallId: call.id, content: step.reply });
    }
  }
}

async function carryOut(
  call: ToolCallRequest,
  context: {
    readonly turn: number;
    readonly toolsByFunction: ReadonlyMap<string, string>;
    readonly connections: ToolConnections;
    readonly timeoutMs: number;
    readonly now: () => number;
  },
): Promise<{ readonly step: Step; readonly reply: string }> {
  const { turn, now } = context;
  const tool = context.toolsByFunction.get(call.name);
  const args = parseArguments(call.argumentsText);
  if (tool === undefined) {
    const reply = `There is no function called ${JSON.stringify(call.name.slice(0, 300))}.`;
    return { step: failureStep({ tool: call.name, arguments: args, text: reply, turn }), reply };
  }
  if (args === null) {
    const reply = 'The arguments are not a JSON object: the function was not called.';
    return { step: failureStep({ tool, arguments: null, text: reply, turn }), reply };
  }
  const begun = now();
  const outcome = await context.connections.call(tool, args, context.timeoutMs);
  const latencyMs = Math.max(0, now() - begun);
  return { step: stepOf({ tool, arguments: args, outcome, latencyMs, turn }), reply: textForModel(outcome) };
}

const tokensOf = (calls: readonly ModelCall[]): number =>
  calls.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);

const usageOf = (calls: readonly ModelCall[]): Pick<Trace, 'promptTokens' | 'completionTokens' | 'costUsd'> => ({
  promptTokens: calls.reduce((sum, call) => sum + call.promptTokens, 0),
  completionTokens: calls.reduce((sum, call) => sum + call.completionTokens, 0),
  costUsd: calls.reduce((sum, call) => sum + call.costUsd, 0),
});
