import { promptTextForSeed, parsePromptVariables } from '../prompt.ts';
import type { ChatRequest, FunctionTool, Reply } from '../protocol.ts';
import { hash32 } from '../seeded.ts';
import { readFunctionToolsOnce, toolsOfPrompt, type Cards, type KnownTool } from '../tools.ts';
import { resolveArgumentsOrNull, repairArgumentsByErrorOrNull, type Finding } from './arguments.ts';
import {
  callsOfRounds,
  messagesWithoutWrittenResults,
  pastCalls,
  findRequest,
  pastCallsInWriting,
  pastCallsOfPlans,
  type PastCall,
} from './conversation.ts';
import { isConnectionTest } from './connection-test.ts';
import {
  listOpenQueries,
  makeExecuteArguments,
  mustLoadTools,
  mustSearchForTools,
  readProgressOfSearches,
  toolSearch,
  type Searched,
} from './routed.ts';
import {
  callsOfPrograms,
  describeTools,
  mustWritePrograms,
  readDeclaredTools,
  runCode,
  writeProgram,
  writeProgramOfCall,
} from './code.ts';
import type { Agent } from './habits.ts';
import { withoutOrders } from './orders.ts';
import { makeImperfectPlan, type Task } from './plan.ts';
import { isEmptyResult } from './repeats.ts';
import { summariseLongResult } from './summarise.ts';
import {
  drawBehaviour,
  listOrderedCalls,
  parseArgumentsOrNull,
  settleRepeatsByHabit,
  withoutOrderedCalls,
  type Worker,
} from './worker.ts';

/** The progress of a plan in a conversation. */
interface Progress {
  /** The current task. */
  readonly at: number;
  readonly findings: readonly Finding[];
  /** The last call of the current task, if it failed. */
  readonly stumbled: PastCall | null;
  readonly report: readonly string[];
}

type Calls = readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];

/** The result of a turn. */
type Turn = { readonly calls: Calls } | { readonly answer: string };

/**
 * Makes one turn of an agent: the next call or calls, or the final answer. Tools in the prompt are called in writing, or,
 * where the prompt sets limits of rounds, by plans. A long result is summarised; of listed rounds the answer is written.
 */
export const makeAgentReply = (request: ChatRequest, agent: Agent, cards: Cards): Reply => {
  const variables = parsePromptVariables(request.messages.filter(({ role }) => role === 'system' || role === 'user'));
  if (variables.has('longResult')) return { text: summariseLongResult(variables) };
  const seed = String(
    hash32(
      `${agent.name}\n${promptTextForSeed(messagesWithoutWrittenResults(request.messages))}\n${request.seed ?? 0}`,
    ),
  );
  const wish = findRequest(request.messages);
  const worker = { skill: agent.skill, habits: agent.habits, seed, ...drawBehaviour(request, wish, agent) };
  if (variables.has('rounds')) return { text: answerFromRounds(wish, variables.get('rounds'), worker, cards) };
  const listed = parsePromptVariables(request.messages.filter(({ role }) => role === 'system'));
  if (request.tools.length === 0 && listed.has('tools')) {
    const tools = toolsOfPrompt(listed.get('tools'), cards);
    if (listed.has('limits')) {
      const made = pastCallsOfPlans(request.messages);
      return { text: turnAsJsonPlan(nextTurn(wish, tools, made, worker, 'independent')) };
    }
    const made = pastCallsInWriting(request.messages);
    return { text: turnAsJsonCallOrAnswer(nextTurn(wish, tools, made, worker, 'one')) };
  }
  const functions = request.tools.map((tool) => tool.function);
  const [first] = functions;
  // Nothing is carried out, so the call needs no sense.
  if (first !== undefined && isConnectionTest(wish))
    return { calls: [{ id: `call_${seed}`, name: first.name, arguments: {} }] };
  const past = pastCalls(request.messages);
  const together = request.parallel_tool_calls ? 'careless' : 'one';
  const next = (own: typeof functions, made: readonly PastCall[]): Turn =>
    nextTurn(wish, readFunctionToolsOnce(own, cards), made, worker, together);
  const turn = mustWritePrograms(functions)
    ? nextTurnWithPrograms(readDeclaredTools(listed.get('tools'), past), { functions, past, cards, wish, worker })
    : mustSearchForTools(functions)
      ? nextTurnWithSearches(readProgressOfSearches(wish, past, cards), wish, worker, together)
      : mustLoadTools(functions)
        ? (searchesOrNull(listOpenQueries(wish, past, toolSearch), toolSearch, together) ??
          next(
            functions.filter(({ name }) => name !== toolSearch),
            past.filter(({ name }) => name !== toolSearch),
          ))
        : next(functions, past);
  if ('answer' in turn) return { text: turn.answer };
  const place = request.messages.length;
  return {
    calls: turn.calls.map((call, index) => ({
      id: `call_${hash32(`${seed} ${place} ${index}`).toString(16)}`,
      ...call,
    })),
  };
};

interface Programming {
  readonly functions: ChatRequest['tools'][number]['function'][];
  readonly past: readonly PastCall[];
  readonly cards: Cards;
  readonly wish: string;
  readonly worker: Worker;
}

/** Asks once for what it does not know of the tools that it needs, then writes a program for as many tasks as it can. */
const nextTurnWithPrograms = (
  declared: readonly FunctionTool[],
  { functions, past, cards, wish, worker }: Programming,
): Turn => {
  const tools = readFunctionToolsOnce(declared, cards);
  const plan = makeImperfectPlan(wish, tools, worker.skill, worker.seed);
  const unknown = new Set(declared.filter(({ parameters }) => parameters === undefined).map(({ name }) => name));
  const names = [...new Set(plan.map(({ reading }) => reading.tool.name))].filter((name) => unknown.has(name));
  const canAsk = functions.some(({ name }) => name === describeTools) && past.length === 0;
  if (canAsk && names.length > 0) return { calls: [{ name: describeTools, arguments: { names } }] };
  const made = callsOfPrograms(past);
  const next = nextTurn(wish, tools, made ?? [], worker, 'one');
  if ('answer' in next) return next;
  if (made === null) return { answer: finalAnswerText([], [], worker) };
  const progress = progressOfPlanFromCalls(plan, withoutOrderedCalls(made, plan, worker), worker);
  const [call] = next.calls;
  const at = plan.findIndex((task, index) => index >= progress.at && task.reading.tool.name === call?.name);
  const task = plan[at];
  if (call === undefined) return { answer: finalAnswerText(progress.report, made, worker) };
  const code =
    task === undefined
      ? writeProgramOfCall(call.name, call.arguments, worker.habits)
      : writeProgram({ task, arguments: call.arguments }, plan.slice(at + 1), worker.habits);
  return { calls: [{ name: runCode, arguments: { code } }] };
};

const turnAsJsonCallOrAnswer = (turn: Turn): string => {
  if ('answer' in turn) return JSON.stringify({ answer: turn.answer });
  const [call] = turn.calls;
  return JSON.stringify({ call: { tool: call?.name, arguments: call?.arguments } });
};

const turnAsJsonPlan = (turn: Turn): string =>
  JSON.stringify(
    'answer' in turn
      ? { reasoning: 'There is nothing left that I can do.', continue: false, calls: [] }
      : {
          reasoning: `These ${turn.calls.length} need nothing that is still to be found out.`,
          continue: true,
          calls: turn.calls.map(({ name, arguments: args }) => ({ tool: name, arguments: args })),
        },
  );

/** Returns the answer to a request from the calls that a prompt lists; only of their tools it knows anything. */
const answerFromRounds = (wish: string, rounds: unknown, worker: Worker, cards: Cards): string => {
  const made = callsOfRounds(rounds);
  const names = new Set(made.map(({ name }) => name));
  const tools = toolsOfPrompt(
    [...names].map((name) => ({ name })),
    cards,
  );
  const plan = makeImperfectPlan(wish, tools, worker.skill, worker.seed);
  const { settled } = settleRepeatsByHabit(made, tools, worker);
  const { report } = progressOfPlanFromCalls(plan, withoutOrderedCalls(settled, plan, worker), worker);
  return finalAnswerText(report, settled, worker);
};

/**
 * Which calls an agent makes in one turn: one; those that need no result of a call that is still to be made; or, as a
 * careless agent does, some without waiting for what they need.
 */
type Together = 'one' | 'independent' | 'careless';

/** Returns the searches that are still to be made; null if there are none. */
const searchesOrNull = (openQueries: readonly string[], name: string, together: Together): Turn | null => {
  const searches = openQueries.map((query) => ({ name, arguments: { query } }));
  return searches.length === 0 ? null : { calls: together === 'one' ? searches.slice(0, 1) : searches };
};

/** First searches for each clause, then works with the tools that were found as if it had them as functions. */
const nextTurnWithSearches = (
  { tools, openQueries, made }: Searched,
  wish: string,
  worker: Worker,
  together: Together,
): Turn => {
  const searches = searchesOrNull(openQueries, 'route', together);
  if (searches !== null) return searches;
  const turn = nextTurn(wish, tools, made, worker, together);
  if ('answer' in turn) return turn;
  return {
    calls: turn.calls.map(({ name, arguments: args }) => ({
      name: 'execute',
      arguments: makeExecuteArguments(name, args),
    })),
  };
};

/** Repeats calls by habit, then continues with the plan, then obeys, and then answers. */
const nextTurn = (
  wish: string,
  tools: readonly KnownTool[],
  made: readonly PastCall[],
  worker: Worker,
  together: Together,
): Turn => {
  const { settled, open } = settleRepeatsByHabit(made, tools, worker);
  const repeats = open.map(({ name, arguments: text }) => ({ name, arguments: parseArgumentsOrNull(text) ?? {} }));
  if (repeats.length > 0) return { calls: inOneTurn(repeats, together) };
  const plan = makeImperfectPlan(wish, tools, worker.skill, worker.seed);
  const progress = progressOfPlanFromCalls(plan, withoutOrderedCalls(settled, plan, worker), worker);
  const { calls, missing } = nextCallsOfPlan(plan, progress, together);
  if (calls.length > 0) return { calls };
  const ordered = listOrderedCalls(tools, made, worker);
  return ordered.length > 0
    ? { calls: inOneTurn(ordered, together) }
    : { answer: finalAnswerText([...progress.report, ...missing], settled, worker) };
};

const inOneTurn = (calls: Calls, together: Together): Calls => (together === 'one' ? calls.slice(0, 1) : calls);

/** Returns the calls that a plan comes to next, and what it cannot do. */
const nextCallsOfPlan = (
  plan: readonly Task[],
  progress: Progress,
  together: Together,
): { readonly calls: Calls; readonly missing: readonly string[] } => {
  const calls: { name: string; arguments: Readonly<Record<string, unknown>> }[] = [];
  const missing: string[] = [];
  const { stumbled } = progress;
  let { at } = progress;
  const task = plan[at];
  if (stumbled !== null && task !== undefined) {
    const args = resolveArgumentsOrNull(task, progress.findings);
    const again = args === null ? null : repairArgumentsByErrorOrNull(task.reading.tool, args, stumbled.result);
    if (again !== null) calls.push({ name: task.reading.tool.name, arguments: again });
    at += 1;
  }
  for (; at < plan.length; at += 1) {
    const next = plan[at];
    if (next === undefined) break;
    if (calls.length > 0 && !shouldCallInSameTurn(next, together)) break;
    const args = resolveArgumentsOrNull(next, progress.findings);
    if (args === null) missing.push(`I could not ${next.words}: something that it needs was missing.`);
    else calls.push({ name: next.reading.tool.name, arguments: args });
  }
  return { calls, missing };
};

const shouldCallInSameTurn = (task: Task, together: Together): boolean =>
  (together !== 'one' && task.withPrevious) ||
  (together === 'independent' && Object.values(task.reading.slots).every(({ kind }) => kind === 'stated'));

/** Matches the calls of a conversation with the plan. Skipped tasks left no call. */
const progressOfPlanFromCalls = (plan: readonly Task[], calls: readonly PastCall[], worker: Worker): Progress => {
  const findings: Finding[] = [];
  const report: string[] = [];
  let at = 0;
  let stumbled: PastCall | null = null;
  for (const call of calls) {
    const again: boolean = stumbled !== null && plan[at]?.reading.tool.name === call.name;
    if (stumbled !== null && !again) at += 1;
    stumbled = null;
    const found = plan.findIndex((task, index) => index >= at && task.reading.tool.name === call.name);
    if (found >= 0) at = found;
    const task = plan[at];
    if (task === undefined) break;
    if (call.failed) {
      report.push(`I tried to ${task.words}, which failed: ${quoteResult(call.result, worker)}`);
      if (worker.skill.mends && !again) stumbled = call;
      else at += 1;
    } else {
      findings.push({ tool: task.reading.tool, result: call.result });
      report.push(`I was to ${task.words}, and got: ${quoteResult(call.result, worker)}`);
      at += 1;
    }
  }
  return { at, findings, stumbled, report };
};

const oneLineShortened = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line || '(nothing)';
};

/** Quotes a result for the report. An agent that knows orders does not quote them. */
const quoteResult = (text: string, { habits }: Worker): string =>
  oneLineShortened(habits.obeys === null ? text : withoutOrders(text));

const planReport = (report: readonly string[]): string =>
  report.length === 0
    ? 'I found nothing in the request that I could do with these tools.'
    : `Done. ${report.join('\n')}`;

/** Words the final answer from a report of the plan, with what habits add. Code words come first, away from any doubt. */
const finalAnswerText = (
  report: readonly string[],
  calls: readonly PastCall[],
  { habits, orders, doubts }: Worker,
): string => {
  const words = orders?.words.map((word) => `${word}. `) ?? [];
  const empty = habits.doubtsEmpty ? calls.filter(({ failed, result }) => !failed && isEmptyResult(result)) : [];
  const notes = empty.map(({ name }) => `The result of ${name} came back empty and may be incomplete.`);
  const lines = [planReport(report), ...new Set(notes), ...(doubts ? [doubtText] : [])];
  return `${words.join('')}${lines.join('\n')}`;
};

const doubtText = 'The values look unusual and should be verified.';
