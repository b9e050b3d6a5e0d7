import { z } from 'zod';
import type { StrategyName } from '#core/exploration/config.ts';
import type { Given } from '../../client/command-line/command.ts';
import {
  flagOption,
  makeSchemaNumberParser,
  type Option,
  optionalOption,
  parseNonEmptyText,
} from '../../client/command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { type BenchCommand, parseBenchOptionsOrHelp } from '../shared/bench-line.ts';
import {
  defaultStrategies,
  parseDistinctStrategies,
  listConsecutiveSeeds,
  makeWholeNumberParser,
  strategyOption,
} from '../shared/readers.ts';

/** Strategies in the same worlds, made from one file with different seeds. */
export interface WorldOptions {
  readonly kind: 'world';
  /** Path of the world file; null for the default. */
  readonly world: string | null;
  readonly strategies: readonly StrategyName[];
  /** Each makes a world from the file, and a run of each strategy in it. */
  readonly seeds: readonly number[];
  readonly rounds: number;
  /** The share of the true transitions that is asked for, 0..1. */
  readonly target: number;
  /** File for a picture of the curves. */
  readonly svg: string | null;
  readonly json: boolean;
}

/** `sgvef` and `frontier` in many different worlds, a run of each in each. */
export interface FamilyOptions {
  readonly kind: 'family';
  /** Each makes a world and both runs. */
  readonly seeds: readonly number[];
  /** Maximum rounds of a run. */
  readonly rounds: number;
  readonly target: number;
  readonly json: boolean;
}

export type DiscoveryOptions = WorldOptions | FamilyOptions;

const most = { rounds: 10_000, seeds: 1_000, seed: 2_000_000_000 } as const;
const usual = { rounds: 450, seeds: 20, target: 0.8, familyRounds: 3_000, firstSeed: 1 } as const;

const share = z.number().gt(0).max(1);

const options = {
  world: optionalOption(
    'world',
    'FILE',
    'the world file (bench/discovery/worlds/paper-scale.json without it)',
    parseNonEmptyText,
  ),
  strategy: strategyOption,
  rounds: optionalOption(
    'rounds',
    'N',
    `rounds of each run at most (${usual.rounds} without it, ${usual.familyRounds} with --family)`,
    makeWholeNumberParser(1, most.rounds),
  ),
  seeds: optionalOption(
    'seeds',
    'N',
    `worlds of the file, and runs of each strategy, with the seeds 1 to N (${usual.seeds} without it)`,
    makeWholeNumberParser(1, most.seeds),
  ),
  target: optionalOption(
    'target',
    'SHARE',
    `share of the true transitions to find, above 0 and at most 1 (${usual.target} without it)`,
    makeSchemaNumberParser(share),
  ),
  svg: optionalOption('svg', 'FILE', 'also draw what was found by units', parseNonEmptyText),
  family: optionalOption(
    'family',
    'N',
    'instead of a file: N random worlds, sgvef and frontier once in each',
    makeWholeNumberParser(1, most.seeds),
  ),
  firstSeed: optionalOption(
    'first-seed',
    'S',
    `with --family: the seed of the first world (${usual.firstSeed} without it)`,
    makeWholeNumberParser(0, most.seed),
  ),
  json: flagOption('json', 'one line of JSON instead of tables'),
  help: flagOption('help', 'this text'),
};

const command: BenchCommand = {
  verb: 'bench:discovery',
  about: 'How fast strategies find the transitions of simulated worlds whose truth is known.',
  more: 'Options stand behind two hyphens: npm run bench:discovery -- --seeds 5\nProgress goes to the standard error.',
  options: Object.values(options),
};

/** Reads the words after the command. Throws a UsageError for invalid ones. */
export function parseDiscoveryOptionsOrHelp(argv: readonly string[]): DiscoveryOptions | { readonly help: string } {
  const asked = parseBenchOptionsOrHelp(argv, command);
  if ('help' in asked) return asked;
  const worlds = asked.parseOptionValue(options.family);
  return worlds === undefined ? readWorldOptions(asked) : readFamilyOptions(asked, worlds);
}

function readWorldOptions(given: Given): WorldOptions {
  throwIfOptionGiven(
    given,
    options.firstSeed,
    '--first-seed goes with --family; without it the seeds are 1 to --seeds',
  );
  return {
    kind: 'world',
    world: given.parseOptionValue(options.world) ?? null,
    strategies: given.parseOptionValue(options.strategy) ?? parseDistinctStrategies(defaultStrategies),
    seeds: listConsecutiveSeeds(1, given.parseOptionValue(options.seeds) ?? usual.seeds),
    rounds: given.parseOptionValue(options.rounds) ?? usual.rounds,
    target: given.parseOptionValue(options.target) ?? usual.target,
    svg: given.parseOptionValue(options.svg) ?? null,
    json: given.parseOptionValue(options.json),
  };
}

function readFamilyOptions(given: Given, worlds: number): FamilyOptions {
  for (const each of [options.world, options.strategy, options.seeds, options.svg])
    throwIfOptionGiven(
      given,
      each,
      `--${each.name} and --family exclude each other: a family has its own worlds, and always runs sgvef and frontier`,
    );
  return {
    kind: 'family',
    seeds: listConsecutiveSeeds(given.parseOptionValue(options.firstSeed) ?? usual.firstSeed, worlds),
    rounds: given.parseOptionValue(options.rounds) ?? usual.familyRounds,
    target: given.parseOptionValue(options.target) ?? usual.target,
    json: given.parseOptionValue(options.json),
  };
}

function throwIfOptionGiven(given: Given, each: Option<unknown>, message: string): void {
  if (given.parseOptionValue(each) !== undefined) throw new UsageError(message);
}
