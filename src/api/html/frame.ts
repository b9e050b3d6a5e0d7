import type { Context } from 'hono';
import { html } from 'hono/html';
import { visibleText } from '#core/leaderboards/visible-text.ts';
import type { ApiEnv } from '../context.ts';

/** A piece of a page; texts that are put into one are escaped. */
export type Html = ReturnType<typeof html>;

/** Where the stylesheet of all pages is. */
export const stylePath = '/docs/style.css';

/** No scripts, nothing from elsewhere, in no frame: whatever a name may hold, nothing of it runs. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every page is sent with. */
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
export const pageText = ({ title, body, wide = false }: Page): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${visibleText(title)}</title>
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body class="${wide ? 'wide' : ''}">
        ${body}
      </body>
    </html>`;

/** Answers with a page. */
export function htmlPage(
  c: Context<ApiEnv>,
  page: Page,
  status: 200 | 400 | 404 | 410 | 503 = 200,
): Response | Promise<Response> {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
  return c.html(pageText(page), status);
}
