import { html } from 'hono/html';
import { dollarsOrDashText, scoreOrDashText } from '#core/leaderboards/figure-texts.ts';
import { getMetricTitleAndDirection, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import { protocolOfEntryOrDefault, type Entry } from '#core/leaderboards/record.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { knownCostOrNull, pickRankingFigures } from '#core/leaderboards/ranking-score.ts';
import { cutVisibleText, showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { Html } from './page-frame.ts';
import { coordinateText, horizontalTick, plotRight, plotSize, scoreAxis, yOfScore } from './plot-area.ts';

/** From this ratio on, costs are drawn on a logarithmic scale. */
const wideRange = 20;

/** With more entries their names would cover each other. */
const mostNamed = 12;

interface Point {
  readonly id: string;
  /** The page of the entry. */
  readonly path: string;
  readonly name: string;
  readonly cost: number;
  readonly score: number;
}

/**
 * Plots cost against the headline, and marks the entries that no other beats in both; renders nothing if no cost is
 * known.
 */
export function costAgainstHeadlinePlot(
  protocol: ProtocolKey,
  entries: readonly Entry[],
  front: readonly Entry[],
): Html | null {
  const { title: scored } = getMetricTitleAndDirection(rankingOrdersOfProtocol(protocol).headline);
  const points = new Map(
    [...entries, ...front].flatMap((each) => pointOfEntryOrNone(each).map((point) => [point.id, point])),
  );
  const best = front.flatMap(pointOfEntryOrNone);
  if (points.size === 0) return null;
  const costs = Array.from(points.values(), ({ cost }) => cost);
  const x = makeCostScale(Math.min(...costs), Math.max(...costs));
  const onFront = new Set(best.map(({ id }) => id));
  return html`<svg
    class="plot"
    viewBox="0 0 ${plotSize.width} ${plotSize.height}"
    role="img"
    aria-label="Cost an attempt against ${scored} score"
  >
    ${scoreAxis()} ${x.ticks.map((cost) => horizontalTick(x.at(cost), dollarsOrDashText(cost)))}
    <text x="${plotRight}" y="${plotSize.height - 4}" text-anchor="end">
      cost an attempt${x.logarithmic ? ' (logarithmic)' : ''}
    </text>
    <text x="0" y="${plotSize.top - 8}">${scored}</text>
    <path class="step" d="${frontStepPath(best, x.at)}" />
    ${Array.from(
      points.values(),
      ({ path, id, name, cost, score }) =>
        html`<a href="${path}"
          ><title>${showHiddenCharacters(name)}: ${scoreOrDashText(score)}, ${dollarsOrDashText(cost)}</title
          ><circle
            class="${onFront.has(id) ? 'dot front' : 'dot'}"
            cx="${coordinateText(x.at(cost))}"
            cy="${coordinateText(yOfScore(score))}"
            r="${onFront.has(id) ? 5 : 4}"
          />${points.size > mostNamed ? null : nameBesideDot(name, x.at(cost), yOfScore(score))}</a
        >`,
    )}
  </svg>`;
}

/** Writes a name on the side of its dot that has room. */
function nameBesideDot(name: string, x: number, y: number): Html {
  const [at, anchor] = x > (plotSize.left + plotRight) / 2 ? [x - 9, 'end'] : [x + 9, 'start'];
  return html`<text x="${coordinateText(at)}" y="${coordinateText(y + 4)}" text-anchor="${anchor}">
    ${cutVisibleText(showHiddenCharacters(name), 30)}
  </text>`;
}

function pointOfEntryOrNone(entry: Entry): Point[] {
  const { id, name, leaderboard } = entry;
  const { headline } = rankingOrdersOfProtocol(protocolOfEntryOrDefault(entry));
  const cost = knownCostOrNull(entry);
  const score = pickRankingFigures(entry).scores[headline]?.mean ?? null;
  return cost === null || score === null
    ? []
    : [{ id, path: `/leaderboards/${leaderboard}/entries/${id}`, name, cost, score }];
}

/** The front as steps: between two of its entries, a higher cost gives no better score. */
const frontStepPath = (front: readonly Point[], x: (cost: number) => number): string =>
  front
    .map(
      ({ cost, score }, n) =>
        `${n === 0 ? 'M' : 'H'}${coordinateText(x(cost))}${n === 0 ? ' ' : 'V'}${coordinateText(yOfScore(score))}`,
    )
    .join('');

function makeCostScale(least: number, most: number) {
  const width = plotRight - plotSize.left;
  const logarithmic = least > 0 && most / least > wideRange;
  const place = logarithmic ? Math.log : (cost: number) => cost;
  const from = logarithmic ? place(least) : 0;
  const span = place(most) - from || 1;
  return {
    logarithmic,
    ticks: most === 0 ? [0] : logarithmic ? [least, Math.sqrt(least * most), most] : [0, most / 2, most],
    at: (cost: number): number => plotSize.left + ((place(cost) - from) / span) * (width - 24) + 12,
  };
}
