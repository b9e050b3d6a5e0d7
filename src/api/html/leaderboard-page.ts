import { html } from 'hono/html';
import { dollarsOrDashText } from '#core/leaderboards/figure-texts.ts';
import {
  getMetricTitleAndDirection,
  isLowerBetter,
  rankingOrdersOfProtocol,
  spentMetric,
  type RankingMetric,
  type ShownMetric,
} from '#core/leaderboards/metrics.ts';
import type { Entry, LeaderboardRecord, RankedEntry } from '#core/leaderboards/record.ts';
import { useMargin } from '#core/leaderboards/behind.ts';
import { floorSentences } from '#core/evaluation/floor-text.ts';
import type { ShownMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import { judgeMeasureSentences } from '#core/evaluation/judge-measure/measure-texts.ts';
import type { BenchmarkFloor } from '#core/evaluation/floor.ts';
import { defaultClaimMs } from '#core/evaluation/lease.ts';
import { submissionTier, type SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { listScorersShownInBrief } from '#core/leaderboards/scorers.ts';
import { mountingName, oracleMounting } from '#core/units/mounting/mounting.ts';
import { describeMounting, oracleCaveat } from '#core/units/mounting/mounting-texts.ts';
import { givesPrivateUnitsToTier } from '#core/leaderboards/limits.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import { isCostByListPrices, knownCostOrNull } from '#core/leaderboards/ranking-score.ts';
import { scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import type { Html } from './page-frame.ts';
import { scoresExplainedHtml } from './scores-explained.ts';
import { scrollBoxHtml } from './scroll-box.ts';
import { orderNav } from './order-nav.ts';
import { costAgainstHeadlinePlot } from './cost-plot.ts';
import { executionAgainstCompletionPlot } from './trade-off-plot.ts';
import {
  capitalizeFirst,
  gapCell,
  capitalizedMetricTitle,
  offlineNote,
  rankingScoreCell,
  scoreCell,
  tierMeaning,
} from './score-cells.ts';

export interface TablePage {
  readonly board: LeaderboardRecord;
  readonly tier: SubmissionTier;
  readonly metric: RankingMetric;
  readonly rows: readonly RankedEntry[];
  readonly front: readonly Entry[];
  readonly floor: BenchmarkFloor | null;
  /** Its judge, with how it was measured. */
  readonly judges: readonly ShownMeasure[];
  readonly from: number;
  readonly limit: number;
  readonly total: number;
}

/** Renders the entries of a leaderboard's tier in the order of a metric. */
export function leaderboardTierPageHtml({
  board,
  tier,
  metric,
  rows,
  front,
  floor,
  judges,
  from,
  limit,
  total,
}: TablePage): Html {
  const path = `/leaderboards/${board.id}`;
  const shown = total === 0 ? null : orderNav(`${path}?tier=${tier}`, board.metrics, metric);
  return html`<p class="eyebrow"><a href="/leaderboards">Leaderboards</a></p>
    <h1><bdi>${showHiddenCharacters(board.name)}</bdi></h1>
    <p class="lead">
      ${board.publicUnits + board.privateUnits} tasks for agents with tools, ${board.trials}
      ${board.trials === 1 ? 'trial' : 'trials'} each, protocol ${board.protocol}, judge
      ${showHiddenCharacters(board.judge.model)}.
    </p>
    ${board.offline ? offlineNote : null} ${tierNav(path, board.entries, tier)}
    <p class="faint">
      ${capitalizeFirst(tierMeaning(tier))}. Entries rank by
      ${givesPrivateUnitsToTier(board, tier) ? 'their figures on the private units' : 'the public units'}.
    </p>
    ${shown}
    ${
      rows.length === 0
        ? html`<p class="card">
            ${total === 0 ? 'Nothing is published in this tier yet. The first entry could be yours.' : 'There are no more entries.'}
          </p>`
        : html`${rankedTable(board, tier, metric, rows)}
          ${pageNav(`${path}?tier=${tier}&metric=${metric}`, { from, limit, total })}`
    }
    ${submitSection(board, tier)} ${costSection(board, rows, front)} ${tradeOffSection(rows)}
    ${domainSection(board, rows)}
    <h2>What to know</h2>
    ${aboutDetails(board, floor, judges)}
    <details>
      <summary>What the scores mean</summary>
      ${scoresExplainedHtml(scorersOfProtocol(board.protocol))}
    </details>
    <h2>As data</h2>
    <nav>
      <a href="/v1/leaderboards/${board.id}/export?format=csv">CSV</a>
      <a href="/v1/leaderboards/${board.id}/export?format=jsonl">JSON Lines</a>
      <a href="/v1/leaderboards/${board.id}/log">Log</a>
      <a href="/v1/signing-key">Signing key</a>
    </nav>`;
}

/** How an agent gets onto the board, in three lines. */
const submitSection = (board: LeaderboardRecord, tier: SubmissionTier): Html =>
  html`<h2>Submit an agent</h2>
    <pre class="command" tabindex="0">
npm ci
export SEXTANT_URL=THIS_ADDRESS SEXTANT_KEY=YOUR_KEY
npm run sextant -- ${submitCommands[tier]} --leaderboard ${board.id} --name NAME</pre>`;

/** What its units are, what knowing nothing scores, and how its judge was measured. */
const aboutDetails = (board: LeaderboardRecord, floor: BenchmarkFloor | null, judges: readonly ShownMeasure[]): Html =>
  html`<details>
    <summary>Its units, its floor and its judge</summary>
    <p>
      Benchmark <a href="/v1/benchmarks/${board.benchmark}/public"><code>${board.benchmark}</code></a
      >, ${board.publicUnits} public and ${board.privateUnits} private units (${board.unproven ?? 'an unknown number'}
      unproven, ${board.nearDuplicatesLeftOut ?? 'an unknown number of'} near-duplicates left out).
      ${mountingSentence(board.mounting)} An agent at the gateway may hold an attempt for
      ${(board.claimMs ?? defaultClaimMs) / 1_000} seconds.
      ${
        board.previous === null
          ? null
          : html`It continues <a href="/leaderboards/${board.previous}">the version before</a>.`
      }
    </p>
    <p>${showHiddenCharacters(floorSentences(floor).join(' '))}</p>
    <p>${showHiddenCharacters(judgeMeasureSentences(judges).join(' '))}</p>
  </details>`;

const submitCommands: Readonly<Record<SubmissionTier, string>> = {
  service: 'submit service --model MODEL',
  gateway: 'submit gateway --command "COMMAND"',
  'self-reported': 'submit traces traces.jsonl',
};

/** Says which tools the agents saw, and what figures under oracle are not. */
function mountingSentence(mounting: LeaderboardRecord['mounting']): string {
  const chosen = mounting ?? oracleMounting;
  const caveat = chosen.kind === 'oracle' ? ` ${oracleCaveat}` : '';
  return `Agents saw ${describeMounting(chosen)} (${mountingName(chosen)}).${caveat}`;
}

/** Renders links to the rankings of the tiers, with the number of entries of each. */
const tierNav = (path: string, entries: LeaderboardRecord['entries'], present: SubmissionTier): Html =>
  html`<nav aria-label="Tier" class="tabs">
    ${submissionTier.options.map((tier) =>
      tier === present
        ? html`<strong>${tier} (${entries[tier]})</strong>`
        : html`<a href="${path}?tier=${tier}">${tier} (${entries[tier]})</a>`,
    )}
  </nav>`;

/** A metric's label, which says what a score asks. */
const explainedTitle = (metric: ShownMetric, scorer: Scorer | undefined): Html | string =>
  scorer === undefined
    ? capitalizedMetricTitle(metric)
    : html`<abbr title="${scorer.name}: ${scorer.question}">${capitalizedMetricTitle(metric)}</abbr>`;

function rankedTable(
  board: LeaderboardRecord,
  tier: SubmissionTier,
  metric: RankingMetric,
  rows: readonly RankedEntry[],
): Html {
  const path = `/leaderboards/${board.id}`;
  const { headline } = rankingOrdersOfProtocol(board.protocol);
  const headlineTitle = getMetricTitleAndDirection(headline).title;
  const briefScorers = listScorersShownInBrief(board.protocol);
  const offered: readonly ShownMetric[] = board.metrics;
  const hasPrivate = rows.some(({ entry }) => entry.private !== null);
  const heading = (each: ShownMetric): Html => {
    const title = explainedTitle(
      each,
      briefScorers.find(({ key }) => key === each),
    );
    const name = offered.includes(each) ? html`<a href="${path}?tier=${tier}&metric=${each}">${title}</a>` : title;
    return each === metric
      ? html`<th scope="col" role="columnheader" aria-sort="${isLowerBetter(metric) ? 'ascending' : 'descending'}">
          ${name}
        </th>`
      : html`<th scope="col" role="columnheader">${name}</th>`;
  };
  const unrankedNote = spentMetric.safeParse(metric).success
    ? `“–” is an entry that is listed and not ranked: it is more than ${useMargin} below the tier's best ${headlineTitle}, or has no such figure.`
    : '“–” is an entry without a score.';
  return html`${scrollBoxHtml(
      'Entries',
      html`<table role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Rank</th>
            <th scope="col" role="columnheader" class="text">Name</th>
            ${[...briefScorers.map(({ key }) => key), 'cost' as const].map(heading)}
            ${
              hasPrivate
                ? html`<th scope="col" role="columnheader">Private ${headlineTitle}</th>
                    <th scope="col" role="columnheader">Gap</th>`
                : null
            }
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map((row) => rankedRow(board, { row, rank: rankText(row.rank, rows), metric, hasPrivate }))}
        </tbody>
      </table>`,
      'phone',
    )}
    <details>
      <summary>How to read it</summary>
      <p>
        Ranks with “=” are ties: those entries cannot be told from the first of them. Small figures are 95% intervals,
        drawn on their scale for the score that is chosen. ${unrankedNote}
        <span class="front">◆</span>
        marks the tier's front of cost and ${headlineTitle}. Costs are of an attempt, by published prices or, where that
        is said, by those that its submitter declared, which rank apart.
      </p>
    </details>`;
}

interface ShownRow {
  readonly row: RankedEntry;
  readonly rank: string;
  readonly metric: RankingMetric;
  readonly hasPrivate: boolean;
}

function rankedRow(board: LeaderboardRecord, { row, rank, metric, hasPrivate }: ShownRow): Html {
  const { position, onFront, entry } = row;
  const { id, name, scores, costUsd, private: hidden } = entry;
  const isDeclared = costUsd !== null && !isCostByListPrices(entry);
  const place = row.ranked
    ? html`<td role="cell" data-of="Rank" title="position ${position}">${rank}</td>`
    : html`<td role="cell" data-of="Rank" title="listed, not ranked">–</td>`;
  const { headline } = rankingOrdersOfProtocol(board.protocol);
  const front = `on the front of cost and ${getMetricTitleAndDirection(headline).title}`;
  return html`<tr role="row">
    ${place}
    <th scope="row" role="rowheader" class="text">
      <a href="/leaderboards/${board.id}/entries/${id}"><bdi>${showHiddenCharacters(name)}</bdi></a>
      ${onFront ? html`<span class="front" title="${front}">◆</span>` : null}
    </th>
    ${listScorersShownInBrief(board.protocol).map(({ key, range }) => (key === metric ? rankingScoreCell(scores[key], range, capitalizedMetricTitle(key)) : scoreCell(scores[key], capitalizedMetricTitle(key))))}
    <td role="cell" data-of="Cost">
      ${dollarsOrDashText(costUsd)}${isDeclared ? html` <span class="faint">declared</span>` : null}
    </td>
    ${hasPrivate ? html`${scoreCell(hidden?.scores[headline], `Private ${getMetricTitleAndDirection(headline).title}`)} ${gapCell(hidden?.gap[headline], 'Gap')}` : null}
  </tr>`;
}

/** `3=` where another entry of the page has the same rank. */
const rankText = (rank: number, rows: readonly RankedEntry[]): string =>
  rows.filter((row) => row.rank === rank).length > 1 ? `${rank}=` : String(rank);

function pageNav(
  path: string,
  { from, limit, total }: { readonly from: number; readonly limit: number; readonly total: number },
): Html {
  const link = (cursor: number, text: string): Html => html`<a href="${path}&cursor=${cursor}">${text}</a>`;
  return html`<nav aria-label="Pages">
    ${from > 0 ? link(Math.max(0, from - limit), 'Previous') : null}
    <span class="faint">${from + 1} to ${Math.min(from + limit, total)} of ${total}</span>
    ${from + limit < total ? link(from + limit, 'Next') : null}
  </nav>`;
}

function costSection(
  { protocol }: LeaderboardRecord,
  rows: readonly RankedEntry[],
  front: readonly Entry[],
): Html | null {
  const plot = costAgainstHeadlinePlot(
    protocol,
    rows.map(({ entry }) => entry),
    front,
  );
  return plot === null
    ? null
    : html`<h2>Cost and ${getMetricTitleAndDirection(rankingOrdersOfProtocol(protocol).headline).title}</h2>
        <p class="faint">
          The entries above whose cost is known (${rows.filter(({ entry }) => knownCostOrNull(entry) !== null).length}
          of ${rows.length}), and the front: those by published prices that no other beats in both.
        </p>
        ${plot}`;
}

/** Whether an entry's answers are as good as its calls. */
function tradeOffSection(rows: readonly RankedEntry[]): Html | null {
  const plot = executionAgainstCompletionPlot(rows.map(({ entry }) => entry));
  return plot === null
    ? null
    : html`<h2>Execution and completion</h2>
        <p class="faint">
          The entries above. Execution is the mean of TCS and MTC, completion the mean of AR and UIC. Above the line the
          calls are better than the answers, below it the answers are better than the calls.
        </p>
        ${plot}`;
}

/** The headline by domain: where an agent is strong and where it is weak. */
function domainSection(board: LeaderboardRecord, rows: readonly RankedEntry[]): Html | null {
  const path = `/leaderboards/${board.id}`;
  const { headline } = rankingOrdersOfProtocol(board.protocol);
  const names = [...new Set(rows.flatMap(({ entry }) => entry.domains.map(({ name }) => name)))].toSorted();
  if (names.length === 0) return null;
  return html`<h2>Domains</h2>
    ${scrollBoxHtml(
      'Domains',
      html`<table>
        <caption>
          ${capitalizedMetricTitle(headline)} over the units of each domain.
        </caption>
        <thead>
          <tr>
            <th scope="col" class="text">Name</th>
            ${names.map((name) => html`<th scope="col"><bdi>${showHiddenCharacters(name)}</bdi></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ entry: { id, name, domains } }) => {
            const byName = new Map(domains.map((domain) => [domain.name, domain[headline]]));
            return html`<tr>
              <th scope="row" class="text">
                <a href="${path}/entries/${id}"><bdi>${showHiddenCharacters(name)}</bdi></a>
              </th>
              ${names.map((domain) => scoreCell(byName.get(domain)))}
            </tr>`;
          })}
        </tbody>
      </table>`,
      'snug',
    )}`;
}
