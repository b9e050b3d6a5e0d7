import { z } from 'zod';
import { parsePromptVariables } from '../prompt.ts';
import type { ChatRequest } from '../protocol.ts';
import { makeDice } from '../seeded.ts';
import type { KnownTool } from '../tools.ts';
import { repairArgumentsByErrorOrNull } from './arguments.ts';
import { callsOfPrograms, readDeclaredTools, runCode } from './code.ts';
import { callsOfRounds, pastCalls, pastCallsInWriting, pastCallsOfPlans, type PastCall } from './conversation.ts';
import type { Agent, Habits } from './habits.ts';
import { isOrdered, makeOrderedArguments, readOrders, type Orders, type Reading } from './orders.ts';
import type { Task } from './plan.ts';
import { isEmptyResult, settleRepeats, type Settled } from './repeats.ts';
import type { Skill } from './skill.ts';

/** An agent in one attempt. */
export interface Worker {
  readonly skill: Skill;
  readonly habits: Habits;
  readonly seed: string;
  /** What it was ordered, if it obeys in this attempt; else null. */
  readonly orders: Orders | null;
  /** Whether it ends its answer with a doubt in this attempt. */
  readonly doubts: boolean;
}

/** Draws what an agent does in an attempt, the same in all of its turns; for orders by the one that it reads first. */
export const drawBehaviour = (
  request: ChatRequest,
  wish: string,
  { name, habits }: Agent,
): Pick<Worker, 'orders' | 'doubts'> => {
  const attempt = [name, wish, request.seed ?? 0] as const;
  const orders = habits.obeys === null ? null : readOrders(listReadTexts(request));
  const obeys = orders?.first != null && makeDice('obeys', ...attempt, orders.first).chance(habits.obeys ?? 0);
  return { orders: obeys ? orders : null, doubts: makeDice('doubts', ...attempt).chance(habits.doubts) };
};

const listed = z.array(z.looseObject({ name: z.string(), description: z.string().default('') })).catch([]);

/** Returns what an agent has read in a conversation of any loop. */
const listReadTexts = ({ messages, tools }: ChatRequest): Reading => {
  const shown = parsePromptVariables(messages.filter(({ role }) => role === 'system')).get('tools');
  const rounds = parsePromptVariables(messages.filter(({ role }) => role === 'user')).get('rounds');
  const past = pastCalls(messages);
  const calls = [
    ...past.filter(({ name }) => name !== runCode),
    ...(callsOfPrograms(past) ?? []),
    ...pastCallsInWriting(messages),
    ...pastCallsOfPlans(messages),
    ...callsOfRounds(rounds),
  ];
  return {
    results: calls.map(({ result }) => result),
    descriptions: [
      ...tools.map(({ function: { name, description = '' } }) => ({ name, description })),
      ...listed.parse(shown),
      ...readDeclaredTools(shown, past).map(({ name, description = '' }) => ({ name, description })),
    ],
  };
};

const argumentsOfCall = z.record(z.string(), z.unknown());

/** Parses the arguments of a call; null where they are unknown, as those of programs are. */
export const parseArgumentsOrNull = (text: string): Record<string, unknown> | null => {
  try {
    return argumentsOfCall.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/** Joins calls with their repeats. A failed call that can be repaired by its error is not repeated as it was. */
export const settleRepeatsByHabit = (
  calls: readonly PastCall[],
  tools: readonly KnownTool[],
  { skill, habits }: Worker,
): Settled =>
  settleRepeats(calls, ({ name, arguments: text, result, failed }) => {
    if (!(failed ? habits.retries : habits.doubtsEmpty && isEmptyResult(result))) return false;
    const args = parseArgumentsOrNull(text);
    if (args === null || !failed) return args !== null;
    const tool = tools.find((each) => each.name === name);
    const canRepair = skill.mends && tool !== undefined && repairArgumentsByErrorOrNull(tool, args, result) !== null;
    return !canRepair;
  });

/** Returns calls without those that were only made because they were ordered: they are no progress of the plan. */
export const withoutOrderedCalls = (
  calls: readonly PastCall[],
  plan: readonly Task[],
  { orders }: Worker,
): readonly PastCall[] =>
  orders === null
    ? calls
    : calls.filter(({ name }) => !isOrdered(orders, name) || plan.some(({ reading }) => reading.tool.name === name));

/** Returns the calls that orders ask for and that were not made yet. */
export const listOrderedCalls = (
  tools: readonly KnownTool[],
  made: readonly PastCall[],
  { orders }: Worker,
): { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[] =>
  orders === null
    ? []
    : tools
        .filter(({ name }) => isOrdered(orders, name) && !made.some((call) => call.name === name))
        .map((tool) => ({ name: tool.name, arguments: makeOrderedArguments(tool, orders) }));
