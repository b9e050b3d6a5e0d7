import { expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { ApiError } from '../../client/http/errors.ts';
import { fakeApi, json, problem, type FakeApi } from './fake-api.ts';
import { exploration } from './records.ts';

const clientOf = (api: Pick<FakeApi, 'url'>) =>
  createClient({ url: `${api.url}/`, key: 'key', retries: 2, timeoutMs: 300, backoff: { firstMs: 1, longestMs: 2 } });

const server = (name: string) => ({
  id: `srv_${name}`,
  name,
  domain: 'finance',
  url: 'http://x/mcp',
  headerNames: [],
  leftOut: [],
  longDescriptions: [],
  effects: {},
  allows: 'reads',
  redact: { fields: [], patterns: [] },
  private: false,
  isolation: { kind: 'none' },
  auth: null,
  tools: 1,
  categories: { read: 1 },
  categorizedBy: { owner: 0, model: 1, rules: 0 },
  errors: { marks: 'sometimes', marked: 3, reported: 1 },
  createdAt: '2026-01-01T00:00:00.000Z',
  listedAt: '2026-01-01T00:00:00.000Z',
  survey: { on: true, at: null, entries: 0, failed: 0, problem: null },
  info: null,
  protocolVersion: null,
  limits: {},
  instructions: null,
  description: null,
});
const newServer = { name: 'a', domain: 'finance', url: 'http://x/mcp' };
const connectionError = { name: 'ConnectionError' };

test('a problem becomes an ApiError with all its fields', async () => {
  const told = {
    type: '/docs/errors#invalid-request',
    title: 'Wrong form',
    status: 400,
    code: 'invalid-request',
    detail: '/name: too long',
    retryable: false,
    requestId: 'req_7',
    issues: [{ where: '/name', message: 'too long' }],
  };
  await using api = await fakeApi(json(told, 400));
  const error = await clientOf(api)
    .servers.add(newServer)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  const { type: _, ...parts } = told;
  expect(error).toMatchObject({ name: 'ApiError', message: 'Wrong form: /name: too long', ...parts });
});

test.each([
  ['a page of a proxy', 'text/html', '<h1>Bad gateway</h1>'],
  ['JSON of another form', 'application/json', '{"error":"no"}'],
  ['nothing', 'text/plain', ''],
])('an error answer that is %s is an ApiError too', async (_, type, body) => {
  await using api = await fakeApi((_request, response) => {
    response.writeHead(500, { 'content-type': type, 'x-request-id': 'req_9' }).end(body);
  });
  await expect(clientOf(api).explorations.get('exp_1')).rejects.toMatchObject({
    code: 'unknown',
    status: 500,
    requestId: 'req_9',
    retryable: true,
  });
});

test('an unknown error code reads "unknown"', async () => {
  await using api = await fakeApi(problem(418, 'from-the-future'));
  await expect(clientOf(api).explorations.get('exp_1')).rejects.toMatchObject({
    code: 'unknown',
    detail: 'detail of from-the-future',
  });
});

test('an answer that does not match the schema is an AnswerError with the location', async () => {
  await using api = await fakeApi(json({ ...exploration(), rounds: 'many' }));
  await expect(clientOf(api).explorations.get('exp_1')).rejects.toMatchObject({
    name: 'AnswerError',
    message: expect.stringContaining('rounds'),
  });
});

test('a repeatable call is repeated when the service is busy or asks to wait', async () => {
  await using api = await fakeApi(
    problem(503, 'internal-error'),
    problem(429, 'rate-limited', { 'retry-after': '0.05' }),
    json(exploration()),
  );
  const before = Date.now();
  expect(await clientOf(api).explorations.get('exp_1')).toEqual(exploration());
  expect(Date.now() - before).toBeGreaterThanOrEqual(45);
});

test('a call gives up after a number of attempts, or at once if repeating cannot help', async () => {
  await using busy = await fakeApi(problem(503, 'internal-error'));
  await expect(clientOf(busy).explorations.get('exp_1')).rejects.toMatchObject({ status: 503 });
  expect(busy.requests).toHaveLength(3);
  await using refusing = await fakeApi(problem(404, 'not-found'));
  await expect(clientOf(refusing).explorations.get('exp_1')).rejects.toMatchObject({ status: 404 });
  expect(refusing.requests).toHaveLength(1);
});

test('a call whose connection breaks is repeated only if that cannot do something twice', async () => {
  await using api = await fakeApi((request) => void request.socket.destroy(), json(exploration()));
  expect(await clientOf(api).explorations.pause('exp_1')).toEqual(exploration());
  await using adding = await fakeApi((request) => void request.socket.destroy());
  await expect(clientOf(adding).servers.add(newServer)).rejects.toMatchObject(connectionError);
  expect(adding.requests).toHaveLength(1);
});

test('any call is repeated if the service is not there, since nothing arrived', async () => {
  const gone = await fakeApi(json({}));
  await gone[Symbol.asyncDispose]();
  let attempts = 0;
  const client = createClient({
    url: gone.url,
    key: 'key',
    retries: 2,
    backoff: { firstMs: 1, longestMs: 2 },
    fetch: (url, init) => {
      attempts += 1;
      return fetch(url, init);
    },
  });
  await expect(client.servers.add(newServer)).rejects.toMatchObject({
    ...connectionError,
    unsent: true,
    message: expect.stringContaining('ECONNREFUSED'),
  });
  expect(attempts).toBe(3);
});

test('an answer that never comes is given up', async () => {
  await using api = await fakeApi(() => {});
  await expect(clientOf(api).servers.add(newServer)).rejects.toMatchObject({
    ...connectionError,
    message: expect.stringContaining('in time'),
  });
});

test('all attempts to start a run share one idempotency key, and another run has another one', async () => {
  await using api = await fakeApi((request) => void request.socket.destroy(), json(exploration(), 202));
  await clientOf(api).explorations.create({ catalog: 'cat_1' });
  await clientOf(api).explorations.create({ catalog: 'cat_1' });
  const [first, again, other] = api.requests.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test("the client's signal ends a call that waits for its next attempt", async () => {
  await using api = await fakeApi(problem(503, 'internal-error', { 'retry-after': '60' }));
  const stop = new AbortController();
  const client = createClient({ url: api.url, key: 'key', signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 30);
  await expect(client.explorations.get('exp_1')).rejects.toThrow('enough');
});

test('a list is read page by page, only as far as needed', async () => {
  await using api = await fakeApi(
    json({ items: [server('a'), server('b')], nextCursor: 'srv b' }),
    json({ items: [server('c')], nextCursor: null }),
  );
  const names: string[] = [];
  for await (const { name } of clientOf(api).servers.list({ pageSize: 2 })) names.push(name);
  expect(names).toEqual(['a', 'b', 'c']);
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/servers?limit=2',
    'GET /v1/servers?limit=2&cursor=srv+b',
  ]);
  await using long = await fakeApi(json({ items: [server('a')], nextCursor: 'a' }));
  for await (const _ of clientOf(long).servers.list()) break;
  expect(long.requests).toHaveLength(1);
});

test('filters go into the query, and ids cannot change the path', async () => {
  await using api = await fakeApi(json({ items: [], nextCursor: null }));
  await Array.fromAsync(
    clientOf(api).explorations.units('a/../b?c', { status: 'accepted', round: 2, tool: 'calc/add it', probe: false }),
  );
  expect(api.requests[0]?.line).toBe(
    'GET /v1/explorations/a%2F..%2Fb%3Fc/units?status=accepted&probe=false&round=2&tool=calc%2Fadd+it',
  );
  expect(() => clientOf(api).explorations.get('..')).toThrow('cannot be an id');
});
