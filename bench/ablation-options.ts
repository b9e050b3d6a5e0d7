import { z } from 'zod';
import { strategyName, type StrategyName } from '#core/exploration/config.ts';
import type { Command, Given } from '../client/command-line/command.ts';
import { helpOf } from '../client/command-line/help.ts';
import { flag, numberOf, oneOf, option, type Reader } from '../client/command-line/options.ts';
import { parseLine } from '../client/command-line/parse.ts';
import { UsageError } from '../client/command-line/usage-error.ts';

/** Steered units of a round. */
export const batch = 10;
/** Units that a round commits: the steered ones and its probe. */
export const unitsOfRound = batch + 1;
const most = { rounds: 1_000, seeds: 100 } as const;

/** Which explorations are compared. */
export interface AblationOptions {
  readonly strategies: readonly StrategyName[];
  /** Each strategy runs once with each of them. */
  readonly seeds: readonly number[];
  /** Rounds of every exploration, so that all commit the same number of units. */
  readonly rounds: number;
  /** The last line is the figures in JSON, and the only one on the standard output. */
  readonly json: boolean;
}

/** Different strategies, with commas between them. */
const strategies: Reader<StrategyName[]> = (given) => {
  const named = given.split(',').map((name) => {
    try {
      return oneOf(strategyName.options)(name.trim());
    } catch (error) {
      throw new UsageError(`there is no strategy "${name.trim()}"; give some of ${strategyName.options.join(',')}`, {
        cause: error,
      });
    }
  });
  const twice = named.find((name, place) => named.indexOf(name) !== place);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice; once is enough`);
  return named;
};

const [defaultUnits, defaultSeeds, defaultStrategies] = [200, 3, 'gve,sgve,sgvef,frontier'];

const options = {
  units: option(
    'units',
    'N',
    `units of each exploration, rounded up to whole rounds of ${unitsOfRound} (${defaultUnits} without it)`,
    numberOf(
      z
        .int()
        .min(1)
        .max(most.rounds * unitsOfRound),
    ),
  ),
  seeds: option(
    'seeds',
    'N',
    `explorations of each strategy, with the seeds 1 to N (${defaultSeeds} without it)`,
    numberOf(z.int().min(1).max(most.seeds)),
  ),
  strategy: option(
    'strategy',
    'NAMES',
    `the strategies, with commas between them (${defaultStrategies} without it)`,
    strategies,
  ),
  json: flag('json', 'end with one line of JSON; progress goes to the standard error'),
  help: flag('help', 'this text'),
};

const command: Command = {
  verb: 'bench:ablation',
  about: 'Compares sampling strategies at the same number of units, on the MCP servers that came with Sextant.',
  more: 'Options stand behind two hyphens: npm run bench:ablation -- --units 110',
  operands: [],
  options: Object.values(options),
  run: () => Promise.resolve(),
};

/** Reads the words behind the command: the options, or the help that they ask for. Throws a UsageError where they make no sense. */
export function parseAblation(argv: readonly string[]): AblationOptions | { readonly help: string } {
  const program = { commands: [command], common: [] };
  const request = parseLine([command.verb, ...argv], program);
  return request.kind === 'help' ? { help: helpOf('npm run', '', program, [command]) } : optionsOf(request.given);
}

const optionsOf = (given: Given): AblationOptions => ({
  strategies: given.value(options.strategy) ?? strategies(defaultStrategies),
  seeds: Array.from({ length: given.value(options.seeds) ?? defaultSeeds }, (_, n) => n + 1),
  rounds: Math.ceil((given.value(options.units) ?? defaultUnits) / unitsOfRound),
  json: given.value(options.json),
});
