import { html } from 'hono/html';
import type { RankingMetric } from '#core/leaderboards/metrics.ts';
import type { Html } from './frame.ts';
import { metricName } from './scores.ts';

/** The metrics that a page can be ordered by; all but the present one lead to the same page by that one. */
export const orderNav = (path: string, metrics: readonly RankingMetric[], present: RankingMetric): Html =>
  html`<nav aria-label="Order">
    <span>By</span>
    ${metrics.map((each) =>
      each === present
        ? html`<strong>${metricName(each)}</strong>`
        : html`<a href="${path}?metric=${each}">${metricName(each)}</a>`,
    )}
  </nav>`;
