import { html } from 'hono/html';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { Incident } from '#core/reports/watch/incident.ts';
import type { PastVisit, WatchRecord } from '#core/reports/watch/record.ts';
import { watchVerdict } from '#core/reports/watch/show-watch.ts';
import type { Html } from './page-frame.ts';
import { scrollBoxHtml } from './scroll-box.ts';

interface WatchPage {
  readonly watch: WatchRecord;
  /** The latest first. */
  readonly incidents: readonly Incident[];
  readonly visits: readonly PastVisit[];
  /** Where the page is. */
  readonly address: string;
}

const time = (at: string): Html => html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;

/** Renders a watch: how its server stands, what happened, and each visit as a bar as high as its calls took. */
export const watchPageHtml = ({ watch, incidents, visits, address }: WatchPage): Html => html`
  <p class="eyebrow">Watched server</p>
  <h1><bdi>${watch.server.name}</bdi>: ${watchVerdict(watch)}</h1>
  <p class="lead">
    ${
      watch.problem === null
        ? html`${watch.visits} visits so far, one every ${watch.everyHours} hours: each lists the tools and repeats
          ${watch.calls} calls of those that only read.`
        : html`The last visit did not reach it: ${showHiddenCharacters(watch.problem)}`
    }
  </p>
  ${visits.length === 0 ? null : visitBars(visits)}
  <h2>Incidents</h2>
  ${
    incidents.length === 0
      ? html`<p>None so far.</p>`
      : html`<ol class="boards" reversed>
          ${incidents.map(incidentHtml)}
        </ol>`
  }
  <h2>Follow it</h2>
  <p><a href="${address}/feed.atom">Feed of the incidents</a>. A badge for a README:</p>
  <p><img src="${address}/badge.svg" alt="${`Sextant: ${watch.server.name}: ${watchVerdict(watch)}`}" /></p>
  <pre class="command" tabindex="0">[![Sextant](${address}/badge.svg)](${address})</pre>
`;

const incidentHtml = ({ number, what, since, overAt, end, class: name, changes, call }: Incident): Html =>
  html`<li class="card" id="incident-${number}">
    <p>
      <strong>${showHiddenCharacters(what)}</strong>
      ${name === null ? null : html`<span class="label">${name}</span>`}
    </p>
    <p class="eyebrow">
      since ${time(since)}${overAt === null ? ', and lasts' : end === 'told' ? '' : html`, over since ${time(overAt)}`}
    </p>
    ${
      changes.length === 0
        ? null
        : html`<details>
            <summary>What changed</summary>
            <ul>
              ${changes.map(
                (change) =>
                  html`<li>
                    <span class="label">${change.class}</span>
                    ${change.tool === null ? '' : `${change.tool}: `}${showHiddenCharacters(change.what)}
                    ${
                      change.texts === undefined
                        ? null
                        : html`<dl class="facts">
                            <dt>before</dt>
                            <dd>${showHiddenCharacters(change.texts.before)}</dd>
                            <dt>now</dt>
                            <dd>${showHiddenCharacters(change.texts.now)}</dd>
                          </dl>`
                    }
                  </li>`,
              )}
            </ul>
          </details>`
    }
    ${
      call === null
        ? null
        : html`<p><code>${call.tool} ${JSON.stringify(call.arguments)}</code></p>
            <dl class="facts">
              ${
                call.before === null
                  ? null
                  : html`<dt>${time(call.before.at)}</dt>
                      <dd>${showHiddenCharacters(call.before.text)}</dd>`
              }
              ${
                call.now === null
                  ? null
                  : html`<dt>${time(call.now.at)}</dt>
                      <dd>${showHiddenCharacters(call.now.text)}</dd>`
              }
            </dl>`
    }
  </li>`;

const barWidth = 6;
const height = 60;

function visitBars(visits: readonly PastVisit[]): Html {
  const shown = visits.toReversed();
  const most = Math.max(1, ...shown.map(({ medianMs }) => medianMs ?? 0));
  const bars = shown.map(({ at, problem, medianMs, unusual }, index) => {
    const tall = problem === null ? Math.max(3, Math.round(((medianMs ?? 0) / most) * (height - 4))) : height;
    const kind = problem !== null ? 'bad' : unusual > 0 ? 'warn' : 'mark';
    const said = problem ?? `${medianMs === null ? 'no calls' : `${Math.round(medianMs)} ms`}, ${unusual} unusual`;
    return html`<rect
      class="visit-${kind}"
      x="${index * barWidth}"
      y="${height - tall}"
      width="${barWidth - 1}"
      height="${tall}"
      ><title>${at.slice(0, 16)}: ${said}</title></rect
    >`;
  });
  const width = shown.length * barWidth;
  const missed = shown.filter(({ problem }) => problem !== null).length;
  return scrollBoxHtml(
    'visits',
    html`<svg
      class="visits"
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
      role="img"
      aria-label="${`The last ${shown.length} visits: ${missed} did not reach the server. The height is the median time of a call, ${Math.round(most)} ms at most.`}"
    >
      ${bars}
    </svg>`,
  );
}
