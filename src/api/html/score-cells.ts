import { html } from 'hono/html';
import { scoreOrDashText, intervalOrEmptyText, signedOrDashText } from '#core/leaderboards/figure-texts.ts';
import { getMetricTitleAndDirection, type ShownMetric } from '#core/leaderboards/metrics.ts';
import type { SplitGap } from '#core/leaderboards/record.ts';
import type { SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import type { Html } from './page-frame.ts';

/** A metric's label on pages. */
export const capitalizedMetricTitle = (metric: ShownMetric): string =>
  capitalizeFirst(getMetricTitleAndDirection(metric).title);

export const capitalizeFirst = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const tiers: Readonly<Record<SubmissionTier, string>> = {
  service: 'this service ran the agent with the submitter’s model',
  gateway: 'the submitter’s agent worked through this service’s recording gateway',
  'self-reported': 'the submitter uploaded the traces: what they say happened was not watched',
};

export const tierLabelHtml = (tier: SubmissionTier): Html =>
  html`<span class="label" title="${tiers[tier]}">${tier}</span>`;
export const tierMeaning = (tier: SubmissionTier): string => tiers[tier];

interface Shown {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** A cell; a phone shows in it what it is of, because the head of its table is not shown there. */
const cell = (of: string | undefined, content: Html | string): Html =>
  of === undefined ? html`<td>${content}</td>` : html`<td role="cell" data-of="${of}">${content}</td>`;

/** Renders a mean with its interval below. */
export const scoreCell = (score: Shown | null | undefined, of?: string): Html =>
  cell(
    of,
    score === null || score === undefined
      ? '–'
      : html`${scoreOrDashText(score.mean)}<small>${intervalOrEmptyText(score)}</small>`,
  );

/** Renders a mean with its interval in digits, and on the scale of its score. */
export const rankingScoreCell = (score: Shown | null | undefined, range: readonly [number, number], of: string): Html =>
  score === null || score === undefined
    ? scoreCell(score, of)
    : cell(
        of,
        html`<strong>${scoreOrDashText(score.mean)}</strong
          ><small>${intervalOrEmptyText(score)}</small> ${whiskerSvg(score, range)}`,
      );

/** Ties are seen as bars that overlap. */
function whiskerSvg({ mean, low, high }: Shown, [least, most]: readonly [number, number]): Html | null {
  if (mean === null) return null;
  const x = (value: number): string =>
    ((100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least)).toFixed(1);
  return html`<svg class="whisker" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <path class="axis" fill="none" d="${scalePath}" />
    ${low === null || high === null ? null : html`<line class="interval" x1="${x(low)}" x2="${x(high)}" y1="3.5" y2="3.5" />`}
    <rect class="mean" x="${x(mean)}" y="0" width="1.5" height="7" />
  </svg>`;
}

/** A scale with ten parts. */
const scalePath = `M0 9.5H100${Array.from({ length: 11 }, (_, tick) => `M${tick * 10} ${tick % 5 === 0 ? 6 : 8}V9.5`).join('')}`;

/** Renders the gap between public and private units with its interval below. */
export const gapCell = (gap: SplitGap | null | undefined, of?: string): Html =>
  cell(
    of,
    gap === null || gap === undefined
      ? '–'
      : html`${signedOrDashText(gap.difference)}<small>${intervalOrEmptyText(gap)}</small>`,
  );

export const offlineNote: Html = html`<p class="note">
  Made by <strong>offline</strong> rules that stand in for models: these figures say nothing about models.
</p>`;
