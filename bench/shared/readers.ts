import { z } from 'zod';
import { strategyName, type StrategyName } from '#core/exploration/config.ts';
import { numberParser, oneOfParser, optionalOption, type ValueParser } from '../../client/command-line/options.ts';
import { UsageError } from '../../client/command-line/usage-error.ts';

/** Parsers of options that several measurements share. */

/** Distinct items, separated by commas. */
export const distinctListParser =
  <T extends string>(reader: ValueParser<T>): ValueParser<T[]> =>
  (given) => {
    const named = given.split(',').map((part) => reader(part.trim()));
    const twice = named.find((name, place) => named.indexOf(name) !== place);
    if (twice !== undefined) throw new UsageError(`${twice} is named twice; once is enough`);
    return named;
  };

/** Distinct strategies, separated by commas. */
export const strategies: ValueParser<StrategyName[]> = distinctListParser((name) => {
  try {
    return oneOfParser(strategyName.options)(name);
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
  strategies,
);

/** A whole number in a range, including its ends. */
export const wholeNumberParser = (least: number, most: number): ValueParser<number> =>
  numberParser(z.int().min(least).max(most));

/** A number of consecutive seeds. */
export const listConsecutiveSeeds = (first: number, seeds: number): number[] =>
  Array.from({ length: seeds }, (_, n) => first + n);
