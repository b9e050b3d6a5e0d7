import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import type { ApiEnv } from '#api/context.ts';
import { respondOrShowRefusalAsPage } from '#api/html/refusal-page.ts';
import { refusal } from '#api/problem.ts';
import { fakeServices } from '../support/fake-services.ts';

test('the reason of a withdrawal is shown with marks for unreadable characters', async () => {
  const app = new OpenAPIHono<ApiEnv>();
  app.use((c, next) => {
    c.set('services', fakeServices());
    return next();
  });
  app.get('/entry', (c) =>
    respondOrShowRefusalAsPage(c, () =>
      Promise.reject(refusal('entry-gone', 'it was \u001b[31mred\u202e<b>dlo\u0007')),
    ),
  );
  const answer = await app.request('/entry');
  const page = await answer.text();
  expect(answer.status).toBe(410);
  expect(page).toContain('It was \u241b[31mred\u2426&lt;b&gt;dlo\u2407');
  for (const raw of ['\u001b', '\u0007', '\u202e']) expect(page.includes(raw)).toBe(false);
});
