import { modelName } from '#core/evaluation/config.ts';
import { maxPanel } from '#core/scoring/votes.ts';
import type { Rejudging } from '../resources/evaluations.ts';
import type { Given } from './command.ts';
import { optionalOption, repeatableOption, makeSchemaTextParser } from './options.ts';

/** The judges of an evaluation, by model, at the deployment's endpoint for judges. */
export const judgeOptions = {
  judge: optionalOption(
    'judge',
    'MODEL',
    "the judge, at the deployment's endpoint for judges; the deployment's without it",
    makeSchemaTextParser(modelName),
  ),
  panel: repeatableOption(
    'panel',
    'MODEL',
    `a model there that votes on success beside the judge; up to ${maxPanel - 1}`,
    makeSchemaTextParser(modelName),
  ),
};

/** Returns the judges that a line names. */
export function readJudgeOptions(given: Given): Pick<Rejudging, 'judge' | 'panel'> {
  const [judge, panel] = [given.parseOptionValue(judgeOptions.judge), given.parseOptionValue(judgeOptions.panel)];
  return {
    ...(judge === undefined ? {} : { judge: { model: judge } }),
    ...(panel.length === 0 ? {} : { panel: panel.map((model) => ({ model })) }),
  };
}
