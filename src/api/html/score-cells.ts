import { html, raw } from 'hono/html';
import { scoreOrDashText, intervalOrEmptyText, signedOrDashText } from '#core/leaderboards/figure-texts.ts';
import { getMetricTitleAndDirection, type ShownMetric } from '#core/leaderboards/metrics.ts';
import type { SplitGap } from '#core/leaderboards/record.ts';
import type { SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { whiskerSvg } from '#core/values/whisker-svg.ts';
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
          ><small>${intervalOrEmptyText(score)}</small> ${raw(whiskerSvg(score, range, false))}`,
      );

/** Renders a mean with its interval on the scale of its score, as wide as its cell, to be read along rows; a phone has no room for it. */
export const scaleCell = (score: Shown | null | undefined, range: readonly [number, number]): Html =>
  html`<td class="scale wide-only">
    ${score === null || score === undefined ? null : raw(whiskerSvg(score, range, true))}
  </td>`;

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
