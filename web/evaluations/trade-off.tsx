import { scaleLinear } from 'd3-scale';
import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import type { AgentResult, EvaluationResults } from '#core/evaluation/record.ts';
import { getScorerOrThrow, type ScorerKey } from '#core/evaluation/scorers.ts';
import { Axes, plot } from '../charts/axes.tsx';
import { wholeNumberText } from '../../client/command-line/text.ts';

/** Room for the name of the agent that is furthest to the right. */
const nameWidth = 80;

/** What agents cost by what they score: who is best for the money. By tokens where nothing was paid. */
export function ScoreByCostChart({
  results: { agents },
  metric,
}: {
  readonly results: EvaluationResults;
  readonly metric: ScorerKey;
}) {
  const isPaid = agents.some(({ costUsdPerAttempt }) => (costUsdPerAttempt ?? 0) > 0);
  const spent = (agent: AgentResult): number | null => (isPaid ? agent.costUsdPerAttempt : agent.tokensPerAttempt);
  const points = agents.flatMap((agent) => {
    const [x, y] = [spent(agent), agent.scores[metric].mean];
    return x === null || y === null ? [] : [{ name: agent.name, x, y }];
  });
  if (points.length < 2) return null;
  const { title, range } = getScorerOrThrow(metric);
  const x = scaleLinear()
    .domain([0, Math.max(...points.map((point) => point.x))])
    .nice(4)
    .range([plot.left, plot.width - plot.right - nameWidth]);
  const y = scaleLinear()
    .domain(
      range.every(Number.isFinite)
        ? range
        : [Math.min(0, ...points.map((point) => point.y)), Math.max(1, ...points.map((point) => point.y))],
    )
    .range([plot.height - plot.bottom, plot.top]);
  const format = (value: number): string => (isPaid ? `$${value.toPrecision(2)}` : wholeNumberText(value));
  return (
    <figure class="trade-off">
      <figcaption>{`${title} by ${isPaid ? 'cost' : 'tokens'} per attempt`}</figcaption>
      <svg
        class="plot"
        viewBox={`0 0 ${plot.width} ${plot.height}`}
        role="img"
        aria-label={points
          .map((point) => `${point.name}: ${fixedDigitsText(point.y)} for ${format(point.x)}`)
          .join(', ')}
      >
        <Axes x={x} y={y} xText={format} yText={String} across={`${isPaid ? 'cost' : 'tokens'} per attempt`} />
        {points.map((point) => (
          <circle
            key={point.name}
            class={`dot ${isOnParetoFront(point, points, metric) ? 'front' : ''}`}
            cx={x(point.x)}
            cy={y(point.y)}
            r={5}
          />
        ))}
        <PointNames points={points.map(({ name, ...at }) => ({ name, x: x(at.x), y: y(at.y) }))} />
      </svg>
    </figure>
  );
}

/** The names beside the points; agents at the same place share one. */
const PointNames = ({ points }: { readonly points: readonly (Point & { readonly name: string })[] }) => (
  <>
    {[...Map.groupBy(points, ({ x, y }) => `${Math.round(x)} ${Math.round(y / 8)}`)].map(
      ([place, [point, ...others]]) =>
        point !== undefined && (
          <text key={place} x={point.x + 8} y={point.y + 4}>
            {[point, ...others].map(({ name }) => name.slice(0, 14)).join(', ')}
          </text>
        ),
    )}
  </>
);

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Whether no other agent is as good for less, or better for as little. */
function isOnParetoFront(point: Point, points: readonly Point[], metric: ScorerKey): boolean {
  const { direction } = getScorerOrThrow(metric);
  const worth = ({ y }: Point): number => (direction === 'higher' ? y : direction === 'lower' ? -y : -Math.abs(y));
  return !points.some(
    (other) => other.x <= point.x && worth(other) >= worth(point) && (other.x < point.x || worth(other) > worth(point)),
  );
}
