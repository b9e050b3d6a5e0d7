import { formatJsonInDataTags } from '#core/values/fenced-text.ts';
import type { ChatMessage, RenderedPrompt } from '#core/ports.ts';
import type { Trace } from '#core/traces/trace.ts';
import { type AttemptInput, type CallToMake, malformedTurns } from './attempt.ts';
import { AttemptLog, type LoopResult, sumTokensOfCalls } from './attempt-log.ts';
import { type ObservedCall, carryOutPlannedCalls } from './call-layer.ts';
import type { Opening } from './opening.ts';
import { listToolsForPrompt, notACall, parseError } from './prompted-calling.ts';
import { argumentChars, makeUnsentStep } from './steps.ts';
import { z } from 'zod';
import { maxJsonDepth } from '#core/values/json-depth.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';

const plannedCall = z.strictObject({
  /** `server/tool` */
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()),
});

/** The required form of a plan: the calls of one round, none of which needs the result of another, or the end. */
const planForm = z.discriminatedUnion('continue', [
  z.strictObject({ reasoning: z.string(), continue: z.literal(true), calls: z.array(plannedCall).min(1) }),
  z.strictObject({ reasoning: z.string(), continue: z.literal(false), calls: z.array(plannedCall).max(0) }),
]);

/** The meaning of what a model wrote as a plan. */
type Plan =
  | { readonly kind: 'calls'; readonly calls: readonly CallToMake[] }
  | { readonly kind: 'stop' }
  /** `text` tells the model what is wrong. */
  | { readonly kind: 'malformed'; readonly text: string };

/** Reads a plan: one JSON object of the required form and nothing else. `names` are those of the mounted tools. */
function parsePlan(content: string, names: ReadonlySet<string>): Plan {
  const json = parseJsonWithinLimits(content);
  if (!json.ok)
    return makeMalformedPlan(`it is not JSON of at most ${maxJsonDepth} levels, or a number in it is too large`);
  const plan = planForm.safeParse(json.value);
  if (!plan.success) return makeMalformedPlan('it has neither of the two forms');
  return plan.data.continue
    ? { kind: 'calls', calls: plan.data.calls.map((call) => convertPlannedCallToCallToMake(call, names)) }
    : { kind: 'stop' };
}

function convertPlannedCallToCallToMake(
  { tool, arguments: args }: z.infer<typeof plannedCall>,
  names: ReadonlySet<string>,
): CallToMake {
  if (JSON.stringify(args).length > argumentChars)
    return {
      tool,
      arguments: null,
      problem: { text: `The arguments have more than ${argumentChars} characters: the call was not made.` },
    };
  if (!names.has(tool))
    return {
      tool,
      arguments: args,
      problem: { text: `There is no tool called ${JSON.stringify(tool.slice(0, 300))}.` },
    };
  return { tool, arguments: args, problem: null };
}

const makeMalformedPlan = (wrong: string): Plan => ({
  kind: 'malformed',
  text:
    `The last message could not be used: ${wrong}. Nothing was called. A message is one JSON object and nothing else, ` +
    `{"reasoning": "<text>", "continue": true, "calls": [{"tool": "<name>", "arguments": {...}}]} with at least one call, ` +
    `or {"reasoning": "<text>", "continue": false, "calls": []}. ` +
    `After ${malformedTurns} unusable ones in a row the work ends.`,
});

export interface PlanningInput extends AttemptInput {
  readonly request: string;
  /** Fills in a prompt besides the one that opens the conversation. */
  readonly renderPrompt: (
    name: 'agent-summary' | 'agent-final',
    variables: Readonly<Record<string, unknown>>,
  ) => RenderedPrompt;
}

/** The calls of one round as the model saw them. */
interface ObservedRound {
  readonly round: number;
  readonly calls: readonly ObservedCall[];
}

/** Returns the values for the prompt `agent-planning`. */
export const planningPromptVariables = ({ request, date, tools, limits, instructions }: Opening) => ({
  request,
  date,
  tools: listToolsForPrompt(tools),
  instructions,
  limits: { rounds: limits.turns, callsPerRound: limits.parallelCalls ? limits.callsPerTurn : 1 },
});

/**
 * Runs an attempt of a model that plans and observes in rounds (MCP-Bench 2025, algorithm 1). Each turn is a plan as
 * data: the calls of a round, which are carried out at the same time, or the end. Long results are summarised. When the
 * model stops, or its turns or the trace are used up, one more question makes the answer from everything observed. A
 * malformed plan is a failed step, which the model is told; after three in a row the attempt ends without an answer, as
 * it does without tokens or time.
 */
export async function runPlanningAttempt(input: PlanningInput): Promise<LoopResult> {
  const { connections, limits, model, now, prompt, seed } = input;
  const log = new AttemptLog(limits, now);
  const names = new Set(input.tools.map(({ name }) => name));
  const summariser = { model, seed, now, makePrompt: makeSummaryPromptRenderer(input) };
  const messages: ChatMessage[] = [...prompt.messages];
  const rounds: ObservedRound[] = [];
  let malformed = 0;

  for (;;) {
    if (malformed >= malformedTurns) return log.makeResult('turn-limit');
    if (log.turns >= limits.turns || log.isFull)
      return askForFinalAnswerAndMakeResult(input, log, rounds, 'turn-limit');
    const reached = log.findReachedLimit();
    if (reached !== null) return log.makeResult(reached);
    const asked = { prompt: prompt.id, messages: [...messages], functions: [], parallelCalls: false, seed };
    const answer = await log.askModelForTurn(model, asked);
    if (!answer.ok) return log.makeResultOfFaultOrTimeLimit(answer.fault);
    if (answer.finish === 'refused') return log.makeResult('refused', answer.content);
    // An unfinished text is no plan, and no answer either.
    if (answer.finish === 'length') return log.makeResult('token-limit');
    const [turn, turnTokens] = [log.turns, sumTokensOfCalls([answer.call])];
    const plan = parsePlan(answer.content, names);
    if (plan.kind === 'stop') return askForFinalAnswerAndMakeResult(input, log, rounds, 'answered');
    messages.push({ role: 'assistant', content: answer.content, toolCalls: [] });
    if (plan.kind === 'malformed') {
      malformed += 1;
      const { text } = plan;
      log.addStep(makeUnsentStep({ tool: notACall, arguments: null, text, code: parseError, turn, turnTokens }));
      messages.push({ role: 'user', content: formatJsonInDataTags('problem', text) ?? '' });
      continue;
    }
    malformed = 0;
    const context = { log, turn, turnTokens, connections, limits, now, summariser };
    const { observed, ending } = await carryOutPlannedCalls(plan.calls, context);
    if (ending !== null)
      return ending === 'time-limit' ? log.makeResult('time-limit') : log.makeResultOfFaultOrTimeLimit(ending);
    rounds.push({ round: turn, calls: observed });
    messages.push({ role: 'user', content: observationsText(observed, turn, limits.turns) });
  }
}

/** Asks for the answer; `end` is how the rounds ended. */
async function askForFinalAnswerAndMakeResult(
  { model, seed, request, renderPrompt }: PlanningInput,
  log: AttemptLog,
  rounds: readonly ObservedRound[],
  end: Extract<Trace['end'], 'answered' | 'turn-limit'>,
): Promise<LoopResult> {
  const reached = log.findReachedLimit();
  if (reached !== null) return log.makeResult(reached);
  const listed = rounds.map(({ round, calls }) => ({
    round,
    calls: calls.map(({ tool, arguments: args, shown }) => ({ tool, arguments: args, ...shown })),
  }));
  const { id, messages } = renderPrompt('agent-final', { request, rounds: listed });
  const question = { prompt: id, messages, functions: [], parallelCalls: false, seed };
  const answer = await log.askModelWithoutCountingTurn(model, question);
  if (!answer.ok) return log.makeResultOfFaultOrTimeLimit(answer.fault);
  if (answer.finish === 'refused') return log.makeResult('refused', answer.content);
  if (answer.finish === 'length') return log.makeResult('token-limit', answer.content);
  return log.makeResult(end, answer.content);
}

const makeSummaryPromptRenderer =
  ({ request, renderPrompt }: PlanningInput) =>
  (values: Readonly<Record<string, unknown>>): RenderedPrompt =>
    renderPrompt('agent-summary', { ...values, request });

/** The model has its own calls in the conversation, so their arguments are not repeated. */
function observationsText(observed: readonly ObservedCall[], round: number, most: number): string {
  const results = observed.map(({ tool, shown }) => ({ tool, ...shown }));
  const left = most - round;
  return (
    `The results of round ${round}; ${left === 0 ? 'no round is' : left === 1 ? '1 round is' : `${left} rounds are`} left.\n` +
    (formatJsonInDataTags('results', results) ?? '')
  );
}
