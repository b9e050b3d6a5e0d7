import { wholeNumberText, percentText } from '../../client/command-line/text.ts';
import { estimateLines, type NamedReadings } from './estimate-lines.ts';
import { LineChart } from './line-chart.tsx';

interface EstimateChartsProps {
  readonly id: string;
  readonly own: NamedReadings;
  /** The run that is compared; null if none is. */
  readonly other: NamedReadings | null;
}

/** What is known after each round, and how much there may be. */
export function EstimateCharts({ id, own, other }: EstimateChartsProps) {
  const { across, coverage, transitions } = estimateLines(own, other);
  return (
    <div class="charts">
      <LineChart
        title="Probe coverage"
        file={`${id}-probe-coverage.svg`}
        across={across}
        top={1}
        format={percentText}
        lines={coverage}
      />
      <LineChart
        title="Transitions"
        file={`${id}-transitions.svg`}
        across={across}
        format={wholeNumberText}
        lines={transitions}
      />
    </div>
  );
}
