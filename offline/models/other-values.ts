import { listSlotsOfTool, type Filling, type Step } from './chaining.ts';
import { hasNameAsWord } from './claims.ts';
import type { Used } from './task-texts.ts';
import { statedTextWithoutQuotes, maskLiterals, listNumbersInMasked, type SlotValue } from './literals.ts';
import { drawNameIntoStepsIfRoom, type Named } from './ambiguous-names.ts';
import type { Dice } from './seeded.ts';
import type { Seed } from './seeds.ts';

/** What the requests of some seeds contain: their values and names. */
export const makeUsedInSeedsTests = (seeds: readonly Seed[]): Used => {
  const texts = seeds.flatMap(({ source, followUp }) => [source, followUp]);
  const values = new Set(
    texts.flatMap((text) => {
      const { text: masked, literals } = maskLiterals(text);
      return [...literals, ...listNumbersInMasked(masked)].map((literal) => statedTextWithoutQuotes(literal.value));
    }),
  );
  return {
    value: (value) => values.has(statedTextWithoutQuotes(value)),
    name: (name) => texts.some((text) => hasNameAsWord(text, name)),
  };
};

/** Returns the same steps with the same passing values, but with other values where they state one. */
export const stepsWithOtherValuesAndName = (steps: readonly Step[], dice: Dice, used: Used): Named =>
  drawNameIntoStepsIfRoom(
    steps.map((step) => stepWithOtherValues(step, dice, used)),
    dice,
    used.name,
  );

const stepWithOtherValues = ({ tool, fillings }: Step, dice: Dice, used: Used): Step => {
  const at = dice.below(5_040);
  const filled: Record<string, Filling> = {};
  for (const slot of listSlotsOfTool(tool)) {
    const filling = fillings[slot];
    const value =
      filling?.kind === 'given' ? undefined : pickPreferablyUnused(tool.card.slots[slot]?.samples ?? [], at, used);
    const chosen: Filling | undefined = value === undefined ? filling : { kind: 'stated', value };
    if (chosen !== undefined) filled[slot] = chosen;
  }
  return { tool, fillings: filled };
};

/** Returns a sample that the seed does not state; all slots of a step use the same index of their lists if possible. */
const pickPreferablyUnused = (samples: readonly SlotValue[], at: number, used: Used): SlotValue | undefined => {
  const fresh = samples.filter((sample) => !used.value(sample));
  const choice = fresh.length > 0 ? fresh : samples;
  return choice[at % Math.max(1, choice.length)];
};
