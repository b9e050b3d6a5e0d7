import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorCatalog } from '#core/values/errors.ts';
import { describedApi, exampleBody } from '../support/example-body.ts';
import { explore, follow, prepare, runBody } from '../support/exploration.ts';
import { call, expectStatus, newWorkspace, problemOf } from '../support/workspace.ts';

const posts = [
  '/v1/keys',
  '/v1/servers',
  '/v1/catalogs',
  '/v1/explorations',
  '/v1/explorations/x/evolutions',
  '/v1/reviews/x/y/decision',
  '/v1/benchmarks',
  '/v1/knowledge',
];
const mebibyte = 1024 * 1024;

const asStream = (text: string): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 65_536));
      at += 65_536;
    },
  });
};

describe('a request body', () => {
  test.each(posts)('of POST %s must be JSON', async (path) => {
    const { post } = await newWorkspace();
    for (const body of ['{', '', 'null,', '{"a": undefined}']) {
      expect([body, ...problemOf(await post(path, body))]).toEqual([body, 400, 'malformed-json']);
    }
    for (const body of ['null', '[]', '"text"', '1'])
      expect(problemOf(await post(path, body))).toEqual([400, 'invalid-request']);
  });

  test.each(posts)('of POST %s may not have unknown fields', async (path) => {
    const { post } = await newWorkspace();
    const answer = await post(path, {
      name: 'a',
      scopes: ['read'],
      domain: 'a',
      url: 'http://127.0.0.1:9',
      servers: ['a'],
      catalog: 'a',
      explorations: ['a'],
      decision: 'approve',
      unknownField: 1,
    });
    expect(problemOf(answer)).toEqual([400, 'invalid-request']);
    expect(JSON.stringify(answer.body)).toContain('unknownField');
  });

  test.each(posts)('of POST %s must have the right content type', async (path) => {
    const { post } = await newWorkspace();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonl',
      'multipart/form-data; boundary=x',
    ]) {
      expect(problemOf(await post(path, '{}', { headers: { 'content-type': type } }))).toEqual([
        415,
        'unsupported-media-type',
      ]);
    }
    expect(
      problemOf(await post(path, '[]', { headers: { 'content-type': 'Application/JSON; charset=utf-8' } })),
    ).toEqual([400, 'invalid-request']);
  });

  test.each(posts)('of POST %s may have at most 1 MiB, announced or not', async (path) => {
    const { post } = await newWorkspace();
    const body = JSON.stringify({ name: 'x'.repeat(mebibyte) });
    expect(problemOf(await post(path, body))).toEqual([413, 'body-too-large']);
    const streamed = await post(path, undefined, {
      raw: asStream(body),
      headers: { 'content-type': 'application/json' },
    });
    expect(problemOf(streamed)).toEqual([413, 'body-too-large']);
  });
});

const operations = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ parameters: z.array(z.object({ name: z.string(), in: z.string() })).optional() })),
  ),
});

async function endpointsWith(parameter: string, where: 'path' | 'query'): Promise<[string, string][]> {
  const { paths } = operations.parse(expectStatus(await call(null, 'GET', '/openapi.json'), 200));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]): [string, string][] =>
      parameters.some((each) => each.name === parameter && each.in === where) ? [[method.toUpperCase(), path]] : [],
    ),
  );
}

/** A path with an id and everything else that it needs. */
const filled = (path: string, id: string): string =>
  path
    .replace(/\{(id|exploration)\}/, id)
    .replace('{number}', '1')
    .replace('{unit}', 'r0001-p')
    .replace('{case}', 'u_0.a.01')
    .replace('{namespace}', 'main')
    .replace('{entry}', 'sub_x')
    .replace(/(evaluations\/.*\/(?:traces|inspect-log))$/, '$1?agent=a')
    .replace(/\/search$/, '/search?query=x')
    .replace(/\/(compare|compare-anytime)$/, '/$1?a=x&b=y')
    .replace(/\/calls$/, '/calls?unit=u_1&attempt=a.01.source');

describe('ids and cursors', () => {
  test('are refused at every endpoint if unknown, foreign or too long', async () => {
    const ground = await prepare();
    const run = await explore(ground, { batch: 1 });
    await follow(ground.workspace.key, run);
    const { items } = z
      .object({ items: z.array(z.object({ id: z.string() })) })
      .parse((await ground.workspace.get('/v1/servers')).body);
    const frozen = z
      .object({ id: z.string() })
      .parse(expectStatus(await ground.workspace.post('/v1/benchmarks', { explorations: [run], floor: false }), 201));
    const knowledge = z
      .object({ id: z.string() })
      .parse(expectStatus(await ground.workspace.post('/v1/knowledge', {}), 201));
    const stranger = await newWorkspace();
    const foreign = {
      servers: items[0]?.id ?? '',
      catalogs: ground.catalog,
      explorations: run,
      benchmarks: frozen.id,
      evaluations: 'evl_x',
      keys: 'key_x',
      attempts: 'att_0000000000',
      recordings: 'rec_x',
      knowledge: knowledge.id,
      reviews: run,
      leaderboards: `lb_${'0'.repeat(24)}`,
      submissions: 'sub_x',
    };
    const api = describedApi.parse((await call(null, 'GET', '/openapi.json')).body);
    const endpoints = [...(await endpointsWith('id', 'path')), ...(await endpointsWith('exploration', 'path'))];
    expect(endpoints.length).toBeGreaterThan(18);
    for (const [method, path] of endpoints) {
      // Attempts' own endpoints know no keys.
      if (path.startsWith('/mcp/') || path.startsWith('/models/')) continue;
      const resource = path.split('/')[2] ?? '';
      const theirs = Object.entries(foreign).find(([name]) => name === resource)?.[1] ?? '';
      const isPublic = path.includes('/public') || path.endsWith('/floor');
      for (const id of ['unknown', '%00', '..%2f..%2fadmin', "' OR 1=1 --", ...(isPublic ? [] : [theirs])]) {
        const answer = await call(stranger.key, method, filled(path, id), exampleBody(api, method, path));
        expect([method, path, id, ...problemOf(answer)]).toEqual([method, path, id, 404, 'not-found']);
      }
      const overlong = await call(stranger.key, method, filled(path, 'x'.repeat(101)), exampleBody(api, method, path));
      expect([method, path, ...problemOf(overlong)]).toEqual([method, path, 400, 'invalid-request']);
    }
    for (const path of ['/v1/reviews', '/v1/reviews/agreement'])
      expect(problemOf(await stranger.get(`${path}?exploration=${run}`))).toEqual([404, 'not-found']);
    expect(problemOf(await stranger.post('/v1/explorations', { catalog: ground.catalog }))).toEqual([404, 'not-found']);
    expect(problemOf(await stranger.post('/v1/benchmarks', { explorations: [run] }))).toEqual([404, 'not-found']);
    expect(problemOf(await ground.workspace.get(`/v1/explorations/${run}/units/r0009-u00`))).toEqual([
      404,
      'not-found',
    ]);
    // Nothing that the stranger did touched the run.
    expect((await ground.workspace.get(`/v1/explorations/${run}`)).body).toMatchObject({ status: 'completed' });
  });

  test('are refused in every list if malformed', async () => {
    const ground = await prepare();
    const run = await explore(ground, { batch: 1 });
    await follow(ground.workspace.key, run);
    const lists = await endpointsWith('limit', 'query');
    expect(lists.length).toBeGreaterThan(8);
    for (const [method, path] of lists) {
      for (const query of ['limit=0', 'limit=501', 'limit=1.5', 'limit=x', 'limit=', `cursor=${'x'.repeat(701)}`]) {
        const answer = await call(
          ground.workspace.key,
          method,
          `${path.replace('{id}', run)}?exploration=${run}&${query}`,
        );
        expect([path, query, ...problemOf(answer)]).toEqual([path, query, 400, 'invalid-request']);
      }
    }
    expect(problemOf(await ground.workspace.get(`/v1/explorations/${run}/richness?cursor=one`))).toEqual([
      400,
      'invalid-request',
    ]);
    for (const query of ['status=good', 'probe=yes', 'round=0', 'round=x', 'origin=bought']) {
      expect(problemOf(await ground.workspace.get(`/v1/explorations/${run}/units?${query}`))).toEqual([
        400,
        'invalid-request',
      ]);
    }
    for (const query of ['state=closed', 'state=', 'origin=bought', `tool=${'x'.repeat(301)}`]) {
      expect([query, ...problemOf(await ground.workspace.get(`/v1/reviews?exploration=${run}&${query}`))]).toEqual([
        query,
        400,
        'invalid-request',
      ]);
    }
    for (const number of ['0', '-1', '1.5', 'one', '10001'])
      expect(problemOf(await ground.workspace.get(`/v1/explorations/${run}/evolutions/${number}`))).toEqual([
        400,
        'invalid-request',
      ]);
    for (const id of ['x', '-1', '1.5', '9'.repeat(16)]) {
      const answer = await call(ground.workspace.key, 'GET', `/v1/explorations/${run}/events`, undefined, {
        headers: { 'last-event-id': id },
      });
      expect(problemOf(answer)).toEqual([400, 'invalid-request']);
    }
  });
});

describe('invalid runs', () => {
  const impossible: [string, Record<string, unknown>][] = [
    ['a budget of no rounds', { budget: { rounds: 0 } }],
    ['a budget of no tokens', { budget: { rounds: 1, tokens: 0 } }],
    ['a budget of no money', { budget: { rounds: 1, costUsd: 0 } }],
    ['a budget of no time', { budget: { rounds: 1, wallMs: 0 } }],
    ['negative rounds', { budget: { rounds: -1 } }],
    ['too many rounds', { budget: { rounds: 1_001 } }],
    ['half a round', { budget: { rounds: 1.5 } }],
    ['an empty batch', { batch: 0 }],
    ['a batch too large', { batch: 51 }],
    ['a strategy that does not exist', { strategy: 'random' }],
    ['a seed below 0', { seed: -1 }],
    ['a seed above 31 bits', { seed: 2_147_483_648 }],
    ['a target of 1', { stop: { rule: 'probe', target: 1 } }],
    ['to stop by Chao1 under a strategy that steers', { stop: { rule: 'chao1' } }],
    ['a bound above what the tools can make', { stop: { rule: 'bound' }, bound: 1e6 }],
    ['a score above 100', { acceptScore: 101 }],
    ['to accept below what passes', { passScore: 90, acceptScore: 80 }],
    ['too many refinements', { maxRefinements: 11 }],
    ['a review policy that does not exist', { review: 'ask' }],
    ['to wait for no time', { review: 'wait', reviewTimeoutMs: 0 }],
    ['to wait for longer than a week', { review: 'wait', reviewTimeoutMs: 604_800_001 }],
    ['no turns', { agent: { turns: 0 } }],
    ['a price below 0', { models: { writer: { baseUrl: 'http://127.0.0.1:9', model: 'm', promptPricePerMTok: -1 } } }],
    ['a model for a role that does not exist', { models: { poet: { baseUrl: 'http://127.0.0.1:9', model: 'm' } } }],
  ];
  test('are refused, and nothing is stored', async () => {
    const ground = await prepare();
    for (const [what, more] of impossible) {
      const answer = await ground.workspace.post('/v1/explorations', runBody(ground, { more }));
      expect([what, ...problemOf(answer)]).toEqual([what, 400, 'invalid-request']);
    }
    for (const baseUrl of ['ftp://example.com', 'nonsense', 'http://169.254.169.254/v1']) {
      const more = { models: { writer: { baseUrl, model: 'm' } } };
      expect(problemOf(await ground.workspace.post('/v1/explorations', runBody(ground, { more })))).toEqual([
        422,
        'address-forbidden',
      ]);
    }
    expect(problemOf(await ground.workspace.post('/v1/explorations', { catalog: 'cat_unknown' }))).toEqual([
      404,
      'not-found',
    ]);
    expect((await ground.workspace.get('/v1/explorations')).body).toEqual({ items: [], nextCursor: null });
  });
});

describe('invalid evolutions', () => {
  const impossible: [string, Record<string, unknown>][] = [
    ['a target of no units', { targetUnits: 0 }],
    ['a target beyond all bounds', { targetUnits: 100_001 }],
    ['an empty batch', { batch: 0 }],
    ['a batch too large', { batch: 51 }],
    ['a negative yield', { minYield: -0.1 }],
    ['a yield above 1', { minYield: 1.1 }],
    ['a budget of no batches', { budget: { batches: 0 } }],
    ['a budget of no tokens', { budget: { tokens: 0 } }],
    ['a budget of no money', { budget: { costUsd: 0 } }],
    ['a budget of no time', { budget: { wallMs: 0 } }],
    ['a budget of something else', { budget: { rounds: 1 } }],
    ['a seed below 0', { seed: -1 }],
  ];

  test('are refused, and nothing is started', async () => {
    const ground = await prepare();
    const run = await explore(ground, { batch: 2 });
    const path = `/v1/explorations/${run}/evolutions`;
    // Whether the exploration is over by now does not matter to a request that makes no sense.
    for (const [what, body] of impossible)
      expect([what, ...problemOf(await ground.workspace.post(path, body))]).toEqual([what, 400, 'invalid-request']);
    await follow(ground.workspace.key, run);
    expect((await ground.workspace.get(path)).body).toEqual({ items: [] });
  });

  test('include those of an exploration that still runs', async () => {
    const ground = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'slow', ms: 1_000 } }] });
    const run = await explore(ground);
    const path = `/v1/explorations/${run}/evolutions`;
    expect(problemOf(await ground.workspace.post(path, {}))).toEqual([409, 'wrong-state']);
    expect((await ground.workspace.get(path)).body).toEqual({ items: [] });
    await follow(ground.workspace.key, run);
  });
});

describe('an idempotency key', () => {
  test('gives the same run for the same body, and is refused for another body', async () => {
    const ground = await prepare();
    const headers = { 'idempotency-key': 'the-first-try' };
    const runs = await Promise.all([1, 2, 3].map(() => explore(ground, { batch: 1, headers })));
    expect(new Set(runs).size).toBe(1);
    const other = await ground.workspace.post('/v1/explorations', runBody(ground, { batch: 2 }), { headers });
    expect(problemOf(other)).toEqual([422, 'idempotency-mismatch']);
    const [run = ''] = runs;
    await follow(ground.workspace.key, run);
    expect(await explore(ground, { batch: 1, headers })).toBe(run);
    const listed = z
      .object({ items: z.array(z.object({ id: z.string() })) })
      .parse((await ground.workspace.get('/v1/explorations')).body);
    expect(listed.items.map(({ id }) => id)).toEqual([run]);
    expect(await explore(ground, { batch: 1 })).not.toBe(run);
    expect((await ground.model.asked()).filter(({ form }) => form === 'scenario').length).toBeLessThanOrEqual(2 * 2);
  });

  test('belongs to its workspace, and must be visible ASCII', async () => {
    const [one, other] = [await prepare(), await prepare()];
    const headers = { 'idempotency-key': 'k' };
    expect(await explore(one, { batch: 1, headers })).not.toBe(await explore(other, { batch: 1, headers }));
    for (const key of ['with space', 'x'.repeat(201)]) {
      const answer = await one.workspace.post('/v1/explorations', runBody(one), {
        headers: { 'idempotency-key': key },
      });
      expect(problemOf(answer)).toEqual([400, 'invalid-request']);
    }
  });
});

describe('an unknown path or method', () => {
  test('is answered with a problem document', async () => {
    const { key } = await newWorkspace();
    const wrong: [string, string, number][] = [
      ['GET', '/v1/nothing', 404],
      ['GET', '/nothing', 404],
      ['GET', '/v1/servers/a/b/c', 404],
      ['PUT', '/v1/servers', 405],
      ['DELETE', '/v1/servers', 405],
      ['PATCH', '/v1/explorations/x', 405],
      ['GET', '/v1/explorations/x/pause', 405],
      ['POST', '/health', 405],
      ['DELETE', '/openapi.json', 405],
    ];
    for (const [method, path, status] of wrong) {
      const answer = await call(key, method, path);
      const code = status === 404 ? 'not-found' : 'method-not-allowed';
      expect([method, path, ...problemOf(answer)]).toEqual([method, path, status, code]);
      expect(answer.headers.has('allow')).toBe(status === 405);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  test('has a code with a page in the documentation', async () => {
    const page = await call(null, 'GET', '/docs/errors');
    expect(page.status).toBe(200);
    for (const code of Object.keys(errorCatalog)) expect(page.body).toEqual(expect.stringContaining(`id="${code}"`));
    expect((await call(null, 'GET', '/docs')).status).toBe(200);
  });
});
