import { maskLiterals, restoreMaskedLiterals } from '../literals.ts';
import { makeDice, type Dice } from '../seeded.ts';
import type { KnownTool } from '../tools.ts';
import { interpretRequest, recognised, type Reading } from '../understanding.ts';
import type { Skill } from './skill.ts';

/** One thing to do, as the agent understood it. */
export interface Task {
  readonly reading: Reading;
  /** The clause's own words, for the report. */
  readonly words: string;
  /** Whether the agent makes this call together with the one before it. */
  readonly withPrevious: boolean;
  /** Whether it passes on the words of a reference in place of the value. */
  readonly literalReference: boolean;
  /** Whether it has forgotten results that are older than the last one. */
  readonly forgetsOlder: boolean;
}

/** Makes an agent's plan. The same request, tools and seed give the same plan in every turn. */
export const makeImperfectPlan = (request: string, tools: readonly KnownTool[], skill: Skill, seed: string): Task[] => {
  const { literals } = maskLiterals(request);
  const tasks: Task[] = [];
  for (const [index, clause] of interpretRequest(request, tools).entries()) {
    const dice = makeDice(seed, index);
    const lost = index > 0 && dice.chance(skill.lostClause * Math.min(3, index));
    const reading = chooseReadingBySkill(clause.readings, tasks, skill, dice);
    if (lost || reading === null) continue;
    tasks.push({
      reading,
      words: restoreMaskedLiterals(clause.text, literals),
      withPrevious: dice.chance(skill.parallel),
      literalReference: dice.chance(skill.literalReference),
      forgetsOlder: dice.chance(skill.forgottenResult),
    });
  }
  return swapNeighboursAtRandom(tasks, skill, makeDice(seed, 'order'));
};

const chooseReadingBySkill = (
  readings: readonly Reading[],
  before: readonly Task[],
  skill: Skill,
  dice: Dice,
): Reading | null => {
  const unheard = 1 - skill.missedWord;
  const heard =
    skill.missedWord === 0
      ? readings
      : readings
          .map((reading) => ({ reading, score: reading.score * (unheard + (1 - unheard) * 2 * dice.next()) }))
          .toSorted((one, other) => other.score - one.score)
          .map(({ reading }) => reading);
  const plausible = heard.filter(
    ({ score, tool }) => score >= recognised && !before.some((task) => task.reading.tool === tool && score < 1),
  );
  const [best = null] = plausible;
  if (best === null || !dice.chance(skill.wrongTool)) return best;
  return heard.find((reading) => reading !== best) ?? best;
};

const swapNeighboursAtRandom = (tasks: readonly Task[], skill: Skill, dice: Dice): Task[] => {
  const order = [...tasks];
  for (let index = 0; index + 1 < order.length; index += 1) {
    const [one, other] = [order[index], order[index + 1]];
    if (one === undefined || other === undefined || !dice.chance(skill.swap)) continue;
    order[index] = other;
    order[index + 1] = one;
    index += 1;
  }
  return order;
};
