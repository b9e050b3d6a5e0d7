import type { RoundReading } from '#core/exploration/reading-record.ts';
import { wholeNumberText, percentText } from '../../client/command-line/text.ts';
import { LineChart } from './line-chart.tsx';

/** How the estimates of a run went, with their 95% intervals: what is known, and how much there may be. */
export function EstimateCharts({ readings }: { readonly readings: readonly RoundReading[] }) {
  if (readings.length === 0) return null;
  const coverage = readings.flatMap(({ round, probeCoverage }) =>
    probeCoverage === null
      ? []
      : [{ x: round, y: probeCoverage.value, low: probeCoverage.low, high: probeCoverage.high }],
  );
  return (
    <section>
      <h2>Estimates</h2>
      <div class="charts">
        <LineChart
          title="Probe coverage"
          across="round"
          top={1}
          format={percentText}
          lines={[{ name: 'share of probe transitions that were known, 95%', class: 'first', points: coverage }]}
        />
        <LineChart
          title="Transitions"
          across="round"
          format={wholeNumberText}
          lines={[
            {
              name: 'Chao1, an estimate of all, 95%',
              class: 'second',
              points: readings.map(({ round, chao1 }) => ({
                x: round,
                y: chao1.estimate,
                low: chao1.low,
                high: chao1.high,
              })),
            },
            {
              name: 'executed',
              class: 'first',
              points: readings.map(({ round, transitions }) => ({ x: round, y: transitions })),
            },
          ]}
        />
      </div>
    </section>
  );
}
