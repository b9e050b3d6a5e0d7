import { html } from 'hono/html';
import {
  countOrDashText,
  dollarsOrDashText,
  scoreOrDashText,
  intervalOrEmptyText,
  secondsOrDashText,
  signedOrDashText,
} from '#core/leaderboards/figure-texts.ts';
import {
  protocolOfEntryOrDefault,
  type Entry,
  type EntryPlace,
  type EntryScores,
  type LeaderboardRecord,
  type PairedPlace,
  type SignedRecord,
} from '#core/leaderboards/record.ts';
import { isolationText, mountingAndToolCountsText } from '#core/leaderboards/figure-texts.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { Html } from './page-frame.ts';
import { scrollBoxHtml } from './scroll-box.ts';
import { orderNav } from './order-nav.ts';
import { listScorersShownByDomain } from '#core/leaderboards/scorers.ts';
import { useMargin } from '#core/leaderboards/behind.ts';
import { rankingOrdersOfProtocol, spentMetric, type RankingMetric } from '#core/leaderboards/metrics.ts';
import { listScorersWithSomethingToSay } from '#core/evaluation/shown-scorers.ts';
import type { ScorerKey } from '#core/evaluation/scorers.ts';
import {
  capitalizeFirst,
  gapCell,
  capitalizedMetricTitle,
  offlineNote,
  scaleCell,
  scoreCell,
  tierLabelHtml,
  tierMeaning,
} from './score-cells.ts';

export interface EntryPage {
  readonly board: LeaderboardRecord;
  readonly entry: Entry;
  readonly place: EntryPlace;
  readonly vouched: SignedRecord;
}

/** Everything that is known about an entry. */
export function entryPageHtml({ board, entry, place, vouched }: EntryPage): Html {
  const path = `/leaderboards/${board.id}`;
  const data = `/v1/leaderboards/${board.id}/entries/${entry.id}`;
  return html`<p>
      <a href="${path}?tier=${entry.tier}"><bdi>${showHiddenCharacters(board.name)}</bdi></a>
    </p>
    <h1><bdi>${showHiddenCharacters(entry.name)}</bdi> ${tierLabelHtml(entry.tier)}</h1>
    ${entry.offline ? offlineNote : null} ${placeSection(path, board, entry, place)} ${scoreSection(entry)}
    ${costAndDurationSection(entry)} ${domainSection(entry)} ${provenanceSection(board, entry, vouched)}
    <h2>As data</h2>
    <nav>
      <a href="${data}/record">Signed record</a>
      <a href="${path}/entries/${entry.id}/cases">Cases of public units with reasons</a>
      <a href="${data}/traces">Public traces</a>
      <a href="${data}/history">History</a>
      <a href="${data}">Entry</a>
      <a href="/v1/leaderboards/${board.id}/log">Log</a>
    </nav>
    <p><img src="${data}/badge.svg" alt="Badge of this entry" height="22" /></p>`;
}

function placeSection(path: string, board: LeaderboardRecord, entry: Entry, place: EntryPlace): Html {
  const { metric, position, rank, ranked, of, onFront, leader, above } = place;
  const title = capitalizedMetricTitle(metric);
  return html`<h2>Place</h2>
    ${orderNav(`${path}/entries/${entry.id}`, board.metrics, metric)}
    <p>
      ${
        ranked
          ? html`Rank <strong>${rank}</strong> of ${of} in its tier by ${title}; position ${position} by the figure
              alone.`
          : html`Listed, not ranked by ${title}: ${notRankedReasonText(metric)}.`
      }
      ${onFront ? html`<span class="front">◆</span> No other entry of its tier whose cost is known has both a better ${capitalizedMetricTitle(rankingOrdersOfProtocol(board.protocol).headline)} and a lower cost.` : null}
    </p>
    ${ranked ? placeReasons(path, leader, above) : null}`;
}

/** Says what keeps an entry from a place by a metric. */
const notRankedReasonText = (metric: RankingMetric): string =>
  spentMetric.safeParse(metric).success
    ? `${metric === 'cost' ? 'its cost is unknown or by declared prices' : 'it has no such figure'}, or its success is more than ${useMargin} below the best of its tier`
    : 'it has no score';

const placeReasons = (path: string, leader: PairedPlace | null, above: PairedPlace | null): Html =>
  html`<ul>
    ${
      leader === null
        ? null
        : html`<li>
            It cannot be told from ${entryLink(path, leader)}, the first of its rank${differenceText(leader)}.
          </li>`
    }
    <li>
      ${
        above === null
          ? 'No entry of its tier is significantly better.'
          : html`The first of the rank above is ${entryLink(path, above)}${differenceText(above)}.`
      }
    </li>
  </ul>`;

const entryLink = (path: string, { with: id, name }: PairedPlace): Html =>
  html`<a href="${path}/entries/${id}"><bdi>${showHiddenCharacters(name)}</bdi></a>`;

const differenceText = (paired: PairedPlace): string =>
  paired.difference === null
    ? ''
    : `: this one less that one is ${signedOrDashText(paired.difference)}${paired.low === null ? '' : ` (${intervalOrEmptyText(paired)})`}, over ${paired.units} common units`;

/** Public and private figures are separate, because only the public units can be memorized. */
function scoreSection(entry: Entry): Html {
  const { scores, private: hidden, units } = entry;
  const unitsCell = (of: EntryScores | undefined, key: ScorerKey): Html => {
    const found = of?.[key];
    return html`<td>
      ${found?.n ?? '–'}${found !== undefined && found.unscored > 0 ? html`<small>${found.unscored} without</small>` : null}
    </td>`;
  };
  return html`<h2>Scores</h2>
    ${scrollBoxHtml(
      'Scores',
      html`<table>
        <caption>
          Means over units with 95% intervals: ${units} public
          units${hidden === null ? '; not tried on private ones' : `, ${hidden.units} private ones that nobody can read. The gap is the public mean less the private one`}.
        </caption>
        <thead>
          <tr>
            <th scope="col" class="text">Metric</th>
            <th scope="col">Public</th>
            <td class="wide-only"></td>
            <th scope="col">Units</th>
            ${
              hidden === null
                ? null
                : html`<th scope="col">Private</th>
                    <th scope="col">Units</th>
                    <th scope="col">Gap</th>`
            }
          </tr>
        </thead>
        <tbody>
          ${listScorersOfEntry(entry).map(
            (scorer) =>
              html`<tr>
                  <th scope="row" class="text">${capitalizeFirst(scorer.title)}</th>
                  ${scoreCell(scores[scorer.key])} ${scaleCell(scores[scorer.key], scorer.range)}
                  ${unitsCell(scores, scorer.key)}
                  ${hidden === null ? null : html`${scoreCell(hidden.scores[scorer.key])} ${unitsCell(hidden.scores, scorer.key)} ${gapCell(hidden.gap[scorer.key])}`}
                </tr>
                ${scorer.direction === 'zero' ? absoluteMeanRow(entry, scorer.key) : null}`,
          )}
          ${scores.passes.map((pass) => passRow(pass, hidden))}
        </tbody>
      </table>`,
    )}`;
}

const passRow = ({ k, passHatK }: EntryScores['passes'][number], hidden: Entry['private']): Html => {
  const other = hidden?.scores.passes.find((each) => each.k === k)?.passHatK;
  return html`<tr>
    <th scope="row" class="text">Pass^${k}</th>
    ${scoreCell(passHatK)} ${scaleCell(passHatK, [0, 1])}
    <td>${passHatK.n}</td>
    ${
      hidden === null
        ? null
        : html`${scoreCell(other)}
            <td>${other?.n ?? '–'}</td>
            <td>–</td>`
    }
  </tr>`;
};

const listScorersOfEntry = (entry: Entry) =>
  listScorersWithSomethingToSay(protocolOfEntryOrDefault(entry), (key) => (entry.scores[key]?.mean ?? null) !== null);

/** The mean of absolute values. */
const absoluteMeanRow = ({ scores, private: hidden }: Entry, key: ScorerKey): Html =>
  html`<tr>
    <th scope="row" class="text">${capitalizedMetricTitle(key)}</th>
    <td>${scoreOrDashText(scores[key]?.meanAbsolute ?? null)}</td>
    <td class="wide-only"></td>
    <td>${scores[key]?.n ?? '–'}</td>
    ${
      hidden === null
        ? null
        : html`<td>${scoreOrDashText(hidden.scores[key]?.meanAbsolute ?? null)}</td>
            <td>${hidden.scores[key]?.n ?? '–'}</td>
            <td>–</td>`
    }
  </tr>`;

const costAndDurationSection = ({
  configuration: { prices },
  costUsd,
  priceSource,
  tokens,
  durationMs,
  attempts,
  notEvaluated,
  relaunched,
  private: hidden,
}: Entry): Html =>
  html`<h2>Cost</h2>
    <dl class="facts">
      <dt>An attempt</dt>
      <dd>
        ${costUsd === null ? 'unknown cost' : dollarsOrDashText(costUsd)},
        ${tokens === null ? 'unknown tokens' : `${countOrDashText(tokens)} tokens`}
      </dd>
      <dt>Prices</dt>
      <dd>
        ${
          prices === undefined
            ? 'nobody has declared any'
            : `${dollarsOrDashText(prices.promptPricePerMTok)} for a million tokens of prompts, ${dollarsOrDashText(prices.completionPricePerMTok)} of completions, ${priceSource === undefined ? 'as the submitter declared them' : `from the list (read on ${priceSource.readOn} at ${priceSource.url})`}`
        }
      </dd>
      <dt>Duration</dt>
      <dd>
        ${secondsOrDashText(durationMs?.median ?? null)} in the median, ${secondsOrDashText(durationMs?.p95 ?? null)}
        for 95%
      </dd>
      <dt>Attempts</dt>
      <dd>
        ${attempts}
        public${brokenAttemptsSuffixText(notEvaluated)}${relaunched === undefined || relaunched === 0 ? '' : `, ${relaunched} made a second time`}${hidden === null ? '' : `; ${hidden.attempts} private${brokenAttemptsSuffixText(hidden.notEvaluated)}`}
      </dd>
    </dl>`;

const brokenAttemptsSuffixText = (count: number): string =>
  count === 0 ? '' : `, ${count} broken by faults of the infrastructure`;

function domainSection(entry: Entry): Html | null {
  const { domains: list } = entry;
  const domainScorers = listScorersShownByDomain(protocolOfEntryOrDefault(entry));
  return list.length === 0
    ? null
    : html`<h2>Domains</h2>
        ${scrollBoxHtml(
          'Domains',
          html`<table>
            <thead>
              <tr>
                <th scope="col" class="text">Domain</th>
                <th scope="col">Units</th>
                ${domainScorers.map(({ key }) => html`<th scope="col">${capitalizedMetricTitle(key)}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${list.map(
                ({ name, units, ...scores }) =>
                  html`<tr>
                    <th scope="row" class="text"><bdi>${showHiddenCharacters(name)}</bdi></th>
                    <td>${units}</td>
                    ${domainScorers.map(({ key }) => scoreCell(scores[key]))}
                  </tr>`,
              )}
            </tbody>
          </table>`,
        )}`;
}

/** `2026-11-25 17:43 UTC` */
const minuteText = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

function provenanceSection(board: LeaderboardRecord, entry: Entry, { record, publicKey }: SignedRecord): Html {
  const { configuration } = entry;
  const { prompts, judge, embedder, seed, harness, catalog } = record.provenance;
  const limits = Object.entries(configuration.limits).map(([name, value]) => `${name} ${value}`);
  const facts: readonly (readonly [string, string])[] = [
    ['How it was made', tierMeaning(entry.tier)],
    ['Agent', `${configuration.loop}, ${configuration.model ?? 'its model is not known to this service'}`],
    ['Limits', limits.join(', ')],
    ['Mounting', mountingAndToolCountsText(entry)],
    ['State of the servers', isolationText(entry)],
    ['Submitted', minuteText(entry.submittedAt)],
    ['Published', minuteText(entry.publishedAt)],
    ['Benchmark', entry.benchmark],
    ['Catalog', catalog],
    ['Protocol', `${board.protocol}, ${entry.trials} ${entry.trials === 1 ? 'trial' : 'trials'}, seed ${seed}`],
    ['Harness', harness],
    ['Judge', `${judge.model} at ${judge.baseUrl}`],
    ['Embedder', `${embedder.model} at ${embedder.baseUrl}`],
    ['Prompts', prompts.join(', ')],
    ['Seal of the public traces', record.traces.public.sha256],
    ['Seal of the private traces', record.traces.private?.sha256 ?? '–'],
    ['Signed with', publicKey],
  ];
  return html`<h2>Provenance</h2>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd><bdi>${showHiddenCharacters(value)}</bdi></dd>`,
      )}
    </dl>`;
}
