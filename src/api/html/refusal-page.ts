import type { Context } from 'hono';
import { html } from 'hono/html';
import { errorCatalog } from '#core/values/errors.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { ApiEnv } from '../context.ts';
import { Refusal } from '../problem.ts';
import { capitalizeFirst } from './score-cells.ts';
import { respondWithPage } from './page-frame.ts';

/** Renders a refusal as a page for people; rethrows other failures. */
export async function respondOrShowRefusalAsPage(c: Context<ApiEnv>, page: () => Promise<Response>): Promise<Response> {
  try {
    return await page();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, detail } = error.problem;
    const { title, remedy, status } = errorCatalog[code];
    if (status !== 400 && status !== 403 && status !== 404 && status !== 410 && status !== 503) throw error;
    const body = html`<h1>${title}</h1>
      <p><bdi>${capitalizeFirst(showHiddenCharacters(detail))}.</bdi></p>
      <p>${remedy}</p>
      <p><a href="/leaderboards">All leaderboards</a></p>`;
    return respondWithPage(c, { title, body }, status);
  }
}
