import { html } from 'hono/html';
import type { Scorer } from '#core/scoring/scorer.ts';
import type { Html } from './page-frame.ts';
import { capitalizeFirst } from './score-cells.ts';

/** Explains scores: what each asks, which values are good, and what it is not. */
export const scoresExplainedHtml = (scorers: readonly Scorer[]): Html =>
  html`<dl>
    ${scorers.map(
      ({ title, name, question, caveat, direction }) =>
        html`<dt>${capitalizeFirst(title)}${name === title ? '' : html`: ${name}`}</dt>
          <dd>${question} ${directionTexts[direction]} It is not ${caveat}.</dd>`,
    )}
  </dl>`;

const directionTexts = { higher: 'More is better.', lower: 'Less is better.', zero: 'Best near 0.' } as const;
