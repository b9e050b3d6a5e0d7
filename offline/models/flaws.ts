import type { Filling, Step } from './chaining.ts';
import type { SlotValue } from './literals.ts';
import type { Dice } from './seeded.ts';

/** What is wrong with a pair, imitating the occasional flaws of a model's pairs. */
export type Flaw = 'none' | 'vague' | 'unsaid-once' | 'unsaid-twice' | 'other-value' | 'lost-once' | 'lost-twice';

/**
 * Most pairs are sound. About half of the flawed ones can be repaired, because one of the requests is still complete.
 */
export const drawFlaw = (dice: Dice): Flaw => {
  if (dice.chance(0.05)) return 'vague';
  if (!dice.chance(1 / 8)) return 'none';
  if (dice.chance(0.5)) return dice.pick<Flaw>(['unsaid-once', 'other-value', 'lost-once']) ?? 'none';
  return dice.pick<Flaw>(['unsaid-twice', 'lost-twice']) ?? 'none';
};

/** The steps as a request states them: null stands for a lost clause. */
export type Told = readonly (Step | null)[];

/** Returns the steps of source and follow-up under a flaw. A flaw that finds nothing to spoil changes nothing. */
export const stepsOfBothRequestsUnderFlaw = (
  steps: readonly Step[],
  flaw: Flaw,
  dice: Dice,
): { source: Told; followUp: Told } => {
  const sound = { source: steps, followUp: steps };
  if (flaw === 'none' || flaw === 'vague') return sound;
  if (flaw === 'lost-once' || flaw === 'lost-twice') {
    const index = dice.below(steps.length);
    const told = steps.map((step, at) => (at === index ? null : step));
    return { source: flaw === 'lost-twice' ? told : steps, followUp: told };
  }
  const stated = steps.flatMap((step, at) =>
    Object.entries(step.fillings)
      .filter(([, filling]) => filling.kind === 'stated')
      .map(([slot]) => ({ at, slot })),
  );
  const target = dice.pick(stated);
  if (target === undefined) return sound;
  const told = steps.map((step, at) =>
    at === target.at ? stepWithoutOrWithOtherValue(step, target.slot, flaw, dice) : step,
  );
  return { source: flaw === 'unsaid-twice' ? told : steps, followUp: told };
};

const stepWithoutOrWithOtherValue = (step: Step, slot: string, flaw: Flaw, dice: Dice): Step => {
  const fillings: Record<string, Filling> = { ...step.fillings };
  const filling = fillings[slot];
  delete fillings[slot];
  if (flaw === 'other-value' && filling?.kind === 'stated') {
    const others = (step.tool.card.slots[slot]?.samples ?? []).filter(
      (one) => JSON.stringify(one) !== JSON.stringify(filling.value),
    );
    const value: SlotValue | undefined = dice.pick(others);
    if (value !== undefined) fillings[slot] = { kind: 'stated', value };
  }
  return { ...step, fillings };
};
