import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { linkCardTags, usualDescription } from '#core/pictures/link-card.ts';
import { harnessVersion } from '#core/values/harness-version.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { ApiEnv } from '../context.ts';
import { getPublicOrigin } from '../own-client.ts';

/** A fragment of a page; inserted texts are escaped. */
export type Html = ReturnType<typeof html>;

/** URL of the stylesheet of all pages. */
export const stylePath = '/docs/style.css';

/** No scripts, no external content, no frames: nothing in a name can run. */
const makePolicy = (formAction: string): string =>
  `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;

/** Headers of every page. A page of another site that opens one of ours in a window cannot send that window on. */
export const pageHeaders = {
  'content-security-policy': makePolicy("'none'"),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

interface Page {
  readonly title: string;
  readonly body: Html;
  readonly wide?: boolean;
  /** Where its forms may lead, redirects included; nowhere if absent. */
  readonly formAction?: string;
  /** What a search engine or a link shows of the page. */
  readonly description?: string;
  /** The path of the picture that links to it unfold with, if it has one of its own. */
  readonly picturePath?: string;
}

/** A whole page, with the header that the pages of a workspace have too. */
export const pageHtml = (
  origin: string | null,
  { title, body, wide = false, description = usualDescription, picturePath }: Page,
): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${showHiddenCharacters(title)}</title>
        ${raw(linkCardTags({ origin, title, description, picture: picturePath === undefined ? undefined : { path: picturePath, alt: description } }))}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body class="wide">
        <header class="top">
          <a class="skip" href="#main">Skip to the content</a>
          <nav aria-label="Sextant">
            <a href="/"><strong>Sextant</strong></a>
            <a href="/leaderboards">Leaderboards</a>
            <a href="/docs">API</a>
          </nav>
        </header>
        <main id="main" class="${wide ? '' : 'narrow'}" tabindex="-1">${body}</main>
        <footer class="faint">
          <nav aria-label="About">
            <span>${harnessVersion.replace('@', ' ')}</span>
            <a href="/docs#scores">What the scores mean</a>
            <a href="/docs/errors">Errors</a>
          </nav>
        </footer>
      </body>
    </html>`;

/** Answers with a page. */
export function respondWithPage(
  c: Context<ApiEnv>,
  page: Page,
  status: 200 | 400 | 403 | 404 | 410 | 503 = 200,
): Response | Promise<Response> {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
  if (page.formAction !== undefined) c.header('content-security-policy', makePolicy(page.formAction));
  return c.html(pageHtml(getPublicOrigin(c), page), status);
}
