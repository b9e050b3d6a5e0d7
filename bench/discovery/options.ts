import { z } from 'zod';
import type { StrategyName } from '#core/exploration/config.ts';
import type { Given } from '../../client/command-line/command.ts';
import {
  flagOption,
  numberParser,
  type Option,
  optionalOption,
  parseNonEmptyText,
} from '../../client/command-line/options.ts';
import { UsageError } from '../../client/command-line/usage-error.ts';
import { type BenchCommand, parseBenchLineOrHelp } from '../shared/bench-line.ts';
import {
  defaultStrategies,
  strategies,
  listConsecutiveSeeds,
  wholeNumberParser,
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
    wholeNumberParser(1, most.rounds),
  ),
  seeds: optionalOption(
    'seeds',
    'N',
    `worlds of the file, and runs of each strategy, with the seeds 1 to N (${usual.seeds} without it)`,
    wholeNumberParser(1, most.seeds),
  ),
  target: optionalOption(
    'target',
    'SHARE',
    `share of the true transitions to find, above 0 and at most 1 (${usual.target} without it)`,
    numberParser(share),
  ),
  svg: optionalOption('svg', 'FILE', 'also draw what was found by units', parseNonEmptyText),
  family: optionalOption(
    'family',
    'N',
    'instead of a file: N random worlds, sgvef and frontier once in each',
    wholeNumberParser(1, most.seeds),
  ),
  firstSeed: optionalOption(
    'first-seed',
    'S',
    `with --family: the seed of the first world (${usual.firstSeed} without it)`,
    wholeNumberParser(0, most.seed),
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
export function parseDiscoveryOrHelp(argv: readonly string[]): DiscoveryOptions | { readonly help: string } {
  const asked = parseBenchLineOrHelp(argv, command);
  if ('help' in asked) return asked;
  const worlds = asked.value(options.family);
  return worlds === undefined ? readWorldOptions(asked) : readFamilyOptions(asked, worlds);
}

function readWorldOptions(given: Given): WorldOptions {
  refuseOptionIfGiven(
    given,
    options.firstSeed,
    '--first-seed goes with --family; without it the seeds are 1 to --seeds',
  );
  return {
    kind: 'world',
    world: given.value(options.world) ?? null,
    strategies: given.value(options.strategy) ?? strategies(defaultStrategies),
    seeds: listConsecutiveSeeds(1, given.value(options.seeds) ?? usual.seeds),
    rounds: given.value(options.rounds) ?? usual.rounds,
    target: given.value(options.target) ?? usual.target,
    svg: given.value(options.svg) ?? null,
    json: given.value(options.json),
  };
}

function readFamilyOptions(given: Given, worlds: number): FamilyOptions {
  for (const each of [options.world, options.strategy, options.seeds, options.svg])
    refuseOptionIfGiven(
      given,
      each,
      `--${each.name} and --family exclude each other: a family has its own worlds, and always runs sgvef and frontier`,
    );
  return {
    kind: 'family',
    seeds: listConsecutiveSeeds(given.value(options.firstSeed) ?? usual.firstSeed, worlds),
    rounds: given.value(options.rounds) ?? usual.familyRounds,
    target: given.value(options.target) ?? usual.target,
    json: given.value(options.json),
  };
}

function refuseOptionIfGiven(given: Given, each: Option<unknown>, message: string): void {
  if (given.value(each) !== undefined) throw new UsageError(message);
}
