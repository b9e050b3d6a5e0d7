import type { ScaleLinear } from 'd3-scale';

/** The area of a chart, in the units of its view box. */
export const plot = { width: 440, height: 240, left: 52, right: 12, top: 10, bottom: 34 };

type Scale = ScaleLinear<number, number>;

interface AxesProps {
  readonly x: Scale;
  readonly y: Scale;
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
  /** What the horizontal axis measures. */
  readonly across: string;
}

/** The lines and the texts of both axes. */
export const Axes = ({ x, y, xText, yText, across }: AxesProps) => (
  <>
    {y.ticks(4).map((tick) => (
      <g key={tick}>
        <line class="axis" x1={plot.left} x2={plot.width - plot.right} y1={y(tick)} y2={y(tick)} />
        <text x={plot.left - 6} y={y(tick) + 4} text-anchor="end">
          {yText(tick)}
        </text>
      </g>
    ))}
    {x.ticks(5).map((tick) => (
      <text key={tick} x={x(tick)} y={plot.height - plot.bottom + 16} text-anchor="middle">
        {xText(tick)}
      </text>
    ))}
    <text x={(plot.left + plot.width - plot.right) / 2} y={plot.height - 4} text-anchor="middle">
      {across}
    </text>
  </>
);
