import { html } from 'hono/html';
import { errorCatalog } from '#core/errors.ts';
import type { Endpoint } from '../context.ts';
import { makeFixedDocumentHandler } from '../fixed-document.ts';
import { type Html, pageHeaders, pageHtml, stylePath } from '../html/page-frame.ts';
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
            The API is described by <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1); any viewer of such
            documents shows it.
          </p>
          <p>
            What goes wrong is told as <code>application/problem+json</code> with one of
            <a href="/docs/errors">these codes</a>.
          </p>
          <p>What agents came to is on the <a href="/leaderboards">leaderboards</a>.</p>`,
    ),
  );
  api.get(
    '/docs/errors',
    makeFixedPageHandler(
      'Errors',
      () =>
        html`<h1>Errors</h1>
          <dl>
            ${Object.entries(errorCatalog).map(
              ([code, { status, title, retryable, remedy }]) =>
                html`<dt id="${code}"><code>${code}</code> (${status})</dt>
                  <dd>
                    ${title}. ${remedy} ${retryable ? 'Trying again can help.' : 'Trying the same again does not help.'}
                  </dd>`,
            )}
          </dl>`,
    ),
  );
  api.get(stylePath, makeFixedDocumentHandler({ contentType: 'text/css; charset=utf-8', text: () => style }));
};

const makeFixedPageHandler = (title: string, body: () => Html) =>
  makeFixedDocumentHandler({
    contentType: 'text/html; charset=UTF-8',
    headers: pageHeaders,
    text: async () => String(await pageHtml({ title, body: body() })),
  });

export const docEndpoints: readonly Endpoint[] = [addDocsPagesAndStylesheet];
