import { correctForReader, type TrueShare } from '#core/statistics/true-share.ts';
import { fixedDigitsText } from '../figure-texts.ts';
import type { AgentResult, EvaluationRecord, EvaluationResults } from '../record.ts';
import type { Share } from './judge-figures.ts';
import type { MeasuredJudging, ShownMeasure } from './judge-measure.ts';

/**
 * Returns results with the measures of their judges, and with the share of successes of each agent corrected for their errors. A
 * share is corrected only if one judge decides alone and each case has one attempt: a case of several succeeds only if all do,
 * and a panel's majority errs less than its members.
 */
export const addJudgeMeasures = (
  results: EvaluationResults,
  judges: readonly ShownMeasure[],
  { progress, config }: Pick<EvaluationRecord, 'progress' | 'config'>,
): EvaluationResults => {
  const cases = results.agents.length * progress.units * config.trials;
  const trueSuccess = judges.length === 1 && progress.attempts === cases ? correctSuccess(results.agents, judges) : {};
  return judges.length === 0 ? results : { ...results, judging: { judges: [...judges], trueSuccess } };
};

function correctSuccess(agents: readonly AgentResult[], [judge]: readonly ShownMeasure[]): Record<string, TrueShare> {
  const outcome = judge?.measure?.outcome;
  if (outcome?.state !== 'measured') return {};
  return Object.fromEntries(
    agents.flatMap(({ name, scores: { success } }) => {
      if (success.mean === null) return [];
      const corrected = correctForReader(success.mean, success.n, outcome.figures);
      return corrected === null ? [] : [[name, corrected] as const];
    }),
  );
}

const percent = ({ value }: Pick<Share, 'value'>): string =>
  value === null ? 'none' : `${fixedDigitsText(100 * value, 0)}%`;

const percentWithInterval = (share: Share): string =>
  share.value === null
    ? 'none'
    : `${percent(share)} (${fixedDigitsText(100 * share.low, 0)}% to ${fixedDigitsText(100 * share.high, 0)}%)`;

/** Returns sentences on how well the judges of an evaluation read attempts whose verdict is known, and what follows for its agents. */
export const judgingSentences = (judging: MeasuredJudging | undefined): string[] =>
  judging === undefined ? [] : [...judgeMeasureSentences(judging.judges), ...trueSuccessSentences(judging.trueSuccess)];

/** Returns sentences on how well judges read attempts whose verdict is known. */
export const judgeMeasureSentences = (judges: readonly ShownMeasure[]): string[] => judges.flatMap(sentencesOnJudge);

function sentencesOnJudge({ model, measure }: ShownMeasure): string[] {
  if (measure === null) return [`Nobody has measured the judge ${model} yet; \`sextant judges measure\` does.`];
  const { outcome, evaluation } = measure;
  if (outcome.state === 'running') return [`The judge ${model} is being measured by ${evaluation}.`];
  if (outcome.state === 'unavailable') return [`The judge ${model} could not be measured: ${outcome.reason}.`];
  const { accuracy, sensitivity, specificity, turnedByAnswer, turnedByResult } = outcome.figures;
  return [
    `The judge ${model} is right on ${percentWithInterval(accuracy)} of ${accuracy.n} attempts whose verdict is known: it finds ${percent(sensitivity)} of the successes and ${percent(specificity)} of the failures.`,
    `An order hidden in the answer turns ${percent(turnedByAnswer)} of its right verdicts, one in a result ${percent(turnedByResult)}.`,
  ];
}

const trueSuccessSentences = (trueSuccess: MeasuredJudging['trueSuccess']): string[] => {
  const all = Object.entries(trueSuccess).map(
    ([name, { value, low, high }]) =>
      `${name} ${fixedDigitsText(value)} [${fixedDigitsText(low)}, ${fixedDigitsText(high)}]`,
  );
  return all.length === 0 ? [] : [`Success corrected for the errors of the judge: ${all.join(', ')}.`];
};
