import type { StopRule } from '#core/evaluation/decision.ts';
import { answerBy, methods, type Answer, type Method } from './methods.ts';
import { meanOf, type World } from './worlds.ts';

/** What a method needed and said, over runs. */
export interface Figures {
  readonly method: Method;
  readonly runs: number;
  /** The mean share of all planned attempts that were made. */
  readonly attemptsToAll: number;
  /** The share of runs whose decision all attempts, or what was planted, contradict. */
  readonly wrong: number;
  readonly told: number;
  readonly noDifference: number;
  readonly undecided: number;
}

/** Returns what each method needs and says in these worlds. */
export function measureMethods(worlds: readonly World[], stop: StopRule): Figures[] {
  return methods.map((method) => {
    const answers = worlds.map((world, run) => ({ world, answer: answerBy(method, world, stop, run) }));
    const shareOf = (holds: (answer: Answer, world: World) => boolean): number =>
      answers.filter(({ answer, world }) => holds(answer, world)).length / answers.length;
    return {
      method,
      runs: worlds.length,
      attemptsToAll: meanOf(answers.map(({ answer }) => answer.attempts)),
      wrong: shareOf((answer, world) => isWrong(answer, world, stop.difference)),
      told: shareOf(({ verdict }) => verdict === 'better' || verdict === 'worse'),
      noDifference: shareOf(({ verdict }) => verdict === 'no-difference'),
      undecided: shareOf(({ verdict }) => verdict === 'undecided'),
    };
  });
}

/**
 * Returns whether a decision is wrong: it names the agent that is not better, by what all attempts show or by what was planted, or it says that there
 * is no difference larger than d where all attempts show one.
 */
function isWrong({ verdict }: Answer, { a, b, planted }: World, d: number): boolean {
  const all = meanOf(b) - meanOf(a);
  // Sums of chances are not exact.
  const nothing = 1e-9;
  if (verdict === 'better') return all <= 0 || (planted !== null && planted <= nothing);
  if (verdict === 'worse') return all >= 0 || (planted !== null && planted >= -nothing);
  return verdict === 'no-difference' && Math.abs(all) > d + nothing;
}
