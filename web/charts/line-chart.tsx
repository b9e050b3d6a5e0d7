import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { Axes, plot } from './axes.tsx';

/** A point of a line; with a band if its interval is known. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

/** A line with its band, and the class by which it is drawn. */
export interface ChartLine {
  readonly name: string;
  readonly class: 'first' | 'second';
  readonly points: readonly ChartPoint[];
}

interface LineChartProps {
  readonly title: string;
  /** What the horizontal axis counts. */
  readonly across: string;
  readonly lines: readonly ChartLine[];
  /** The upper end of the vertical axis; by the data without it. */
  readonly top?: number;
  readonly format: (value: number) => string;
}

/** Lines over a count, each with the band of its interval. */
export function LineChart({ title, across, lines, top, format }: LineChartProps) {
  const points = lines.flatMap((each) => each.points);
  const x = scaleLinear()
    .domain([Math.min(...points.map((point) => point.x), 1), Math.max(...points.map((point) => point.x), 2)])
    .range([plot.left, plot.width - plot.right]);
  const y = scaleLinear()
    .domain([0, top ?? Math.max(1, ...points.map((point) => point.high ?? point.y))])
    .range([plot.height - plot.bottom, plot.top]);
  if (top === undefined) y.nice(4);
  const path = line<ChartPoint>(
    (point) => x(point.x),
    (point) => y(point.y),
  );
  const band = area<ChartPoint>(
    (point) => x(point.x),
    (point) => y(point.low ?? point.y),
    (point) => y(point.high ?? point.y),
  );
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <svg
        class="plot"
        viewBox={`0 0 ${plot.width} ${plot.height}`}
        role="img"
        aria-label={chartDescriptionText(title, lines, format)}
      >
        <Axes x={x} y={y} xText={wholeRoundTextOrEmpty} yText={format} across={across} />
        {lines.map((each) => (
          <g key={each.name} class={each.class}>
            <path class="band" d={band([...each.points]) ?? ''} />
            <path class="curve" d={path([...each.points]) ?? ''} />
          </g>
        ))}
      </svg>
      <ul class="legend">
        {lines.map((each) => (
          <li key={each.name} class={each.class}>
            {each.name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Rounds have whole numbers; what lies between two has no name. */
const wholeRoundTextOrEmpty = (value: number): string => (Number.isInteger(value) ? `${value}` : '');

/** Says in words what the chart shows last. */
function chartDescriptionText(title: string, lines: LineChartProps['lines'], format: LineChartProps['format']): string {
  const ends = lines.flatMap(({ name, points }) => {
    const last = points.at(-1);
    return last === undefined ? [] : [`${name} ${format(last.y)}`];
  });
  return `${title}: ${ends.join(', ') || 'nothing yet'}`;
}
