import { chooseBestFeedableOrder, canFeedSlotOf, type Known } from './chaining.ts';
import type { Dice } from './seeded.ts';
import type { KnownTool } from './tools.ts';

type Order = readonly KnownTool[];

/** Maximum chain length of a variant; a chain that is already longer grows by one step. */
const longest = 6;
const tries = 120;

/** Adds one or two tools to a chain, where they give or take something or at the end; null if none can be used. */
export const drawExtendedOrderOrNull = (chain: Order, tools: Order, known: Known, dice: Dice): KnownTool[] | null => {
  const others = dice.shuffle(tools.filter((tool) => !chain.includes(tool) && tool.phrases.length > 0));
  const one = chooseBestFeedableOrder(
    others.flatMap((tool) => ordersWithToolInserted(chain, tool)),
    known,
    dice,
  );
  if (one === null || one.length >= longest || !dice.chance(0.4)) return one;
  const more = others.filter((tool) => !one.includes(tool)).flatMap((tool) => ordersWithToolInserted(one, tool));
  return chooseBestFeedableOrder(more, known, dice) ?? one;
};

const ordersWithToolInserted = (chain: Order, tool: KnownTool): Order[] =>
  Array.from({ length: chain.length + 1 }, (_, index) => index)
    .filter(
      (place) =>
        place === chain.length ||
        chain.slice(0, place).some((from) => canFeedSlotOf(from, tool)) ||
        chain.slice(place).some((to) => canFeedSlotOf(tool, to)),
    )
    .map((place) => [...chain.slice(0, place), tool, ...chain.slice(place)]);

/** Returns steps of two chains in a new order, at least one of each; null if there is no such order. */
export const drawRecombinedOrderOrNull = (
  first: Order,
  second: Order,
  known: Known,
  dice: Dice,
): KnownTool[] | null => {
  const most = Math.min(longest, new Set([...first, ...second]).size);
  const length = Math.min(most, Math.max(2, Math.round((first.length + second.length) / 2) - 1 + dice.below(3)));
  const orders = Array.from({ length: tries }, () => drawMixedOrder(first, second, length, dice)).filter(
    (order) => !isSameOrder(order, first) && !isSameOrder(order, second),
  );
  return chooseBestFeedableOrder(orders, known, dice);
};

/** A tool that both chains have does not identify either, if there are others. */
const drawMixedOrder = (first: Order, second: Order, length: number, dice: Dice): Order => {
  const ownOf = (chain: Order, other: Order): Order => {
    const own = chain.filter((tool) => !other.includes(tool));
    return own.length > 0 ? own : chain;
  };
  const core = new Set(
    [dice.pick(ownOf(first, second)), dice.pick(ownOf(second, first))].filter((tool) => tool !== undefined),
  );
  const rest = dice.shuffle([...new Set([...first, ...second])].filter((tool) => !core.has(tool)));
  return dice.shuffle([...core, ...rest.slice(0, Math.max(0, length - core.size))]);
};

const isSameOrder = (one: Order, other: Order): boolean =>
  one.length === other.length && one.every((tool, index) => tool === other[index]);
