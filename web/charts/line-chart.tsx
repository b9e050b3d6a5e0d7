import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { useRef } from 'preact/hooks';
import type { TextFile } from '../data/text-file.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Axes, plot } from './axes.tsx';
import { readChartColors } from './chart-colors.ts';
import type { ChartLine, ChartPoint } from './chart-line.ts';
import { pictureSvgText } from './picture.ts';
import { readDrawnSvgElements } from './read-drawn-svg.ts';

interface LineChartProps {
  readonly title: string;
  /** The name of the file that the chart is saved as. */
  readonly file: string;
  /** What the horizontal axis counts. */
  readonly across: string;
  readonly lines: readonly ChartLine[];
  /** The upper end of the vertical axis; by the data without it. */
  readonly top?: number;
  readonly format: (value: number) => string;
}

/** Lines over a count, each with the band of its interval. */
export function LineChart({ title, file, across, lines, top, format }: LineChartProps) {
  const drawn = useRef<SVGSVGElement>(null);
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
        ref={drawn}
        class="plot"
        viewBox={`0 0 ${plot.width} ${plot.height}`}
        role="img"
        aria-label={chartDescriptionText(title, lines, format)}
      >
        <Axes x={x} y={y} xText={wholeRoundTextOrEmpty} yText={format} across={across} />
        {lines.map((each) => (
          <g key={`${each.class} ${each.name}`} class={each.class}>
            {each.class !== 'behind' && <path class="band" d={band([...each.points]) ?? ''} />}
            <path class="curve" d={path([...each.points]) ?? ''} />
          </g>
        ))}
      </svg>
      <ul class="legend">
        {lines.map((each) => (
          <li key={`${each.class} ${each.name}`} class={each.class}>
            <UntrustedText text={each.name} />
          </li>
        ))}
      </ul>
      <div class="controls">
        <DownloadButton
          what={`${title.toLowerCase()} as SVG`}
          makeFile={() => chartFile({ title, file, lines, drawn: drawn.current })}
        />
      </div>
    </figure>
  );
}

interface DrawnChart extends Pick<LineChartProps, 'title' | 'file' | 'lines'> {
  readonly drawn: SVGSVGElement | null;
}

/** Returns the chart as it is on the page, in the page's colours. */
function chartFile({ title, file, lines, drawn }: DrawnChart): TextFile {
  if (drawn === null) throw new Error('the chart is not drawn yet');
  const colors = readChartColors();
  const lineColors = { first: colors.executed, second: colors.valuePassed, behind: colors.faint };
  return {
    name: file,
    type: 'image/svg+xml',
    text: pictureSvgText({
      title,
      width: plot.width,
      height: plot.height,
      drawing: readDrawnSvgElements(drawn),
      legend: lines.map((each) => ({ name: each.name, color: lineColors[each.class] })),
      colors,
    }),
  };
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
