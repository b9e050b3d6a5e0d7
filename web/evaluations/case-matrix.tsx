import { useMemo } from 'preact/hooks';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import { getScorerOrThrow, type ScorerKey } from '#core/evaluation/scorers.ts';
import { countWithNoun } from '../../client/command-line/text.ts';
import { IdTag } from '../parts/id-tag.tsx';
import { LongTable, type LongColumn } from '../parts/long-table.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';

interface CaseMatrixProps {
  readonly id: string;
  readonly cases: readonly EvaluationCase[];
  readonly agents: readonly string[];
  readonly metric: ScorerKey;
}

/** The cases of a unit. */
interface UnitOfMatrix {
  readonly unit: string;
  readonly cases: readonly EvaluationCase[];
  readonly worst: number;
}

/** Units by agents: each cell opens its attempts. The unit with the worst score comes first, unscored ones come last. */
export function CaseMatrix({ id, cases, agents, metric }: CaseMatrixProps) {
  const { direction, range } = getScorerOrThrow(metric);
  const units = useMemo(() => {
    const sign = direction === 'higher' ? 1 : -1;
    const badness = (each: EvaluationCase): number => {
      const value = scoreValueOf(each, metric);
      return value === null ? Number.POSITIVE_INFINITY : sign * (direction === 'zero' ? Math.abs(value) : value);
    };
    return [...Map.groupBy(cases, ({ unit }) => unit)]
      .map(([unit, ofUnit]): UnitOfMatrix => ({ unit, cases: ofUnit, worst: Math.min(...ofUnit.map(badness)) }))
      .toSorted((a, b) => (a.worst === b.worst ? 0 : a.worst < b.worst ? -1 : 1));
  }, [cases, metric, direction]);
  const share = (value: number): number => Math.min(1, Math.max(0, (value - range[0]) / (range[1] - range[0])));
  const columns: readonly LongColumn<UnitOfMatrix>[] = [
    {
      title: 'tools that were called',
      width: 5,
      cell: ({ cases: own }) => <UntrustedText text={calledToolsText(own)} />,
    },
    ...agents.map((agent) => ({
      title: agent,
      width: 2,
      cell: ({ cases: own }: UnitOfMatrix) =>
        own
          .filter((each) => each.agent === agent)
          .map((each) => {
            const value = scoreValueOf(each, metric);
            const mark = each.stage.kind === 'done' ? '–' : '…';
            return (
              <a
                key={each.id}
                class="warm"
                href={`/evaluations/${id}/cases/${encodeURIComponent(each.id)}`}
                aria-label={`${agent}, trial ${each.trial}: ${value === null ? `${mark} unscored` : fixedDigitsText(value)}`}
                style={value === null ? {} : { '--share': `${share(value)}` }}
              >
                {value === null ? mark : fixedDigitsText(value)}
              </a>
            );
          }),
    })),
    { title: 'unit', width: 2, cell: ({ unit }) => <IdTag id={unit} /> },
  ];
  return (
    <LongTable
      caption={`${countWithNoun(units.length, 'unit')}, ${countWithNoun(cases.length, 'case')}`}
      columns={columns}
      rows={units}
      keyOf={({ unit }) => unit}
    />
  );
}

const scoreValueOf = ({ scores }: EvaluationCase, metric: ScorerKey): number | null => scores[metric]?.value ?? null;

const calledToolsText = (cases: readonly EvaluationCase[]): string =>
  [
    ...new Set(
      cases.flatMap(({ attempts }) => Object.values(attempts).flatMap(({ calls }) => calls.map(({ tool }) => tool))),
    ),
  ].join(', ') || 'none';
