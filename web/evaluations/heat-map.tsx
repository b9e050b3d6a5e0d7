import { useState } from 'preact/hooks';
import { breakdowns, type BreakdownBy, type BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import { getScorerOrThrow, type ScorerKey } from '#core/evaluation/scorers.ts';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';

interface HeatMapProps {
  readonly id: string;
  readonly metric: ScorerKey;
  /** Loads it again when it changes. */
  readonly version: number;
}

/** A metric of each agent on groups of units: the fuller the colour, the higher the mean. */
export function BreakdownHeatMap({ id, metric, version }: HeatMapProps) {
  const { evaluations } = useClient();
  const [by, setBy] = useState<BreakdownBy>('server');
  const loaded = useLoaded(() => evaluations.breakdown(id, by), [id, by, version]);
  return (
    <section>
      <h2>Where agents differ</h2>
      <label>
        Units by{' '}
        <select
          value={by}
          onChange={(event) => setBy(breakdowns.find((each) => each.by === event.currentTarget.value)?.by ?? by)}
        >
          {breakdowns.map((each) => (
            <option key={each.by} value={each.by}>
              {each.title}
            </option>
          ))}
        </select>
      </label>
      <Await of={loaded}>{(groups) => <BreakdownHeatTable groups={groups} by={by} metric={metric} />}</Await>
    </section>
  );
}

interface HeatTableProps {
  readonly groups: readonly BreakdownGroup[];
  readonly by: BreakdownBy;
  readonly metric: ScorerKey;
}

function BreakdownHeatTable({ groups, by, metric }: HeatTableProps) {
  const { title, range } = getScorerOrThrow(metric);
  const grouping = breakdowns.find((each) => each.by === by);
  const share = (mean: number): number => Math.min(1, Math.max(0, (mean - range[0]) / (range[1] - range[0])));
  return (
    <div class="scroll" role="region" aria-label="Where agents differ" tabIndex={0}>
      <table class="heat">
        <caption>{`${title} of each agent on ${grouping?.of ?? by}`}</caption>
        <thead>
          <tr>
            <th class="text">{grouping?.title}</th>
            <th>units</th>
            {groups[0]?.agents.map(({ agent }) => (
              <th key={agent}>
                <UntrustedText text={agent} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.name}>
              <th scope="row" class="text">
                <UntrustedText text={group.name} />
              </th>
              <td>{group.units}</td>
              {group.agents.map(({ agent, scores }) => {
                const { mean } = scores[metric];
                return (
                  <td key={agent} class="warm" style={mean === null ? {} : { '--share': `${share(mean)}` }}>
                    {mean === null ? '' : fixedDigitsText(mean)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
