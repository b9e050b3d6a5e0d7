import { html } from 'hono/html';
import type { RankingMetric } from '#core/leaderboards/metrics.ts';
import type { Html } from './page-frame.ts';
import { capitalizedMetricTitle } from './score-cells.ts';

/** Renders links to the same page, whose address may have a query, in the order of every other metric. */
export const orderNav = (path: string, metrics: readonly RankingMetric[], present: RankingMetric): Html =>
  html`<nav aria-label="Order">
    <span>By</span>
    ${metrics.map((each) =>
      each === present
        ? html`<strong>${capitalizedMetricTitle(each)}</strong>`
        : html`<a href="${path}${path.includes('?') ? '&' : '?'}metric=${each}">${capitalizedMetricTitle(each)}</a>`,
    )}
  </nav>`;
