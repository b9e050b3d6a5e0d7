import { html } from 'hono/html';
import { dollarsText, scoreText } from '#core/leaderboards/figure-texts.ts';
import { describeMetric, defaultMetric } from '#core/leaderboards/metrics.ts';
import type { Entry } from '#core/leaderboards/record.ts';
import { rankingScore } from '#core/leaderboards/ranking-score.ts';
import { visibleText } from '#core/leaderboards/visible-text.ts';
import type { Html } from './frame.ts';

const size = { width: 640, height: 320, left: 48, right: 16, top: 24, bottom: 36 };
/** From this ratio on, costs are drawn on a logarithmic scale. */
const wideRange = 20;

interface Point {
  readonly id: string;
  readonly name: string;
  readonly cost: number;
  readonly score: number;
}

/**
 * Plots cost against execution score, and marks the entries that no other beats in both; renders nothing if no cost is
 * known.
 */
export function costPlot(entries: readonly Entry[], front: readonly Entry[]): Html | null {
  const points = new Map(
    [...entries, ...front].flatMap((each) => plottablePoints(each).map((point) => [point.id, point])),
  );
  const best = front.flatMap(plottablePoints);
  if (points.size === 0) return null;
  const costs = Array.from(points.values(), ({ cost }) => cost);
  const x = makeCostScale(Math.min(...costs), Math.max(...costs));
  const y = (score: number): number => size.top + (1 - score) * (size.height - size.top - size.bottom);
  const onFront = new Set(best.map(({ id }) => id));
  const bottom = size.height - size.bottom;
  const right = size.width - size.right;
  return html`<svg
    class="plot"
    viewBox="0 0 ${size.width} ${size.height}"
    role="img"
    aria-label="Cost an attempt against ${describeMetric(defaultMetric).title} score"
  >
    ${[0, 0.25, 0.5, 0.75, 1].map(
      (score) =>
        html`<line
            class="axis"
            x1="${size.left}"
            x2="${right}"
            y1="${coordinateText(y(score))}"
            y2="${coordinateText(y(score))}"
          />
          <text x="${size.left - 6}" y="${coordinateText(y(score) + 4)}" text-anchor="end">${score}</text>`,
    )}
    ${x.ticks.map(
      (cost) =>
        html`<line
            class="axis"
            x1="${coordinateText(x.at(cost))}"
            x2="${coordinateText(x.at(cost))}"
            y1="${bottom}"
            y2="${bottom + 4}"
          />
          <text x="${coordinateText(x.at(cost))}" y="${bottom + 16}" text-anchor="middle">${dollarsText(cost)}</text>`,
    )}
    <text x="${right}" y="${size.height - 4}" text-anchor="end">
      cost an attempt${x.logarithmic ? ' (logarithmic)' : ''}
    </text>
    <text x="0" y="${size.top - 8}">execution</text>
    <path class="step" d="${stepPath(best, x.at, y)}" />
    ${Array.from(
      points.values(),
      ({ id, name, cost, score }) =>
        html`<circle
          class="${onFront.has(id) ? 'dot front' : 'dot'}"
          cx="${coordinateText(x.at(cost))}"
          cy="${coordinateText(y(score))}"
          r="${onFront.has(id) ? 5 : 4}"
          ><title>${visibleText(name)}: ${scoreText(score)}, ${dollarsText(cost)}</title></circle
        >`,
    )}
  </svg>`;
}

const coordinateText = (place: number): string => place.toFixed(1);

function plottablePoints(entry: Entry): Point[] {
  const { id, name, scores } = entry;
  const cost = rankingScore(entry, 'cost');
  const score = scores[defaultMetric]?.mean ?? null;
  return cost === null || score === null ? [] : [{ id, name, cost, score }];
}

/** The front as steps: between two of its entries, a higher cost gives no better score. */
const stepPath = (front: readonly Point[], x: (cost: number) => number, y: (score: number) => number): string =>
  front
    .map(
      ({ cost, score }, n) =>
        `${n === 0 ? 'M' : 'H'}${coordinateText(x(cost))}${n === 0 ? ' ' : 'V'}${coordinateText(y(score))}`,
    )
    .join('');

function makeCostScale(least: number, most: number) {
  const width = size.width - size.left - size.right;
  const logarithmic = least > 0 && most / least > wideRange;
  const place = logarithmic ? Math.log : (cost: number) => cost;
  const from = logarithmic ? place(least) : 0;
  const span = place(most) - from || 1;
  return {
    logarithmic,
    ticks: most === 0 ? [0] : logarithmic ? [least, Math.sqrt(least * most), most] : [0, most / 2, most],
    at: (cost: number): number => size.left + ((place(cost) - from) / span) * (width - 24) + 12,
  };
}
