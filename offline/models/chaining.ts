import type { Output } from '../cards/card.ts';
import type { SlotValue } from './literals.ts';
import type { Dice } from './seeded.ts';
import { makesValueForSlot, ownKind } from './shared-values.ts';
import type { KnownTool } from './tools.ts';

/** The source of a slot's value. */
export type Filling =
  | { readonly kind: 'stated'; readonly value: SlotValue }
  | { readonly kind: 'given'; readonly step: number; readonly output: Output };

/** One step of a task: a tool and the sources of its slots. Steps count from 0. */
export interface Step {
  readonly tool: KnownTool;
  readonly fillings: Readonly<Record<string, Filling>>;
}

/** Which transitions were seen before. */
export type Known = (from: string, to: string) => boolean;

/** Returns whether an output can fill a slot of this kind. */
const kindFitsSlot = (given: string, wanted: string): boolean =>
  given === wanted || wanted === 'text' || (given === 'integer' && wanted === 'number');

/** Returns the slots in a tool's wordings, which are the same for each of them. */
export const listSlotsOfTool = (tool: KnownTool): readonly string[] => tool.phrases[0]?.slots ?? [];

/** Returns the outputs of a tool that a slot of another accepts. */
export const listOutputsForSlot = (from: KnownTool, to: KnownTool, slot: string): Output[] => {
  const wanted = to.card.slots[slot]?.kind;
  return wanted === undefined ? [] : from.card.gives.filter((output) => kindFitsSlot(output.kind, wanted));
};

/** Returns whether an output of one tool can fill a slot of another. */
export const canFeedSlotOf = (from: KnownTool, to: KnownTool): boolean =>
  listSlotsOfTool(to).some(
    (slot) => listOutputsForSlot(from, to, slot).length > 0 || makesValueForSlot(from, to, slot),
  );

const longest = 6;
const shortest = 3;
const attempts = 80;

/**
 * Returns an order of tools for one task, or null if they do not belong together: no value passes, and they share
 * neither a server nor a category.
 */
export const chooseToolOrderIfRelated = (tools: readonly KnownTool[], known: Known, dice: Dice): KnownTool[] | null => {
  const usable = [...new Map(tools.map((tool) => [tool.name, tool])).values()].filter(
    (tool) => tool.phrases.length > 0,
  );
  if (usable.length < 2) return null;
  const length = usable.length <= longest ? usable.length : shortest + dice.below(longest - shortest + 1);
  const flows = makeCanFeedTest(usable);
  let best: { order: KnownTool[]; score: number } | null = null;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const order = drawFeedableOrder(usable, length, flows, known, dice);
    const score = scoreOrder(order, flows, known) + dice.next() * 0.5;
    if (best === null || score > best.score) best = { order, score };
  }
  const order =
    best === null ? [] : dropUnconnectedStepsAtRandom(best.order, flows, makeExecutedTest(usable, known), dice);
  if (order.length >= 2 && (countFedSteps(order, flows) > 0 || hasSharedServerOrCategory(order))) return order;
  return firstToolsOfBiggestServerOrNull(usable);
};

/** Where nothing passes, the tools of the server with the most of them still serve one person; null if each is alone. */
const firstToolsOfBiggestServerOrNull = (tools: readonly KnownTool[]): KnownTool[] | null => {
  const ready = tools.filter((tool) => canFillAllSlots(tool, []));
  const [most = []] = [...Map.groupBy(ready, ({ name }) => name.split('/')[0]).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  return most.length < 2 ? null : most.slice(0, longest);
};

/**
 * Returns the best of some orders, or null if none can be fed: most steps fed by earlier ones, then fewest known
 * transitions.
 */
export const chooseBestFeedableOrder = (
  orders: readonly (readonly KnownTool[])[],
  known: Known,
  dice: Dice,
): KnownTool[] | null => {
  const flows = makeCanFeedTest([...new Set(orders.flat())]);
  const [best] = orders
    .filter((order) => order.every((tool, index) => canFillAllSlots(tool, order.slice(0, index))))
    .map((order) => ({ order, score: scoreOrder(order, flows, known) + dice.next() * 0.5 }))
    .toSorted((one, other) => other.score - one.score);
  return best === undefined ? null : [...best.order];
};

type Flows = (from: KnownTool, to: KnownTool) => boolean;

const makeCanFeedTest = (tools: readonly KnownTool[]): Flows => {
  const takers = new Map(
    tools.map((from) => [from, new Set(tools.filter((to) => to !== from && canFeedSlotOf(from, to)))]),
  );
  return (from, to) => takers.get(from)?.has(to) === true;
};

/** Walks randomly, mostly along passing values. Tools that only an earlier result can feed wait for it. */
const drawFeedableOrder = (
  tools: readonly KnownTool[],
  length: number,
  flows: Flows,
  known: Known,
  dice: Dice,
): KnownTool[] => {
  const order: KnownTool[] = [];
  let open = dice.shuffle(tools);
  while (order.length < length) {
    const last = order.at(-1);
    const ready = open.filter((tool) => canFillAllSlots(tool, order));
    const liked = last === undefined ? [] : ready.filter((tool) => flows(last, tool));
    const fresh = last === undefined ? [] : liked.filter((tool) => !known(last.name, tool.name));
    const next = (dice.chance(0.8) ? fresh[0] : undefined) ?? (dice.chance(0.85) ? liked[0] : undefined) ?? ready[0];
    if (next === undefined) break;
    order.push(next);
    open = open.filter((tool) => tool !== next);
  }
  return order;
};

/** Returns whether each slot of a tool has a value of its own, or one that an earlier tool gives. */
export const canFillAllSlots = (tool: KnownTool, before: readonly KnownTool[]): boolean =>
  listSlotsOfTool(tool).every(
    (slot) =>
      (tool.card.slots[slot]?.samples.length ?? 0) > 0 ||
      before.some((one) => listOutputsForSlot(one, tool, slot).length > 0 || makesValueForSlot(one, tool, slot)),
  );

/** Counts the steps that an earlier one can feed. */
const countFedSteps = (order: readonly KnownTool[], flows: Flows): number =>
  order.filter((tool, index) => order.slice(0, index).some((from) => flows(from, tool))).length;

const scoreOrder = (order: readonly KnownTool[], flows: Flows, known: Known): number => {
  let score = order.length + countFedSteps(order, flows);
  order.slice(1).forEach((to, index) => {
    const from = order[index];
    if (from !== undefined) score += (flows(from, to) ? 0.3 : 0) + (known(from.name, to.name) ? 0 : 0.4);
  });
  return score;
};

/** Returns a test of whether a tool is part of a known transition. Where nothing is known, every tool passes it. */
const makeExecutedTest = (tools: readonly KnownTool[], known: Known): ((tool: KnownTool) => boolean) => {
  const executed = new Set(
    tools.flatMap((from) => tools.flatMap((to) => (known(from.name, to.name) ? [from.name, to.name] : []))),
  );
  return ({ name }) => executed.size === 0 || executed.has(name);
};

/** Mostly shortens long tasks in which little passes, by steps that neither give nor take, unless they were never executed. */
const dropUnconnectedStepsAtRandom = (
  order: readonly KnownTool[],
  flows: Flows,
  wasExecuted: (tool: KnownTool) => boolean,
  dice: Dice,
): KnownTool[] => {
  const kept = [...order];
  while (kept.length > shortest && countFedSteps(kept, flows) * 3 < (kept.length - 1) * 2 && dice.chance(0.9)) {
    const idle = dice.shuffle(kept).find((tool) => {
      if (!wasExecuted(tool)) return false;
      const rest = kept.filter((one) => one !== tool);
      const stillFed = rest.every((one, index) => canFillAllSlots(one, rest.slice(0, index)));
      return stillFed && countFedSteps(rest, flows) === countFedSteps(kept, flows);
    });
    if (idle === undefined) break;
    kept.splice(kept.indexOf(idle), 1);
  }
  return kept;
};

const hasSharedServerOrCategory = (order: readonly KnownTool[]): boolean => {
  const servers = new Set(order.map((tool) => tool.name.split('/')[0]));
  const categories = new Set(order.map((tool) => tool.category));
  return servers.size === 1 || (categories.size === 1 && !categories.has(''));
};

/**
 * Fills the slots of each step: from the previous step if something passes, else with a value that an earlier step states
 * for the same thing, else from the samples, preferably unused ones.
 */
export const makeStepsWithFilledSlots = (
  order: readonly KnownTool[],
  dice: Dice,
  used: (value: SlotValue) => boolean = () => false,
): Step[] => {
  const stated = new Map<string, SlotValue>();
  return order.map((tool, index) => {
    const samplesAt = dice.below(5_040);
    const fillings: Record<string, Filling> = {};
    let taken = false;
    for (const slot of listSlotsOfTool(tool)) {
      const { samples = [], kind = '' } = tool.card.slots[slot] ?? {};
      const same = stated.get(kind);
      const isOpen = samples.length === 0 && same === undefined;
      const given = taken && !isOpen ? null : drawFillingFromEarlierOutput(order, index, slot, isOpen, dice);
      const fresh = samples.filter((value) => !used(value));
      const choice = fresh.length > 0 ? fresh : samples;
      const sample = same ?? choice[samplesAt % Math.max(1, choice.length)];
      if (given !== null) {
        fillings[slot] = given;
        taken = true;
      } else if (sample !== undefined) {
        fillings[slot] = { kind: 'stated', value: sample };
        if (kind.startsWith(ownKind)) stated.set(kind, sample);
      }
    }
    return { tool, fillings };
  });
};

const drawFillingFromEarlierOutput = (
  order: readonly KnownTool[],
  index: number,
  slot: string,
  needed: boolean,
  dice: Dice,
): Filling | null => {
  const tool = order[index];
  if (tool === undefined) return null;
  for (let step = index - 1; step >= 0; step -= 1) {
    const from = order[step];
    const output = from === undefined ? undefined : dice.pick(listOutputsForSlot(from, tool, slot));
    if (output !== undefined) return { kind: 'given', step, output };
    if (!needed && dice.chance(0.1)) return null;
  }
  return null;
};
