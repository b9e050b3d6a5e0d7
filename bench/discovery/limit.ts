import type { WorldFile } from './world-file.ts';

/** Units that a round commits: the steered ones and its probe. */
export const unitsPerRoundOfWorld = ({ batch }: Pick<WorldFile, 'batch'>): number => batch + 1;

/**
 * Returns the mean number of transitions that a steered unit can show at most. A chain has L calls, L uniform over
 * `chainLength`, and each call stays with q = 1 - dropRate. K remaining calls have K - 1 neighbours, so it is the mean
 * over L of E[max(0, K - 1)] = L q - 1 + (1 - q)^L. A unit shows fewer if its chain ends early, if a left-out call
 * makes neighbours that are no true transition, or if it is lost.
 */
export function computeMeanMaxTransitionsPerUnit({
  generator,
  execution,
}: Pick<WorldFile, 'generator' | 'execution'>): number {
  const [shortest, longest] = generator.chainLength;
  const stays = 1 - execution.dropRate;
  const lengths = Array.from({ length: longest - shortest + 1 }, (_, more) => shortest + more);
  return lengths.reduce((sum, length) => sum + length * stays - 1 + (1 - stays) ** length, 0) / lengths.length;
}

/**
 * Returns the units, including probes, until a share of the transitions is found if every observed transition were new:
 * a lower bound for any strategy.
 */
export const leastUnitsToShare = (
  file: Pick<WorldFile, 'generator' | 'execution' | 'batch' | 'transitions'>,
  share: number,
): number =>
  Math.ceil((share * file.transitions) / (file.batch * computeMeanMaxTransitionsPerUnit(file))) *
  unitsPerRoundOfWorld(file);
