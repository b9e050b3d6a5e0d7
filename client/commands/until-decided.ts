import { stopRule } from '#core/evaluation/decision.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import type { Given } from '../command-line/command.ts';
import { makeOneOfParser, makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';

const { kind, difference } = stopRule.shape;

export const untilOption = optionalOption(
  'until',
  'WHEN',
  'decided: draw units a few at a time, and end once the agents are told apart; all units without it',
  makeOneOfParser([kind.value]),
);
const differenceOption = optionalOption(
  'difference',
  'D',
  describeWithDefault('with --until: the largest difference that does not matter', difference),
  makeSchemaNumberParser(difference),
);

/** The options that end an evaluation early. */
export const untilDecidedOptions = { until: untilOption, difference: differenceOption };

/** Returns when to end before all attempts are made; undefined for never. */
export function readStopRule(given: Given): NewEvaluation['stop'] {
  const [until, d] = [given.parseOptionValue(untilOption), given.parseOptionValue(differenceOption)];
  if (until !== undefined) return { kind: until, difference: d };
  if (d !== undefined) throw new UsageError('--difference says when agents are told apart: give --until decided too');
  return undefined;
}
