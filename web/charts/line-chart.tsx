import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';

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

const size = { width: 440, height: 240, left: 52, right: 12, top: 10, bottom: 34 };

/** Lines over a count, each with the band of its interval. */
export function LineChart({ title, across, lines, top, format }: LineChartProps) {
  const points = lines.flatMap((each) => each.points);
  const x = scaleLinear()
    .domain([Math.min(...points.map((point) => point.x), 1), Math.max(...points.map((point) => point.x), 2)])
    .range([size.left, size.width - size.right]);
  const y = scaleLinear()
    .domain([0, top ?? Math.max(1, ...points.map((point) => point.high ?? point.y))])
    .range([size.height - size.bottom, size.top]);
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
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={chartText(title, lines, format)}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line class="axis" x1={size.left} x2={size.width - size.right} y1={y(tick)} y2={y(tick)} />
            <text x={size.left - 6} y={y(tick) + 4} text-anchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {x
          .ticks(6)
          .filter(Number.isInteger)
          .map((tick) => (
            <text key={tick} x={x(tick)} y={size.height - size.bottom + 16} text-anchor="middle">
              {tick}
            </text>
          ))}
        <text x={(size.left + size.width - size.right) / 2} y={size.height - 4} text-anchor="middle">
          {across}
        </text>
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

/** Says in words what the chart shows last. */
function chartText(title: string, lines: LineChartProps['lines'], format: LineChartProps['format']): string {
  const ends = lines.flatMap(({ name, points }) => {
    const last = points.at(-1);
    return last === undefined ? [] : [`${name} ${format(last.y)}`];
  });
  return `${title}: ${ends.join(', ') || 'nothing yet'}`;
}
