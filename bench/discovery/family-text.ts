import { wholeNumberText, countWithNoun } from '../../client/command-line/text.ts';
import { alignColumns } from '../shared/aligned.ts';
import { type FamilyRow, summarizeFamily } from './family-figures.ts';
import { leastUnitsToShare } from './limit.ts';
import { ratioText, shareText, countToolsOfWorld } from './text.ts';

interface FamilySetting {
  readonly rounds: number;
  /** 0..1 */
  readonly target: number;
}

/** A line for each world, and what they come to together. */
export function familyTableLines(rows: readonly FamilyRow[], { rounds, target }: FamilySetting): string[] {
  const { worse, undecided, medianRatio, largestRatio } = summarizeFamily(rows);
  return [
    `Units to ${shareText(target)} of the true transitions in ${countWithNoun(rows.length, 'random world')}, lost ones and probes among them; at most ${countWithNoun(rounds, 'round')}.`,
    ...alignColumns([
      ['seed', 'tools', 'servers', 'transitions', 'limit', 'sgvef', 'frontier', 'ratio'],
      ...rows.map(({ seed, file, sgvef, frontier, ratio }) => [
        `${seed}`,
        wholeNumberText(countToolsOfWorld(file)),
        wholeNumberText(file.servers.length),
        wholeNumberText(file.transitions),
        wholeNumberText(leastUnitsToShare(file, target)),
        unitsOrNotReachedText(sgvef),
        unitsOrNotReachedText(frontier),
        ratio === null ? 'none' : ratioText(ratio),
      ]),
    ]),
    '',
    `frontier needed more units than sgvef in ${wholeNumberText(worse)} of ${countWithNoun(rows.length, 'world')}${undecided === 0 ? '' : `; in ${wholeNumberText(undecided)} neither got there`}.`,
    ...(medianRatio === null || largestRatio === null
      ? []
      : [`frontier to sgvef: median ${ratioValueText(medianRatio)}, largest ${ratioValueText(largestRatio)}.`]),
  ];
}

const ratioValueText = (ratio: number): string => (Number.isFinite(ratio) ? ratio.toFixed(2) : 'not reached');

const unitsOrNotReachedText = (units: number | null): string =>
  units === null ? 'not reached' : wholeNumberText(units);

/** The same for a program. */
export const makeFamilyJson = (rows: readonly FamilyRow[], { rounds, target }: FamilySetting): object => ({
  family: rows.length,
  target,
  rounds,
  ...summarizeFamily(rows),
  worlds: rows.map(({ seed, file, sgvef, frontier, ratio }) => ({
    seed,
    tools: countToolsOfWorld(file),
    servers: file.servers.length,
    transitions: file.transitions,
    limitUnits: leastUnitsToShare(file, target),
    sgvef,
    frontier,
    ratio: ratio?.value ?? null,
  })),
});
