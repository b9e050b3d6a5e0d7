import { z } from 'zod';
import { strategyName, type StrategyName } from '#core/exploration/config.ts';
import {
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  type ValueParser,
} from '../../client/command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** Parsers of options that several measurements share. */

/** Distinct items, separated by commas. */
export const makeDistinctListParser =
  <T extends string>(reader: ValueParser<T>): ValueParser<T[]> =>
  (given) => {
    const named = given.split(',').map((part) => reader(part.trim()));
    const twice = named.find((name, index) => named.indexOf(name) !== index);
    if (twice !== undefined) throw new UsageError(`${twice} is named twice; once is enough`);
    return named;
  };

/** Distinct strategies, separated by commas. */
export const parseDistinctStrategies: ValueParser<StrategyName[]> = makeDistinctListParser((name) => {
  try {
    return makeOneOfParser(strategyName.options)(name);
  } catch (error) {
    throw new UsageError(`there is no strategy "${name}"; give some of ${strategyName.options.join(',')}`, {
      cause: error,
    });
  }
});

/** The default strategies to compare. */
export const defaultStrategies = 'gve,sgve,sgvef,frontier';

export const strategyOption = optionalOption(
  'strategy',
  'NAMES',
  `the strategies, with commas between them (${defaultStrategies} without it)`,
  parseDistinctStrategies,
);

/** A whole number in a range, including its ends. */
export const makeWholeNumberParser = (least: number, most: number): ValueParser<number> =>
  makeSchemaNumberParser(z.int().min(least).max(most));

/** A number of consecutive seeds. */
export const listConsecutiveSeeds = (first: number, seeds: number): number[] =>
  Array.from({ length: seeds }, (_, n) => first + n);
