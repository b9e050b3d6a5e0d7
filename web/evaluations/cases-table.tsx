import { useMemo } from 'preact/hooks';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import { getScorerOrThrow, type ScorerKey } from '#core/evaluation/scorers.ts';
import { countWithNoun } from '../../client/command-line/text.ts';
import { LongTable, type LongColumn } from '../parts/long-table.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Status } from '../parts/status.tsx';

interface CasesTableProps {
  readonly id: string;
  readonly cases: readonly EvaluationCase[];
  readonly metric: ScorerKey;
}

/** The cases, those with the worst score of a metric first; unscored ones come last. */
export function CasesTable({ id, cases, metric }: CasesTableProps) {
  const shown = useMemo(() => {
    const sign = getScorerOrThrow(metric).direction === 'higher' ? 1 : -1;
    const badness = (each: EvaluationCase): number => {
      const value = scoreValueOf(each, metric);
      if (value === null) return Number.POSITIVE_INFINITY;
      return sign * (getScorerOrThrow(metric).direction === 'zero' ? Math.abs(value) : value);
    };
    return cases.toSorted((a, b) => compareScores(badness(a), badness(b)));
  }, [cases, metric]);
  const columns: readonly LongColumn<EvaluationCase>[] = [
    {
      title: 'unit',
      width: 4,
      cell: (each) => <a href={`/evaluations/${id}/cases/${encodeURIComponent(each.id)}`}>{each.unit}</a>,
    },
    { title: 'agent', width: 2, cell: (each) => <UntrustedText text={each.agent} /> },
    { title: 'trial', width: 1, isNumber: true, cell: ({ trial }) => trial },
    { title: 'state', width: 2, cell: ({ stage }) => <Status of={stage.kind} /> },
    { title: 'calls', width: 1, isNumber: true, cell: (each) => countCallsWhere(each, () => true) },
    {
      title: 'failed',
      width: 1,
      isNumber: true,
      cell: (each) => countCallsWhere(each, ({ outcome }) => outcome !== 'success'),
    },
    {
      title: getScorerOrThrow(metric).title,
      width: 2,
      isNumber: true,
      cell: (each) => {
        const value = scoreValueOf(each, metric);
        return value === null ? '' : fixedDigitsText(value, 3);
      },
    },
  ];
  return (
    <LongTable caption={countWithNoun(cases.length, 'case')} columns={columns} rows={shown} keyOf={(each) => each.id} />
  );
}

const compareScores = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

const scoreValueOf = ({ scores }: EvaluationCase, metric: ScorerKey): number | null => scores[metric]?.value ?? null;

const countCallsWhere = (
  { attempts }: EvaluationCase,
  which: (call: EvaluationCase['attempts'][string]['calls'][number]) => boolean,
): number => Object.values(attempts).reduce((sum, { calls }) => sum + calls.filter(which).length, 0);
