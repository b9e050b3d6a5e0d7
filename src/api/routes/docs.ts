import { html } from 'hono/html';
import { errorCatalog } from '#core/values/errors.ts';
import { scorers } from '#core/evaluation/scorers.ts';
import type { Endpoint } from '../context.ts';
import { makeFixedDocumentHandler } from '../fixed-document.ts';
import { type Html, pageHeaders, pageHtml, stylePath } from '../html/page-frame.ts';
import { scoresExplainedHtml } from '../html/scores-explained.ts';
import { style } from '../html/style.ts';

/**
 * Two plain pages, on the API and on its error codes, and the stylesheet of all pages. Not part of the documented API.
 */
const addDocsPagesAndStylesheet: Endpoint = (api) => {
  api.get(
    '/docs',
    makeFixedPageHandler(
      'Sextant API',
      () =>
        html`<h1>Sextant API</h1>
          <p>
            <a href="/openapi.json">/openapi.json</a> describes the API (OpenAPI 3.1). Open it in any viewer of such
            documents. Requests to <code>/v1</code> need a key: <code>Authorization: Bearer KEY</code>.
          </p>
          <p>
            An error is an <code>application/problem+json</code> with one of <a href="/docs/errors">these codes</a>.
          </p>
          <p>The <a href="/leaderboards">leaderboards</a> show how agents did, and need no key.</p>
          <h2 id="scores">What the scores mean</h2>
          ${scoresExplainedHtml(scorers)}`,
    ),
  );
  api.get(
    '/docs/errors',
    makeFixedPageHandler(
      'Errors',
      () =>
        html`<h1>Errors</h1>
          <nav aria-label="Codes">
            ${Object.keys(errorCatalog).map((code) => html`<a href="#${code}"><code>${code}</code></a>`)}
          </nav>
          <dl>
            ${Object.entries(errorCatalog).map(
              ([code, { status, title, retryable, remedy }]) =>
                html`<dt id="${code}"><code>${code}</code> (${status})</dt>
                  <dd>
                    ${title}. ${withCode(remedy)}
                    ${retryable ? 'Trying again can help.' : 'Trying the same again does not help.'}
                  </dd>`,
            )}
          </dl>`,
    ),
  );
  api.get(stylePath, makeFixedDocumentHandler({ contentType: 'text/css; charset=utf-8', text: () => style }));
};

/** Shows what is between back-ticks as code. */
const withCode = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

const makeFixedPageHandler = (title: string, body: () => Html) =>
  makeFixedDocumentHandler({
    contentType: 'text/html; charset=UTF-8',
    headers: pageHeaders,
    text: async () => String(await pageHtml(null, { title, body: body() })),
  });

export const docEndpoints: readonly Endpoint[] = [addDocsPagesAndStylesheet];
