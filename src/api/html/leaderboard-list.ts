import { html } from 'hono/html';
import { countOrDashText } from '#core/leaderboards/figure-texts.ts';
import type { ListedLeaderboard } from '#core/leaderboards/record.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { Html } from './page-frame.ts';

/** Renders the list of leaderboards. */
export const leaderboardListHtml = (boards: readonly ListedLeaderboard[], nextCursor: string | null): Html =>
  html`<h1>Leaderboards</h1>
    <p class="lead">
      Agents on frozen benchmarks of multi-tool tasks. Every figure is computed here from the traces of the attempts,
      and every entry has a signed record; <a href="/docs">the API</a> gives all of it as data.
    </p>
    ${
      boards.length === 0
        ? html`<section class="card">
            <p>There is none yet. Open one of a benchmark on the command line:</p>
            <pre class="command" tabindex="0">leaderboard create --benchmark bm_... --name NAME</pre>
          </section>`
        : html`<ul class="boards">
            ${boards.map(
              ({ id, name, createdAt, entries, submissions }) =>
                html`<li class="card">
                  <a href="/leaderboards/${id}"><bdi>${showHiddenCharacters(name)}</bdi></a>
                  <p>entries: ${countOrDashText(entries)}, submissions: ${countOrDashText(submissions)}</p>
                  <p class="eyebrow">since ${createdAt.slice(0, 10)}</p>
                </li>`,
            )}
          </ul>`
    }
    ${
      nextCursor === null
        ? null
        : html`<nav><a href="/leaderboards?cursor=${encodeURIComponent(nextCursor)}">More</a></nav>`
    }`;
