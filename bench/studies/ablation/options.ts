import type { StrategyName } from '#core/exploration/config.ts';
import { explorationMounting, type Mounting } from '#core/units/mounting/mounting.ts';
import type { Given } from '../../../client/command-line/command.ts';
import { flagOption, makeOneOfParser, optionalOption } from '../../../client/command-line/options.ts';
import { makeMountingOption } from '../../../client/command-line/mounting-option.ts';
import { type BenchCommand, parseBenchOptionsOrHelp } from '../../shared/bench-line.ts';
import {
  defaultStrategies,
  parseDistinctStrategies,
  listConsecutiveSeeds,
  makeWholeNumberParser,
  strategyOption,
} from '../../shared/readers.ts';

/** Steered units of a round. */
export const batch = 10;
/** Units that a round commits: the steered ones and its probe. */
export const unitsOfRound = batch + 1;
const most = { rounds: 1_000, seeds: 100 } as const;

/** Which explorations to compare. */
export interface AblationOptions {
  readonly strategies: readonly StrategyName[];
  /** Each strategy runs once with each of them. */
  readonly seeds: readonly number[];
  /** Rounds of every exploration, so that all commit the same number of units. */
  readonly rounds: number;
  /** Which tools the base agent sees. */
  readonly mounting: Mounting;
  /** Hide from the offline writer which transitions are known, as a control. */
  readonly blindWriter: boolean;
  /** A part of the loop that is left out, as an ablation; null for none. */
  readonly without: WithoutPart | null;
  /** Print the figures as one line of JSON and nothing else on standard output. */
  readonly json: boolean;
}

/** Parts of the loop that can be left out, with the configuration of an exploration that does so. */
export const configWithout = {
  critic: { passScore: 0, acceptScore: 0, maxRefinements: 0 },
  refinement: { maxRefinements: 0 },
} as const;
const withoutParts = ['critic', 'refinement'] as const satisfies readonly (keyof typeof configWithout)[];
export type WithoutPart = (typeof withoutParts)[number];

const [defaultUnits, defaultSeeds] = [200, 3];

const options = {
  units: optionalOption(
    'units',
    'N',
    `units of each exploration, rounded up to whole rounds of ${unitsOfRound} (${defaultUnits} without it)`,
    makeWholeNumberParser(1, most.rounds * unitsOfRound),
  ),
  seeds: optionalOption(
    'seeds',
    'N',
    `explorations of each strategy, with the seeds 1 to N (${defaultSeeds} without it)`,
    makeWholeNumberParser(1, most.seeds),
  ),
  strategy: strategyOption,
  mounting: makeMountingOption('the base agent', explorationMounting),
  blindWriter: flagOption('blind-writer', 'hide from the offline writer which transitions are known, as a control'),
  without: optionalOption(
    'without',
    'PART',
    `leave a part of the loop out: ${withoutParts.join(', ')} (any score of the critic is accepted, or no unit is repaired)`,
    makeOneOfParser(withoutParts),
  ),
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  help: flagOption('help', 'this text'),
};

const command: BenchCommand = {
  verb: 'ablation',
  about: 'Compares sampling strategies at the same number of units, on the MCP servers that came with Sextant.',
  more: [
    'Options stand behind two hyphens: npm run study -- ablation --units 110',
    'The parts of the loop, one by one: gve and sgve leave out sampling and feedback, --blind-writer what the writer is told, --without critic or refinement the audit.',
    'What frontier does with a useless schema hint is simulated: npm run bench:discovery -- --world bench/discovery/worlds/useless-hint.json',
  ].join('\n'),
  options: Object.values(options),
};

/** Reads the words after the command: the options, or a request for help. Throws a UsageError for invalid ones. */
export function parseAblationOptionsOrHelp(argv: readonly string[]): AblationOptions | { readonly help: string } {
  const asked = parseBenchOptionsOrHelp(argv, command);
  return 'help' in asked ? asked : readAblationOptions(asked);
}

const readAblationOptions = (given: Given): AblationOptions => ({
  strategies: given.parseOptionValue(options.strategy) ?? parseDistinctStrategies(defaultStrategies),
  seeds: listConsecutiveSeeds(1, given.parseOptionValue(options.seeds) ?? defaultSeeds),
  rounds: Math.ceil((given.parseOptionValue(options.units) ?? defaultUnits) / unitsOfRound),
  mounting: given.parseOptionValue(options.mounting) ?? explorationMounting,
  blindWriter: given.parseOptionValue(options.blindWriter),
  without: given.parseOptionValue(options.without) ?? null,
  json: given.parseOptionValue(options.json),
});
