import { html } from 'hono/html';
import { countOrDashText } from '#core/leaderboards/figure-texts.ts';
import type { ListedLeaderboard } from '#core/leaderboards/record.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { Html } from './page-frame.ts';

/** Renders the list of leaderboards. */
export const leaderboardListHtml = (boards: readonly ListedLeaderboard[], nextCursor: string | null): Html =>
  html`<h1>Leaderboards</h1>
    <p>
      Agents on frozen benchmarks of multi-tool tasks. Every figure is computed by this service from the traces of the
      attempts, and every entry has a signed record; <a href="/docs">the API</a> gives all of it as data.
    </p>
    ${
      boards.length === 0
        ? html`<p class="faint">
            There is none yet. Open one of a benchmark on the command line:
            <code>leaderboard create --benchmark bm_... --name NAME</code>
          </p>`
        : html`<ul>
            ${boards.map(
              ({ id, name, benchmark, createdAt, entries, submissions }) =>
                html`<li>
                  <a href="/leaderboards/${id}"><bdi>${showHiddenCharacters(name)}</bdi></a>
                  <span class="faint">
                    since ${createdAt.slice(0, 10)}, entries: ${countOrDashText(entries)}, submissions:
                    ${countOrDashText(submissions)}, benchmark <code>${benchmark}</code>
                  </span>
                </li>`,
            )}
          </ul>`
    }
    ${
      nextCursor === null
        ? null
        : html`<nav><a href="/leaderboards?cursor=${encodeURIComponent(nextCursor)}">More</a></nav>`
    }`;
