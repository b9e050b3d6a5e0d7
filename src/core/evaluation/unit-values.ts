import { executionCompletionGap } from '#core/metrics/ecg.ts';
import { execution } from '#core/metrics/execution.ts';
import { metamorphicConsistency } from '#core/metrics/mtc.ts';
import { overTrials, perUnit } from '#core/metrics/per-unit.ts';
import { unscored, type Score } from '#core/metrics/score.ts';
import { bothAttempts, casesByUnit, toolsOf, type ResultsBasis } from './basis.ts';
import { restored, type AttemptRecord, type EvaluationCase } from './case.ts';

export type UnitMetric = 'execution' | 'tcs' | 'mtc' | 'tfd' | 'ar' | 'uic' | 'ecg' | 'pass';

/** Every metric by unit, in the order of their ids; null where no trial of a unit is scored. */
export type ValuesByUnit = Readonly<Record<UnitMetric, ReadonlyMap<string, number | null>>>;

/** Every metric by unit, over those trials of the unit that are among the cases. */
export function valuesByUnit(cases: readonly EvaluationCase[], { tools }: Pick<ResultsBasis, 'tools'>): ValuesByUnit {
  const categories = new Map(tools.map(({ name, category }) => [name, category]));
  const trials = new Map(
    Array.from(casesByUnit(cases), ([unit, own]) => [unit, own.map((each) => scoresOf(each, categories))]),
  );
  const values = (metric: UnitMetric) =>
    new Map(Array.from(trials, ([unit, scores]) => [unit, overTrials(scores.map((each) => each[metric].value))]));
  return {
    execution: values('execution'),
    tcs: values('tcs'),
    mtc: values('mtc'),
    tfd: values('tfd'),
    ar: values('ar'),
    uic: values('uic'),
    ecg: values('ecg'),
    pass: values('pass'),
  };
}

/** The metrics of one case. */
function scoresOf(each: EvaluationCase, categories: ReadonlyMap<string, string>): Record<UnitMetric, Score> {
  const made = bothAttempts(each);
  if (made === null) {
    const none = unscored('not-evaluated', null);
    return { execution: none, tcs: none, mtc: none, tfd: none, ar: none, uic: none, ecg: none, pass: none };
  }
  const { source, followUp } = made;
  const both = (metric: keyof AttemptRecord['scores']): Score =>
    perUnit(restored(source.scores[metric]), restored(followUp.scores[metric]));
  const mtc = metamorphicConsistency(toolsOf(source), toolsOf(followUp), categories);
  const [tcs, ar, uic] = [both('tcs'), both('ar'), both('uic')];
  return {
    execution: execution(tcs, mtc),
    tcs,
    mtc,
    tfd: both('tfd'),
    ar,
    uic,
    ecg: executionCompletionGap({ tcs, mtc, ar, uic }),
    pass: both('pass'),
  };
}
