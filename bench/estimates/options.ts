import { z } from 'zod';
import type { StrategyName } from '#core/exploration/config.ts';
import {
  flagOption,
  makeSchemaNumberParser,
  optionalOption,
  parseNonEmptyText,
} from '../../client/command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { type BenchCommand, parseBenchOptionsOrHelp } from '../shared/bench-line.ts';
import {
  defaultStrategies,
  makeDistinctListParser,
  parseDistinctStrategies,
  listConsecutiveSeeds,
  makeWholeNumberParser,
  strategyOption,
} from '../shared/readers.ts';

/** Whose estimates are compared with the truth. */
export interface EstimatesOptions {
  /** Paths of world files; null for a family. */
  readonly worlds: readonly string[] | null;
  readonly strategies: readonly StrategyName[];
  /** Each makes a world from each file or of the family, and a run of each strategy in it. */
  readonly seeds: readonly number[];
  /** Rounds whose readings are compared. */
  readonly rounds: number;
  /** Rounds within which the stop rule may apply. */
  readonly stopRounds: number;
  /** Target of the stop rule, 0..1. */
  readonly target: number;
  readonly json: boolean;
}

const most = { rounds: 10_000, seeds: 1_000 } as const;
const usual = { rounds: 60, stopRounds: 60, family: 50, seeds: 20, target: 0.8 } as const;

const options = {
  world: optionalOption(
    'world',
    'FILES',
    'world files, with commas between them, in place of a family',
    makeDistinctListParser(parseNonEmptyText),
  ),
  family: optionalOption(
    'family',
    'N',
    `so many worlds drawn at random, with a run of each strategy in each (${usual.family} without it)`,
    makeWholeNumberParser(1, most.seeds),
  ),
  strategy: strategyOption,
  rounds: optionalOption(
    'rounds',
    'N',
    `rounds whose readings are compared (${usual.rounds} without it)`,
    makeWholeNumberParser(1, most.rounds),
  ),
  seeds: optionalOption(
    'seeds',
    'N',
    `with --world: worlds of each file, and runs of each strategy, with the seeds 1 to N (${usual.seeds} without it)`,
    makeWholeNumberParser(1, most.seeds),
  ),
  stopRounds: optionalOption(
    'stop-rounds',
    'N',
    `rounds within which the stop rule may hold (${usual.stopRounds} without it)`,
    makeWholeNumberParser(1, most.rounds),
  ),
  target: optionalOption(
    'target',
    'SHARE',
    `target of the stop rule, above 0 and below 1 (${usual.target} without it)`,
    makeSchemaNumberParser(z.number().gt(0).lt(1)),
  ),
  json: flagOption('json', 'one line of JSON instead of tables'),
  help: flagOption('help', 'this text'),
};

const command: BenchCommand = {
  verb: 'bench:estimates',
  about: 'How right the estimates of a run are, in simulated worlds whose truth is known.',
  more: 'Options stand behind two hyphens: npm run bench:estimates -- --seeds 5\nProgress goes to the standard error.',
  options: Object.values(options),
};

/** Reads the words after the command. Throws a UsageError for invalid ones. */
export function parseEstimatesOptionsOrHelp(argv: readonly string[]): EstimatesOptions | { readonly help: string } {
  const asked = parseBenchOptionsOrHelp(argv, command);
  if ('help' in asked) return asked;
  const [worlds, family, seeds] = [
    asked.parseOptionValue(options.world) ?? null,
    asked.parseOptionValue(options.family),
    asked.parseOptionValue(options.seeds),
  ];
  if (worlds !== null && family !== undefined)
    throw new UsageError('--world and --family exclude each other: a family has its own worlds');
  if (worlds === null && seeds !== undefined)
    throw new UsageError('--seeds goes with --world; a family has one seed for each of its worlds: --family N');
  return {
    worlds,
    strategies: asked.parseOptionValue(options.strategy) ?? parseDistinctStrategies(defaultStrategies),
    seeds: listConsecutiveSeeds(1, worlds === null ? (family ?? usual.family) : (seeds ?? usual.seeds)),
    rounds: asked.parseOptionValue(options.rounds) ?? usual.rounds,
    stopRounds: asked.parseOptionValue(options.stopRounds) ?? usual.stopRounds,
    target: asked.parseOptionValue(options.target) ?? usual.target,
    json: asked.parseOptionValue(options.json),
  };
}
