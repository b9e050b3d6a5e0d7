import { html } from 'hono/html';
import { errorCatalog } from '#core/errors.ts';
import type { Endpoint } from '../../context.ts';

/** Two plain pages: what the API is, and what each error code means. Not part of the API that they describe. */
export const docs: Endpoint = (api) => {
  api.get('/docs', (c) =>
    c.html(
      page(
        'Sextant API',
        html`<p>
            The API is described by <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1); any viewer of such
            documents shows it.
          </p>
          <p>
            What goes wrong is told as <code>application/problem+json</code> with one of
            <a href="/docs/errors">these codes</a>.
          </p>`,
      ),
    ),
  );
  api.get('/docs/errors', (c) =>
    c.html(
      page(
        'Errors',
        html`<dl>
          ${Object.entries(errorCatalog).map(
            ([code, { status, title, retryable, remedy }]) =>
              html`<dt id="${code}"><code>${code}</code> (${status})</dt>
                <dd>
                  ${title}. ${remedy} ${retryable ? 'Trying again can help.' : 'Trying the same again does not help.'}
                </dd>`,
          )}
        </dl>`,
      ),
    ),
  );
};

const page = (title: string, body: ReturnType<typeof html>) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <style>
          body {
            font:
              16px/1.5 system-ui,
              sans-serif;
            max-width: 46rem;
            margin: 3rem auto;
            padding: 0 1rem;
          }
          dt {
            margin-top: 1rem;
            font-weight: 600;
          }
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`;
