import { html } from 'hono/html';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import { listChangedWords, type WordsPart } from '#core/reports/watch/changed-words.ts';
import { isGrave, type Incident } from '#core/reports/watch/incident.ts';
import type { PastVisit, WatchRecord } from '#core/reports/watch/record.ts';
import { watchVerdict } from '#core/reports/watch/show-watch.ts';
import { layOutVisitBars } from '#core/reports/watch/visit-bars.ts';
import type { Html } from './page-frame.ts';

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
          ${watch.calls} ${watch.calls === 1 ? 'call' : 'calls'} of those that only read.`
        : html`The last visit did not reach it: ${showHiddenCharacters(watch.problem)}`
    }
  </p>
  ${
    watch.open.some(({ class: ofChange }) => ofChange === 'hostile')
      ? html`<p class="note">
          Do not let agents use this server until somebody has read what it says now: its texts reach them as
          instructions.
        </p>`
      : null
  }
  <h2>Incidents</h2>
  ${
    incidents.length === 0
      ? html`<p>None so far.</p>`
      : html`<ul class="plain findings">
          ${incidents.map(incidentHtml)}
        </ul>`
  }
  ${visits.length === 0 ? null : visitBars(visits)}
  <h2>Follow it</h2>
  <p><a href="${address}/feed.atom">Feed of the incidents</a>. A badge for a README:</p>
  <p><img src="${address}/badge.svg" alt="${`Sextant: ${watch.server.name}: ${watchVerdict(watch)}`}" /></p>
  <pre class="command" tabindex="0">[![Sextant](${address}/badge.svg)](${address})</pre>
`;

const incidentHtml = (incident: Incident): Html => {
  const { number, kind, what, since, overAt, end, class: ofChange, changes, call } = incident;
  return html`<li id="incident-${number}">
    <span class="label status ${overAt !== null ? '' : isGrave(incident) ? 'bad' : 'warn'}">${ofChange ?? kind}</span>
    <div>
      <strong>${showHiddenCharacters(what)}</strong>
      <p class="eyebrow">
        since
        ${time(since)}${overAt === null ? ', and lasts' : end === 'told' ? '' : html`, over since ${time(overAt)}`}
      </p>
      ${changes.map(changeHtml)} ${call === null ? null : callHtml(call)}
    </div>
  </li>`;
};

const changeHtml = ({ tool, class: name, what, texts }: Incident['changes'][number]): Html =>
  html`<p><span class="label">${name}</span> ${tool === null ? '' : `${tool}: `}${showHiddenCharacters(what)}</p>
    ${texts === undefined ? null : html`<blockquote>${listChangedWords(texts.before, texts.now).map(wordsHtml)}</blockquote>`}`;

const wordsHtml = ([kind, text]: WordsPart): Html => {
  const shown = html`<bdi>${showHiddenCharacters(text)}</bdi>`;
  return kind === 'same' ? shown : kind === 'gone' ? html`<del>${shown}</del>` : html`<ins>${shown}</ins>`;
};

const callHtml = ({ tool, arguments: given, before, now }: NonNullable<Incident['call']>): Html =>
  html`<p><code>${showHiddenCharacters(`${tool} ${JSON.stringify(given)}`)}</code></p>
    <div class="sides">${answerHtml('last usual answer', before)} ${answerHtml('first unusual answer', now)}</div>`;

const answerHtml = (title: string, answer: NonNullable<Incident['call']>['now']): Html | null =>
  answer === null
    ? null
    : html`<section>
        <h4>${title}, ${time(answer.at)}</h4>
        <pre tabindex="0">${showHiddenCharacters(answer.text)}</pre>
      </section>`;

function visitBars(visits: readonly PastVisit[]): Html {
  const { bars, places, rule, said } = layOutVisitBars(visits);
  return html`<figure>
    <svg class="visits" viewBox="0 0 ${places * 10} 70" preserveAspectRatio="none" role="img" aria-label="${said}">
      ${bars.map(
        ({ place, tall, kind, said: ofVisit }) =>
          html`<rect class="visit-${kind}" x="${place * 10 + 1}" y="${60 - 60 * tall}" width="8" height="${60 * tall}"
            ><title>${showHiddenCharacters(ofVisit)}</title></rect
          >`,
      )}
      <path class="axis" d="${rule}" />
    </svg>
    <ul class="legend">
      <li class="visit-mark">as usual</li>
      <li class="visit-warn">unusual answers</li>
      <li class="visit-bad">not reached</li>
    </ul>
    <p class="faint">${said}</p>
  </figure>`;
}
