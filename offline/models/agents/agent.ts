import { openingText } from '../prompt.ts';
import type { ChatRequest, Reply } from '../protocol.ts';
import { hash32 } from '../seeded.ts';
import { toolsOfFunctions, type Cards } from '../tools.ts';
import { argumentsFor, mend, type Finding } from './arguments.ts';
import { pastCalls, requestIn, type PastCall } from './conversation.ts';
import { planFor, type Task } from './plan.ts';
import type { Skill } from './skill.ts';

/** How far a plan has come, as the conversation shows. */
interface Progress {
  /** The task at hand. */
  readonly at: number;
  readonly findings: readonly Finding[];
  /** The last call of the task at hand, when it failed. */
  readonly stumbled: PastCall | null;
  readonly report: readonly string[];
}

/** One turn of an agent: the next call or calls, or the final answer. */
export const takeTurn = (request: ChatRequest, skill: Skill, cards: Cards): Reply => {
  const tools = toolsOfFunctions(
    request.tools.map((tool) => tool.function),
    cards,
  );
  const seed = String(hash32(`${request.model}\n${openingText(request.messages)}\n${request.seed ?? 0}`));
  const wish = requestIn(request.messages);
  const plan = planFor(wish, tools, skill, seed);
  const progress = follow(plan, pastCalls(request.messages), skill);
  const calls: { name: string; arguments: Readonly<Record<string, unknown>> }[] = [];
  const missing: string[] = [];
  const { stumbled } = progress;
  let { at } = progress;
  const task = plan[at];
  if (stumbled !== null && task !== undefined) {
    const args = argumentsFor(task, progress.findings);
    const again = args === null ? null : mend(task.reading.tool, args, stumbled.result);
    if (again !== null) calls.push({ name: task.reading.tool.name, arguments: again });
    at += 1;
  }
  for (; at < plan.length; at += 1) {
    const next = plan[at];
    if (next === undefined) break;
    if (calls.length > 0 && !(next.withPrevious && request.parallel_tool_calls)) break;
    const args = argumentsFor(next, progress.findings);
    if (args === null) missing.push(`I could not ${next.words}: something that it needs was missing.`);
    else calls.push({ name: next.reading.tool.name, arguments: args });
  }
  if (calls.length === 0) return { text: finalAnswer([...progress.report, ...missing]) };
  const turn = request.messages.length;
  return {
    calls: calls.map((call, index) => ({ id: `call_${hash32(`${seed} ${turn} ${index}`).toString(16)}`, ...call })),
  };
};

/** Walks the calls of a conversation along the plan. Tasks that were passed over left no call. */
const follow = (plan: readonly Task[], calls: readonly PastCall[], skill: Skill): Progress => {
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
      report.push(`I tried to ${task.words}, which failed: ${brief(call.result)}`);
      if (skill.mends && !again) stumbled = call;
      else at += 1;
    } else {
      findings.push({ tool: task.reading.tool, result: call.result });
      report.push(`I was to ${task.words}, and got: ${brief(call.result)}`);
      at += 1;
    }
  }
  return { at, findings, stumbled, report };
};

const brief = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line || '(nothing)';
};

const finalAnswer = (report: readonly string[]): string =>
  report.length === 0
    ? 'I found nothing in the request that I could do with these tools.'
    : `Done. ${report.join('\n')}`;
