import type { WorldFile } from './world-file.ts';

/** Units that a round commits: the steered ones and its probe. */
export const unitsOfRound = ({ batch }: Pick<WorldFile, 'batch'>): number => batch + 1;

/**
 * The transitions that a steered unit shows at most, on average. A chain has L calls, L uniform over `chainLength`, and each
 * call stays with q = 1 - dropRate. K calls that stay have K - 1 neighbours, so it is the mean over L of
 * E[max(0, K - 1)] = L q - 1 + (1 - q)^L. A unit shows fewer where its chain ends early, where a call that was left out made
 * neighbours that are no true transition, and where it is lost.
 */
export function mostPerUnit({ generator, execution }: Pick<WorldFile, 'generator' | 'execution'>): number {
  const [shortest, longest] = generator.chainLength;
  const stays = 1 - execution.dropRate;
  const lengths = Array.from({ length: longest - shortest + 1 }, (_, more) => shortest + more);
  return lengths.reduce((sum, length) => sum + length * stays - 1 + (1 - stays) ** length, 0) / lengths.length;
}

/**
 * Units, probes among them, until a share of the transitions is found if every observed transition were a new one: what no
 * strategy can expect to stay below.
 */
export const limitUnits = (
  file: Pick<WorldFile, 'generator' | 'execution' | 'batch' | 'transitions'>,
  share: number,
): number => Math.ceil((share * file.transitions) / (file.batch * mostPerUnit(file))) * unitsOfRound(file);
