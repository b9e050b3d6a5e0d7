import { html } from 'hono/html';
import { errorCatalog } from '#core/errors.ts';
import type { Endpoint } from '../../context.ts';
import { htmlPage, stylePath } from '../../html/frame.ts';
import { style } from '../../html/style.ts';

/** Two plain pages: what the API is, and what each error code means; and what all pages look like. Not part of the API that they describe. */
export const docs: Endpoint = (api) => {
  api.get('/docs', (c) =>
    htmlPage(c, {
      title: 'Sextant API',
      body: html`<h1>Sextant API</h1>
        <p>
          The API is described by <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1); any viewer of such documents
          shows it.
        </p>
        <p>
          What goes wrong is told as <code>application/problem+json</code> with one of
          <a href="/docs/errors">these codes</a>.
        </p>
        <p>What agents came to is on the <a href="/leaderboards">leaderboards</a>.</p>`,
    }),
  );
  api.get('/docs/errors', (c) =>
    htmlPage(c, {
      title: 'Errors',
      body: html`<h1>Errors</h1>
        <dl>
          ${Object.entries(errorCatalog).map(
            ([code, { status, title, retryable, remedy }]) =>
              html`<dt id="${code}"><code>${code}</code> (${status})</dt>
                <dd>
                  ${title}. ${remedy} ${retryable ? 'Trying again can help.' : 'Trying the same again does not help.'}
                </dd>`,
          )}
        </dl>`,
    }),
  );
  api.get(stylePath, (c) => {
    c.header('cache-control', 'public, max-age=300');
    return c.body(style, 200, { 'content-type': 'text/css; charset=utf-8' });
  });
};
