import type { Context } from 'hono';
import { html } from 'hono/html';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { ApiEnv } from '../context.ts';

/** A fragment of a page; inserted texts are escaped. */
export type Html = ReturnType<typeof html>;

/** URL of the stylesheet of all pages. */
export const stylePath = '/docs/style.css';

/** No scripts, no external content, no frames: nothing in a name can run. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every page. */
export const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
};

interface Page {
  readonly title: string;
  readonly body: Html;
  readonly wide?: boolean;
}

/** A whole page. */
export const pageHtml = ({ title, body, wide = false }: Page): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${showHiddenCharacters(title)}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body class="${wide ? 'wide' : ''}">
        ${body}
      </body>
    </html>`;

/** Answers with a page. */
export function respondWithPage(
  c: Context<ApiEnv>,
  page: Page,
  status: 200 | 400 | 403 | 404 | 410 | 503 = 200,
): Response | Promise<Response> {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
  return c.html(pageHtml(page), status);
}
