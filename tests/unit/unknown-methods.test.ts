import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../support/fake-services.ts';

const app = createApp(fakeServices());
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const pages = [
  ['/openapi.json', ['GET']],
  ['/docs', ['GET']],
  ['/docs/errors', ['GET']],
  ['/leaderboards', ['GET']],
  ['/leaderboards/{id}', ['GET']],
  ['/leaderboards/{id}/entries/{entry}', ['GET']],
] as const;
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
/** The MCP endpoint answers GET and DELETE itself, and does not describe them. */
const gateway = '/mcp/attempts/{id}';

const { paths } = document.parse(await (await app.request('/openapi.json')).json());
const offered = [
  ...Object.entries(paths).map(([path, of]) => {
    const named = Object.keys(of).map((method) => method.toUpperCase());
    return [path, path === gateway ? [...named, 'GET', 'DELETE'] : named] as const;
  }),
  ...pages,
];

/** Paths with a word where others have an id are those others, too. */
const isAt = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

describe('a path refuses the methods that it does not offer, and names those that it does', () => {
  test.each(offered)('%s', async (template) => {
    const path = template.replaceAll(/\{\w+\}/g, 'some-id');
    const named = offered.flatMap(([each, of]) => (isAt(each, path) ? of : []));
    const allowed = new Set([...named, ...(named.includes('GET') ? ['HEAD'] : [])]);
    const refused = methods.filter((method) => !allowed.has(method));
    expect(refused).toContain('OPTIONS');
    for (const method of refused) {
      const answer = await app.request(path, { method });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(new Set(answer.headers.get('allow')?.split(', '))).toEqual(allowed);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ code: 'method-not-allowed', status: 405 });
    }
  });
});

test('an unknown path is not found with any method', async () => {
  for (const path of ['/nothing', '/v1', '/v1/nothing', '/v1/keys/', '/v1/keys/a/b', '/leaderboards/a/b']) {
    for (const method of methods)
      expect([path, method, (await app.request(path, { method })).status]).toEqual([path, method, 404]);
  }
});
