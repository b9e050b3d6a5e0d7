import { html } from 'hono/html';
import { listShortfallsOfAttempt, type ExplainedCase } from '#core/evaluation/explained-case.ts';
import { scoreOrDashText } from '#core/leaderboards/figure-texts.ts';
import { protocolOfEntryOrDefault, type Entry } from '#core/leaderboards/record.ts';
import { cutVisibleText, showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import { listScorersWithSomethingToSay } from '#core/evaluation/shown-scorers.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { Html } from './page-frame.ts';
import { capitalizeFirst, offlineNote } from './score-cells.ts';

/** Characters of a name or an end. */
const nameChars = 120;

export interface CaseListPage {
  readonly entry: Entry;
  /** Cases of public units only. */
  readonly cases: readonly ExplainedCase[];
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
}

/** An entry's cases of public units, each with its scores and what its attempts fall short in. */
export function caseListHtml({ entry, cases, next }: CaseListPage): Html {
  const path = `/leaderboards/${entry.leaderboard}/entries/${entry.id}`;
  return html`<p>
      <a href="${path}"><bdi>${showHiddenCharacters(entry.name)}</bdi></a>
    </p>
    <h1>Cases of public units</h1>
    <p>
      A case is one trial at one unit: an attempt at each of its requests. An attempt is followed by the scores in which
      it falls short of the best, with the reasons that rules or a judge gave. What the agent did is in the
      <a href="/v1${path}/traces">public traces</a>; the same as data is at <a href="/v1${path}/cases">cases</a>.
    </p>
    ${entry.offline ? offlineNote : null}
    ${
      cases.length === 0
        ? html`<p>There are no more cases.</p>`
        : html`<ul class="plain findings">
            ${cases.map((each) => caseHtml(each, protocolOfEntryOrDefault(entry)))}
          </ul>`
    }
    <nav>
      ${next === null ? null : html`<a href="${path}/cases?after=${encodeURIComponent(next)}" rel="next">More cases</a>`}
    </nav>`;
}

/** A case: its headline as a verdict, the other scores, and what it falls short in, open if it failed. */
function caseHtml({ unit, trial, scores, attempts, goals }: ExplainedCase, protocol: ProtocolKey): Html {
  const shown = listScorersWithSomethingToSay(protocol, (key) => (scores[key]?.value ?? null) !== null);
  const [headline, ...others] = shown.map(({ key, title, direction }) => {
    const value = scores[key]?.value ?? null;
    const isBest = direction === 'higher' && value === 1;
    return { isBest, text: `${capitalizeFirst(title)} ${scoreOrDashText(value)}` };
  });
  return html`<li>
    ${headline === undefined ? html`<span></span>` : html`<span class="label status ${headline.isBest ? 'good' : 'bad'}">${headline.text}</span>`}
    <div>
      <h2 class="first"><bdi>${cutAndShowHiddenCharacters(unit)}</bdi>, trial ${trial}</h2>
      <p class="faint">${others.map(({ text }) => text).join(', ')}</p>
      <details ${headline?.isBest === true ? '' : 'open'}>
        <summary>What its attempts fall short in</summary>
        ${attempts.map((attempt) => attemptHtml(attempt, goals))}
      </details>
    </div>
  </li>`;
}

function attemptHtml(attempt: ExplainedCase['attempts'][number], goals: ExplainedCase['goals']): Html {
  const shortfalls = listShortfallsOfAttempt(attempt, goals);
  return html`<h3>
      <bdi>${cutAndShowHiddenCharacters(attempt.request)}</bdi>:
      <bdi>${cutAndShowHiddenCharacters(attempt.end)}</bdi>${shortfalls.length === 0 ? ', nothing missing' : null}
    </h3>
    <ul>
      ${shortfalls.map(
        ({ of, value, why }) =>
          html`<li>
            <bdi>${showHiddenCharacters(of)}</bdi> ${scoreOrDashText(value)}:
            <bdi>${showHiddenCharacters(why)}</bdi>
          </li>`,
      )}
    </ul>`;
}

const cutAndShowHiddenCharacters = (text: string): string => showHiddenCharacters(cutVisibleText(text, nameChars));
