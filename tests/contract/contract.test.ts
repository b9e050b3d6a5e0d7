import { env } from 'cloudflare:workers';
import { attemptPlace } from '#core/evaluation/labels.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { breakdowns } from '#core/evaluation/breakdown-record.ts';
import { hostRecord } from '#core/catalog/hosts/proof.ts';
import { toolReport } from '#core/reports/tool-report/record.ts';
import { evaluationBody } from '../support/evaluation.ts';
import { claimed } from '../support/external.ts';
import { exploreToEnd, modelKey, prepare, runBody, unitsOf } from '../support/exploration.ts';
import { board, serviceBody, submitter } from '../support/board.ts';
import { evaluateToEnd } from '../support/evaluation.ts';
import { importBenchmark, publish } from '../support/open-leaderboard.ts';
import { newPublicHost, publish as publishHost } from '../support/public-hosts.ts';
import {
  call,
  expectStatus,
  keyFor,
  newWorkspace,
  pageOf,
  type Answer,
  type CallOptions,
} from '../support/workspace.ts';
import { startModel, startServer, tools } from '../support/world.ts';
import { contractOf, type Contract } from './document.ts';

/**
 * Calls every endpoint of /openapi.json and holds every answer against the document. What is not called, or answers
 * with what is not declared, fails.
 */

let contract: Contract;
let key = '';
let reader = '';

/** Calls an operation; `ids` fill the path, `query` follows it. Returns the answer after the document has been asked. */
async function ask(
  name: string,
  {
    as = key,
    ids = [],
    query = '',
    body,
    ...options
  }: CallOptions & { as?: string | null; ids?: readonly string[]; query?: string; body?: unknown } = {},
): Promise<Answer> {
  const [method = '', template = ''] = name.split(' ');
  const left = [...ids];
  const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? 'unknown'));
  const answer = await call(as, method, `${path}${query}`, body, options);
  expect(contract.check(name, body, answer)).toEqual([]);
  expect(answer.headers.get('x-request-id')).toEqual(expect.stringMatching(/^req_/));
  return answer;
}

const identified = z.object({ id: z.string() });
const idOf = (answer: Answer, status: number): string => identified.parse(expectStatus(answer, status)).id;
const statusOf = (answer: Answer): number => answer.status;

beforeAll(async () => {
  contract = contractOf(expectStatus(await call(null, 'GET', '/openapi.json'), 200));
  const workspace = await newWorkspace();
  key = workspace.key;
  reader = await keyFor(workspace.id, 'read');
});

describe('every answer matches the OpenAPI document for', () => {
  test('the system', async () => {
    expect(statusOf(await ask('GET /health', { as: null }))).toBe(200);
    expect(statusOf(await ask('POST /v1/wake'))).toBe(200);
    expect(statusOf(await ask('POST /v1/wake', { as: reader }))).toBe(403);
    expect(statusOf(await ask('POST /v1/wake', { as: null }))).toBe(401);
    expect(statusOf(await ask('POST /v1/wake', { body: 'hello', headers: { 'content-type': 'text/plain' } }))).toBe(
      415,
    );
  });

  test('keys', async () => {
    const id = idOf(await ask('POST /v1/keys', { body: { name: 'a', scopes: ['read'] } }), 201);
    expect(statusOf(await ask('POST /v1/keys', { body: { name: 'a' } }))).toBe(400);
    expect(statusOf(await ask('POST /v1/keys', { body: 'x'.repeat(1_100_000) }))).toBe(413);
    expect(statusOf(await ask('GET /v1/keys'))).toBe(200);
    expect(statusOf(await ask('GET /v1/keys', { query: '?limit=0' }))).toBe(400);
    expect(statusOf(await ask('DELETE /v1/keys/{id}', { ids: [id] }))).toBe(204);
    expect(statusOf(await ask('DELETE /v1/keys/{id}', { ids: [id] }))).toBe(404);
  });

  test('the MCP server', async () => {
    const headers = { accept: 'application/json, text/event-stream' };
    const listing = { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers };
    const told = { body: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers };
    expect(statusOf(await ask('POST /mcp', listing))).toBe(200);
    expect(statusOf(await ask('POST /mcp', { ...listing, as: reader }))).toBe(200);
    expect(statusOf(await ask('POST /mcp', told))).toBe(202);
    expect(statusOf(await ask('POST /mcp', { ...listing, as: null }))).toBe(401);
    const foreign = { ...headers, origin: 'https://another.example' };
    expect(statusOf(await ask('POST /mcp', { ...listing, headers: foreign }))).toBe(403);
  });

  test('watches', async () => {
    const outside = await startServer({ tools: tools('apple', 'pear') });
    const body = { name: 'watched', domain: 'testing', url: outside.url };
    const server = idOf(await ask('POST /v1/servers', { body }), 201);
    const wanted = { server, hold: true, webhook: outside.url };
    const made = z
      .object({ watch: identified })
      .parse(expectStatus(await ask('POST /v1/watches', { body: wanted }), 201));
    const ids = [made.watch.id];
    const none = ['wch_none'];
    expect(statusOf(await ask('POST /v1/watches', { body: { server: 'srv_none' } }))).toBe(404);
    expect(statusOf(await ask('POST /v1/watches', { body: { ...wanted, everyHours: 0 } }))).toBe(400);
    expect(statusOf(await ask('GET /v1/watches'))).toBe(200);
    expect(statusOf(await ask('GET /v1/watches', { query: '?limit=0' }))).toBe(400);
    for (const verb of ['visits', 'pause', 'resume']) {
      expect([verb, statusOf(await ask(`POST /v1/watches/{id}/${verb}`, { ids }))]).toEqual([verb, 200]);
      expect([verb, statusOf(await ask(`POST /v1/watches/{id}/${verb}`, { ids: none }))]).toEqual([verb, 404]);
    }
    const quiet = { server };
    const silent = z
      .object({ watch: identified })
      .parse(expectStatus(await ask('POST /v1/watches', { body: quiet }), 201));
    expect(statusOf(await ask('POST /v1/watches/{id}/test', { ids: [silent.watch.id] }))).toBe(400);
    // Its owner says something else of a tool, which is a change of what the server offers.
    const said = { ids: [server], body: { effects: { apple: 'destroys' } } };
    expect(statusOf(await ask('POST /v1/servers/{id}/relist', said))).toBe(200);
    expect(statusOf(await ask('POST /v1/watches/{id}/visits', { ids }))).toBe(200);
    expect(statusOf(await ask('GET /v1/watches/{id}', { ids }))).toBe(200);
    expect(statusOf(await ask('GET /v1/watches/{id}', { ids: none }))).toBe(404);
    const accept = 'POST /v1/watches/{id}/incidents/{number}/accept';
    expect(statusOf(await ask(accept, { ids: [...ids, '1'] }))).toBe(200);
    expect(statusOf(await ask(accept, { ids: [...ids, '1'] }))).toBe(404);
    expect(statusOf(await ask('POST /v1/watches/{id}/test', { ids }))).toBe(200);
    expect(statusOf(await ask('DELETE /v1/watches/{id}', { ids }))).toBe(204);
    expect(statusOf(await ask('DELETE /v1/watches/{id}', { ids }))).toBe(404);
  });

  test('servers, catalogs, explorations, benchmarks and evaluations', async () => {
    const outside = await startServer({ tools: [...(tools('apple', 'pear', 'plum') ?? []), { name: 'bare' }] });
    const server = {
      name: 'fruit',
      domain: 'testing',
      url: outside.url,
      headers: { 'X-Token': 'abc' },
      categories: { apple: 'read' },
    };
    const serverId = idOf(await ask('POST /v1/servers', { body: server }), 201);
    expect(statusOf(await ask('POST /v1/servers', { body: server }))).toBe(409);
    expect(statusOf(await ask('POST /v1/servers', { body: { ...server, url: 'ftp://x' } }))).toBe(422);
    expect(statusOf(await ask('POST /v1/servers', { body: '{' }))).toBe(400);
    expect(statusOf(await ask('POST /v1/servers', { body: server, as: reader }))).toBe(403);
    const described = {
      name: 'described',
      domain: 'testing',
      tools: [{ name: 'go', inputSchema: { type: 'object' } }],
    };
    const jsonLines = { headers: { 'content-type': 'text/jsonl' } };
    const importing = { ...jsonLines, body: `${JSON.stringify(described)}\n` };
    expect(statusOf(await ask('POST /v1/servers/import', importing))).toBe(200);
    expect(statusOf(await ask('POST /v1/servers/import', { ...jsonLines, body: 'nonsense' }))).toBe(400);
    expect(statusOf(await ask('POST /v1/servers/import', { ...importing, as: reader }))).toBe(403);
    expect(statusOf(await ask('GET /v1/servers'))).toBe(200);
    expect(statusOf(await ask('GET /v1/servers', { as: null }))).toBe(401);
    expect(statusOf(await ask('GET /v1/servers/{id}', { ids: [serverId] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/servers/{id}'))).toBe(404);
    expect(statusOf(await ask('GET /v1/servers/{id}/survey', { ids: [serverId] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/servers/{id}/survey'))).toBe(404);
    expect(statusOf(await ask('POST /v1/servers/{id}/relist', { ids: [serverId] }))).toBe(200);
    expect(statusOf(await ask('POST /v1/servers/{id}/relist', { ids: [serverId], body: { survey: false } }))).toBe(200);
    expect(statusOf(await ask('POST /v1/servers/{id}/relist', { ids: [serverId], body: { survey: 1 } }))).toBe(400);
    expect(statusOf(await ask('POST /v1/servers/{id}/relist'))).toBe(404);
    const limiting = { ids: [serverId], body: { limits: { perMinute: 10_000 } } };
    expect(statusOf(await ask('PATCH /v1/servers/{id}', limiting))).toBe(200);
    expect(statusOf(await ask('GET /v1/servers/{id}', { ids: [serverId] }))).toBe(200);
    expect(statusOf(await ask('PATCH /v1/servers/{id}', { ids: [serverId], body: { limits: 3 } }))).toBe(400);
    expect(statusOf(await ask('PATCH /v1/servers/{id}', { body: { limits: {} } }))).toBe(404);
    expect(statusOf(await ask('PATCH /v1/servers/{id}', { ids: [serverId], body: { limits: {} } }))).toBe(200);

    expect(statusOf(await ask('GET /v1/hosts/{host}/proof', { ids: ['mcp.nobody.example'] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/hosts/{host}/proof', { ids: ['127.0.0.1'] }))).toBe(422);
    expect(statusOf(await ask('GET /v1/hosts/{host}/proof', { ids: ['no host'] }))).toBe(400);
    expect(statusOf(await ask('POST /v1/hosts/{host}/proof', { ids: ['127.0.0.1'] }))).toBe(422);
    expect(statusOf(await ask('POST /v1/hosts/{host}/proof', { ids: ['a.example'], as: reader }))).toBe(403);
    const proven = newPublicHost();
    const { line } = hostRecord.parse((await ask('GET /v1/hosts/{host}/proof', { ids: [proven] })).body);
    await publishHost({ host: proven, texts: [line] });
    expect(statusOf(await ask('POST /v1/hosts/{host}/proof', { ids: [proven] }))).toBe(200);
    const consenting = await startServer({ tools: tools('apple'), tokenSeconds: 60, people: { registers: true } });
    const asking = { body: { url: consenting.url }, origin: 'http://127.0.0.1:8787' };
    const { consent } = z
      .object({ consent: identified })
      .parse(expectStatus(await ask('POST /v1/consents', asking), 201));
    expect(statusOf(await ask('GET /v1/consents/{id}', { ids: [consent.id] }))).toBe(200);
    expect(statusOf(await ask('POST /v1/consents', { body: { url: outside.url } }))).toBe(409);
    expect(statusOf(await ask('POST /v1/consents', { ...asking, body: { url: outside.url } }))).toBe(422);
    expect(statusOf(await ask('POST /v1/consents', { body: { clientSecret: 's' } }))).toBe(400);
    expect(statusOf(await ask('POST /v1/consents', { body: { url: outside.url }, as: reader }))).toBe(403);
    expect(statusOf(await ask('GET /v1/consents/{id}'))).toBe(404);
    expect(statusOf(await ask('GET /v1/consents/{id}', { as: null }))).toBe(401);

    expect(statusOf(await ask('POST /v1/catalogs', { body: { servers: [serverId] } }))).toBe(422);
    const sandbox = { allows: 'destroys', effects: { apple: 'reads' } };
    expect(statusOf(await ask('POST /v1/servers/{id}/relist', { ids: [serverId], body: sandbox }))).toBe(200);
    const catalog = idOf(await ask('POST /v1/catalogs', { body: { servers: [serverId] } }), 201);
    expect(statusOf(await ask('POST /v1/catalogs', { body: { servers: ['unknown'] } }))).toBe(404);
    expect(statusOf(await ask('GET /v1/catalogs'))).toBe(200);
    expect(statusOf(await ask('GET /v1/catalogs', { query: '?limit=x' }))).toBe(400);
    expect(statusOf(await ask('GET /v1/catalogs/{id}', { ids: [catalog] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/catalogs/{id}'))).toBe(404);

    const checked = await ask('POST /v1/models/check', { body: { catalog } });
    expect(checked.body).toMatchObject({ works: true, models: [{ verdict: 'works' }, {}, {}, {}, {}] });
    expect(statusOf(await ask('POST /v1/models/check', { body: { catalog: 'unknown' } }))).toBe(404);
    expect(statusOf(await ask('POST /v1/models/check', { body: { roles: [] } }))).toBe(400);
    expect(statusOf(await ask('POST /v1/models/check', { body: {}, as: reader }))).toBe(403);
    expect(statusOf(await ask('POST /v1/judges/measures', { query: '?dryRun=true', body: {} }))).toBe(200);
    expect(statusOf(await ask('POST /v1/judges/measures', { body: { again: 'yes' } }))).toBe(400);
    expect(statusOf(await ask('GET /v1/judges/measures'))).toBe(200);
    expect(statusOf(await ask('GET /v1/judges/measures', { as: null }))).toBe(401);

    const model = await startModel([
      { form: 'audit', times: 1, behaviour: { kind: 'grades', semanticEquivalence: 85, parameterSolvability: 85 } },
    ]);
    const body = runBody({ catalog, model }, { rounds: 2, batch: 3 });
    const headers = { 'idempotency-key': 'once' };
    expect(statusOf(await ask('POST /v1/explorations', { body, headers, query: '?dryRun=true' }))).toBe(200);
    expect(statusOf(await ask('POST /v1/explorations', { body, query: '?dryRun=maybe' }))).toBe(400);
    const run = idOf(await ask('POST /v1/explorations', { body, headers }), 202);
    expect(idOf(await ask('POST /v1/explorations', { body, headers }), 202)).toBe(run);
    expect(statusOf(await ask('POST /v1/explorations', { body: { ...body, batch: 1 }, headers }))).toBe(422);
    expect(statusOf(await ask('POST /v1/explorations', { body: { ...body, batch: 0 } }))).toBe(400);
    expect(statusOf(await ask('POST /v1/explorations', { body: { catalog: 'unknown' } }))).toBe(404);
    expect(statusOf(await ask('POST /v1/benchmarks', { body: { explorations: [run] } }))).toBe(409);
    for (const verb of ['pause', 'resume']) {
      expect(statusOf(await ask(`POST /v1/explorations/{id}/${verb}`, { ids: [run] }))).toBe(200);
      expect(statusOf(await ask(`POST /v1/explorations/{id}/${verb}`))).toBe(404);
    }
    // The stream ends with the run.
    const stream = await ask('GET /v1/explorations/{id}/events', { ids: [run] });
    expect(stream.body).toEqual(expect.stringContaining('event: run.ended'));
    const whole = { ids: [run], headers: { 'last-event-id': '1000' } };
    expect(statusOf(await ask('GET /v1/explorations/{id}/events', whole))).toBe(204);
    expect(
      statusOf(await ask('GET /v1/explorations/{id}/events', { ids: [run], headers: { 'last-event-id': 'x' } })),
    ).toBe(400);
    expect(statusOf(await ask('POST /v1/explorations/{id}/pause', { ids: [run] }))).toBe(409);

    const cancelled = idOf(await ask('POST /v1/explorations', { body }), 202);
    expect(statusOf(await ask('POST /v1/explorations/{id}/cancel', { ids: [cancelled] }))).toBe(200);
    expect(statusOf(await ask('POST /v1/explorations/{id}/cancel', { ids: [run] }))).toBe(409);

    expect(statusOf(await ask('GET /v1/explorations'))).toBe(200);
    expect(statusOf(await ask('GET /v1/explorations', { query: '?limit=501' }))).toBe(400);
    for (const id of [run, cancelled])
      expect(statusOf(await ask('GET /v1/explorations/{id}', { ids: [id] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/explorations/{id}'))).toBe(404);
    for (const part of ['units', 'transitions', 'richness', 'domains']) {
      expect(statusOf(await ask(`GET /v1/explorations/{id}/${part}`, { ids: [run] }))).toBe(200);
      expect(statusOf(await ask(`GET /v1/explorations/{id}/${part}`))).toBe(404);
    }
    for (const unit of ['r0001-p', 'r0001-u00', 'r0001-u01', 'r0001-u02']) {
      expect(statusOf(await ask('GET /v1/explorations/{id}/units/{unit}', { ids: [run, unit] }))).toBe(200);
    }
    expect(statusOf(await ask('GET /v1/explorations/{id}/units/{unit}', { ids: [run, 'r9999-p'] }))).toBe(404);
    expect(statusOf(await ask('GET /v1/explorations/{id}/tools', { ids: [run] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/explorations/{id}/tools', { ids: ['exp_none'] }))).toBe(404);
    expect(statusOf(await ask('GET /v1/explorations/{id}/writes', { ids: [run] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/explorations/{id}/writes', { ids: ['exp_none'] }))).toBe(404);
    expect(statusOf(await ask('GET /v1/reviews', { query: `?exploration=${run}` }))).toBe(200);
    expect(statusOf(await ask('GET /v1/reviews'))).toBe(400);

    const benchmark = idOf(await ask('POST /v1/benchmarks', { body: { explorations: [run], privateShare: 0.4 } }), 201);
    expect(statusOf(await ask('POST /v1/benchmarks', { body: { explorations: ['unknown'] } }))).toBe(404);
    expect(statusOf(await ask('POST /v1/benchmarks', { body: {} }))).toBe(400);
    const at = { ids: [benchmark] };
    const { body: file } = await ask('GET /v1/benchmarks/{id}/export', at);
    const upload = { headers: { 'content-type': 'text/jsonl' } };
    expect(idOf(await ask('POST /v1/benchmarks/import', { ...upload, body: file }), 201)).toBe(benchmark);
    expect(statusOf(await ask('POST /v1/benchmarks/import', { ...upload, body: 'nonsense' }))).toBe(400);
    expect(
      statusOf(
        await ask('POST /v1/benchmarks/import', {
          ...upload,
          body: z.string().parse(file).split('\n').slice(0, 2).join('\n'),
        }),
      ),
    ).toBe(422);
    expect(statusOf(await ask('GET /v1/benchmarks'))).toBe(200);
    expect(statusOf(await ask('GET /v1/benchmarks', { query: '?limit=-1' }))).toBe(400);
    for (const part of ['', '/export', '/units', '/floor', '/public', '/public/export']) {
      const as = part.startsWith('/public') || part === '/floor' ? null : key;
      expect(statusOf(await ask(`GET /v1/benchmarks/{id}${part}`, { ...at, as }))).toBe(200);
      expect(statusOf(await ask(`GET /v1/benchmarks/{id}${part}`, { as }))).toBe(404);
    }

    const wanted = evaluationBody({ benchmark: { id: benchmark }, model }, ['one', 'two']);
    const once = { 'idempotency-key': 'once' };
    const evaluation = idOf(await ask('POST /v1/evaluations', { body: wanted, headers: once }), 202);
    expect(idOf(await ask('POST /v1/evaluations', { body: wanted, headers: once }), 202)).toBe(evaluation);
    expect(statusOf(await ask('POST /v1/evaluations', { body: { ...wanted, trials: 2 }, headers: once }))).toBe(422);
    expect(statusOf(await ask('POST /v1/evaluations', { body: { ...wanted, agents: [] } }))).toBe(400);
    expect(statusOf(await ask('POST /v1/evaluations', { body: { ...wanted, benchmark: 'unknown' } }))).toBe(404);
    expect(statusOf(await ask('POST /v1/evaluations', { body: wanted, as: reader }))).toBe(403);
    for (const verb of ['pause', 'resume']) {
      expect(statusOf(await ask(`POST /v1/evaluations/{id}/${verb}`, { ids: [evaluation] }))).toBe(200);
      expect(statusOf(await ask(`POST /v1/evaluations/{id}/${verb}`))).toBe(404);
    }
    const followed = await ask('GET /v1/evaluations/{id}/events', { ids: [evaluation] });
    expect(followed.body).toEqual(expect.stringContaining('event: attempt.judged'));
    expect(statusOf(await ask('GET /v1/evaluations/{id}/events'))).toBe(404);
    expect(statusOf(await ask('POST /v1/evaluations/{id}/pause', { ids: [evaluation] }))).toBe(409);
    const stopped = idOf(await ask('POST /v1/evaluations', { body: wanted }), 202);
    expect(statusOf(await ask('POST /v1/evaluations/{id}/cancel', { ids: [stopped] }))).toBe(200);
    expect(statusOf(await ask('POST /v1/evaluations/{id}/cancel', { ids: [evaluation] }))).toBe(409);
    expect(statusOf(await ask('GET /v1/evaluations'))).toBe(200);
    expect(statusOf(await ask('GET /v1/evaluations', { query: '?limit=0' }))).toBe(400);
    const groups = breakdowns.map(({ by }) => `/${by}s`);
    const results = ['', '/units', ...groups, '/transitions'].map((part) => `/results${part}`);
    for (const part of ['', ...results, '/cases', '/compare', '/compare-anytime', '/offering', '/export', '/report']) {
      const query = part.startsWith('/compare') ? '?a=one&b=two' : '';
      for (const id of [evaluation, stopped])
        expect(statusOf(await ask(`GET /v1/evaluations/{id}${part}`, { ids: [id], query }))).toBe(200);
      expect(statusOf(await ask(`GET /v1/evaluations/{id}${part}`, { query }))).toBe(404);
    }
    for (const query of ['', '?a=one&b=two&d=1'])
      expect(statusOf(await ask('GET /v1/evaluations/{id}/compare-anytime', { ids: [evaluation], query }))).toBe(400);
    expect(statusOf(await ask('GET /v1/evaluations/{id}/compare', { ids: [evaluation] }))).toBe(400);
    for (const [query, status] of [
      ['?format=csv', 200],
      ['?format=xml', 400],
    ] as const)
      expect(statusOf(await ask('GET /v1/evaluations/{id}/export', { ids: [evaluation], query }))).toBe(status);
    expect(statusOf(await ask('POST /v1/shares', { body: { run: evaluation } }))).toBe(201);
    expect(statusOf(await ask('POST /v1/shares', { body: { run: 'evl_none' } }))).toBe(404);
    expect(statusOf(await ask('POST /v1/shares', { body: { run: benchmark } }))).toBe(400);
    for (const [run, status] of [
      [evaluation, 204],
      ['evl_none', 404],
      [benchmark, 400],
    ] as const)
      expect(statusOf(await ask('DELETE /v1/shares/{run}', { ids: [run] }))).toBe(status);
    for (const [query, status] of [
      ['?agent=one', 200],
      ['?agent=three', 404],
      ['', 400],
    ] as const)
      expect(statusOf(await ask('GET /v1/evaluations/{id}/inspect-log', { ids: [evaluation], query }))).toBe(status);
    const report = await ask('GET /v1/evaluations/{id}/tools', { ids: [evaluation] });
    const [{ tool } = { tool: '' }] = toolReport.parse(report.body).tools;
    const wording = 'POST /v1/evaluations/{id}/wording';
    const proposal = {
      body: { tools: [tool], seenShare: 0.99, model: 'writer', endpoint: { baseUrl: model.baseUrl, apiKey: modelKey } },
    };
    expect(statusOf(await ask(wording, { ids: [evaluation], ...proposal }))).toBe(200);
    expect(statusOf(await ask(wording, { ids: [evaluation], body: { seenShare: 1 } }))).toBe(400);
    expect(statusOf(await ask(wording, { ids: [evaluation], ...proposal, as: reader }))).toBe(403);
    expect(statusOf(await ask(wording, proposal))).toBe(404);
    expect(statusOf(await ask('GET /v1/evaluations/{id}/tools'))).toBe(404);
    expect(statusOf(await ask('GET /v1/evaluations/{id}/writes', { ids: [evaluation] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/evaluations/{id}/writes'))).toBe(404);
    const { items } = pageOf(identified).parse(
      (await ask('GET /v1/evaluations/{id}/cases', { ids: [evaluation], query: '?limit=1' })).body,
    );
    for (const { id } of items) {
      expect(statusOf(await ask('GET /v1/evaluations/{id}/cases/{case}', { ids: [evaluation, id] }))).toBe(200);
    }
    expect(statusOf(await ask('GET /v1/evaluations/{id}/cases/{case}', { ids: [evaluation, 'unknown'] }))).toBe(404);
    for (const [query, status] of [
      ['?outcome=under-way', 200],
      ['?agent=nobody', 404],
      ['?failure=unknown', 400],
    ] as const)
      expect(statusOf(await ask('GET /v1/evaluations/{id}/cases', { ids: [evaluation], query }))).toBe(status);
    for (const part of ['/labels', '/labels/open', '/agreement']) {
      expect(statusOf(await ask(`GET /v1/evaluations/{id}${part}`, { ids: [evaluation] }))).toBe(200);
      expect(statusOf(await ask(`GET /v1/evaluations/{id}${part}`))).toBe(404);
    }
    const { judge, embedder } = wanted;
    const rejudge = 'POST /v1/evaluations/{id}/rejudge';
    const judges = { body: { judge, embedder } };
    const again = idOf(await ask(rejudge, { ids: [evaluation], ...judges }), 202);
    expect(statusOf(await ask('GET /v1/evaluations/{id}/agreement', { ids: [again] }))).toBe(200);
    expect(statusOf(await ask(rejudge, { ids: [evaluation], body: { trials: 2 } }))).toBe(400);
    expect(statusOf(await ask(rejudge, judges))).toBe(404);
    expect(statusOf(await ask(rejudge, { ids: [evaluation], ...judges, as: reader }))).toBe(403);
    const open = await ask('GET /v1/evaluations/{id}/labels/open', { ids: [evaluation], query: '?limit=1' });
    const [place] = pageOf(attemptPlace).parse(open.body).items;
    const labels = { labels: [{ ...place, verdict: 'success' }] };
    const votes = { judge: 'another', votes: [{ ...place, verdict: null }] };
    for (const [operation, body] of [
      ['POST /v1/evaluations/{id}/labels', labels],
      ['POST /v1/evaluations/{id}/votes', votes],
    ] as const) {
      expect(statusOf(await ask(operation, { ids: [evaluation], body }))).toBe(200);
      expect(statusOf(await ask(operation, { ids: [evaluation], body: {} }))).toBe(400);
      expect(statusOf(await ask(operation, { body }))).toBe(404);
      expect(statusOf(await ask(operation, { ids: [evaluation], body, as: reader }))).toBe(403);
    }
    const deleting = 'DELETE /v1/evaluations/{id}/cases/{case}/texts';
    for (const { id } of items) {
      expect(statusOf(await ask(deleting, { ids: [evaluation, id], query: '?request=SOURCE' }))).toBe(400);
      expect(statusOf(await ask(deleting, { ids: [evaluation, id] }))).toBe(200);
      expect(statusOf(await ask(deleting, { ids: [evaluation, id], as: reader }))).toBe(403);
    }
    expect(statusOf(await ask(deleting, { ids: [evaluation, 'unknown'] }))).toBe(404);
    const forgetting = 'DELETE /v1/explorations/{id}/units/{unit}/texts';
    const explored = pageOf(identified).parse((await ask('GET /v1/explorations/{id}/units', { ids: [run] })).body);
    for (const { id } of explored.items) {
      expect(statusOf(await ask(forgetting, { ids: [run, id], query: '?request=both' }))).toBe(400);
      expect(statusOf(await ask(forgetting, { ids: [run, id] }))).toBe(200);
      expect(statusOf(await ask(forgetting, { ids: [run, id], as: reader }))).toBe(403);
    }
    expect(statusOf(await ask(forgetting, { ids: [run, 'unknown'] }))).toBe(404);
    expect(statusOf(await ask(rejudge, { ids: [evaluation], ...judges }))).toBe(409);

    const elsewhere = { loop: 'elsewhere', model: null, limits: {} };
    const uploaded = [{ name: 'guest', loop: 'uploaded', configuration: elsewhere }];
    const filled = idOf(
      await ask('POST /v1/evaluations', { body: { ...wanted, agents: uploaded, judges: false } }),
      202,
    );
    const imports = 'POST /v1/evaluations/{id}/attempts';
    const nothing = { attempts: [], complete: true };
    expect(statusOf(await ask(imports, { ids: [filled], body: nothing, as: reader }))).toBe(403);
    expect(statusOf(await ask(imports, { ids: [filled], body: { attempts: 1 } }))).toBe(400);
    expect(statusOf(await ask(imports, { body: nothing }))).toBe(404);
    expect(statusOf(await ask(imports, { ids: [filled], body: nothing }))).toBe(200);
    expect(statusOf(await ask(imports, { ids: [again], body: nothing }))).toBe(409);

    const thinker = { model: 'thinker', endpoint: { baseUrl: model.baseUrl, apiKey: modelKey } };
    const guest = { name: 'guest', loop: 'external', models: [thinker] };
    const external = { ...wanted, agents: [guest], judges: false, recording: 'record' };
    const hosting = idOf(await ask('POST /v1/evaluations', { body: external }), 202);
    const wish = { evaluation: hosting, agent: 'guest' };
    const claim = claimed.parse((await ask('POST /v1/attempts/claim', { body: wish })).body).attempt;
    expect(statusOf(await ask('POST /v1/attempts/claim', { body: { ...wish, agent: 'nobody' } }))).toBe(404);
    expect(statusOf(await ask('POST /v1/attempts/claim', { body: { agent: 'guest' } }))).toBe(400);
    const endpoint = 'POST /mcp/attempts/{id}';
    const listing = { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, ids: [claim.id], as: null };
    const accept = 'application/json, text/event-stream';
    expect(statusOf(await ask(endpoint, { ...listing, headers: { ...claim.mcp.headers, accept } }))).toBe(200);
    expect(statusOf(await ask(endpoint, { ...listing, headers: { accept } }))).toBe(401);
    const models = 'POST /models/attempts/{id}/{api}';
    const question = { body: { model: 'thinker', messages: [] }, as: null };
    const unknown = { ...question, body: { model: 'other' } };
    const chat = [claim.id, 'openai/v1/chat/completions'];
    expect(statusOf(await ask(models, { ...question, ids: chat, headers: claim.mcp.headers }))).toBe(200);
    expect(statusOf(await ask(models, { ...unknown, ids: chat, headers: claim.mcp.headers }))).toBe(404);
    expect(statusOf(await ask(models, { ...question, ids: chat }))).toBe(401);
    const beating = 'POST /v1/attempts/{id}/heartbeat';
    expect(statusOf(await ask(beating, { ids: [claim.id] }))).toBe(200);
    expect(statusOf(await ask(beating))).toBe(404);
    const responding = 'POST /v1/attempts/{id}/response';
    const response = { response: 'done' };
    expect(statusOf(await ask(responding, { body: {}, ids: [claim.id] }))).toBe(400);
    expect(statusOf(await ask(responding, { body: response, ids: [claim.id] }))).toBe(200);
    expect(statusOf(await ask(responding, { body: response, ids: [claim.id] }))).toBe(200);
    expect(statusOf(await ask(responding, { body: { response: 'another' }, ids: [claim.id] }))).toBe(409);
    expect(statusOf(await ask(responding, { body: response }))).toBe(404);
    expect(statusOf(await ask(beating, { ids: [claim.id] }))).toBe(409);
    const settling = 'POST /v1/evaluations/{id}/crashes';
    expect(statusOf(await ask(settling, { body: { do: 'retry' }, ids: [hosting] }))).toBe(200);
    expect(statusOf(await ask(settling, { body: { do: 'forget' }, ids: [hosting] }))).toBe(400);
    expect(statusOf(await ask(settling, { body: { do: 'fail', agent: 'nobody' }, ids: [hosting] }))).toBe(404);
    expect(statusOf(await ask(settling, { body: { do: 'retry' }, ids: [hosting], as: reader }))).toBe(403);
    const giving = 'DELETE /v1/attempts/{id}';
    expect(statusOf(await ask(giving, { ids: [claim.id] }))).toBe(409);
    expect(statusOf(await ask(giving))).toBe(404);
    expect(statusOf(await ask(giving, { ids: [claim.id], as: reader }))).toBe(403);
    const next = claimed.parse((await ask('POST /v1/attempts/claim', { body: wish })).body).attempt;
    expect(statusOf(await ask(giving, { ids: [next.id] }))).toBe(200);

    expect(statusOf(await ask('GET /v1/recordings', { query: '?limit=0' }))).toBe(400);
    const recordings = pageOf(identified).parse((await ask('GET /v1/recordings')).body).items;
    expect(recordings).toHaveLength(1);
    for (const part of ['', '/export']) {
      for (const { id } of recordings)
        expect(statusOf(await ask(`GET /v1/recordings/{id}${part}`, { ids: [id] }))).toBe(200);
      expect(statusOf(await ask(`GET /v1/recordings/{id}${part}`))).toBe(404);
    }
    const calls = 'GET /v1/recordings/{id}/calls';
    const of = '?unit=u_1&attempt=guest.01.source';
    for (const { id } of recordings) expect(statusOf(await ask(calls, { ids: [id], query: of }))).toBe(200);
    expect(statusOf(await ask(calls, { query: of }))).toBe(404);
    expect(statusOf(await ask(calls, { query: '?unit=u_1' }))).toBe(400);
    const { body: record } = await ask('GET /v1/recordings/{id}/export', { ids: recordings.map(({ id }) => id) });
    expect(statusOf(await ask('POST /v1/recordings/import', { ...upload, body: record }))).toBe(201);
    expect(statusOf(await ask('POST /v1/recordings/import', { ...upload, body: 'nonsense' }))).toBe(400);

    expect(statusOf(await ask('DELETE /v1/servers/{id}', { ids: [serverId] }))).toBe(204);
    expect(statusOf(await ask('DELETE /v1/servers/{id}', { ids: [serverId] }))).toBe(404);
  });

  test('reviews', async () => {
    const ground = await prepare({
      rules: [{ form: 'audit', behaviour: { kind: 'grades', semanticEquivalence: 85, parameterSolvability: 95 } }],
    });
    const as = ground.workspace.key;
    const { run } = await exploreToEnd(ground, { batch: 2 });
    const [unit = '', other = '', third = ''] = (await unitsOf(ground, run)).map(({ id }) => id);

    const listing = 'GET /v1/reviews';
    for (const query of ['', '&state=decided', '&origin=evolved', '&tool=fruit%2Fapple', '&limit=1'])
      expect(statusOf(await ask(listing, { as, query: `?exploration=${run}${query}` }))).toBe(200);
    for (const query of ['&state=closed', '&origin=bought', '&limit=0'])
      expect(statusOf(await ask(listing, { as, query: `?exploration=${run}${query}` }))).toBe(400);
    expect(statusOf(await ask(listing, { as, query: '?exploration=unknown' }))).toBe(404);
    expect(statusOf(await ask(listing, { as: null, query: `?exploration=${run}` }))).toBe(401);

    const reading = 'GET /v1/reviews/{exploration}/{unit}';
    expect(statusOf(await ask(reading, { as, ids: [run, unit] }))).toBe(200);
    for (const ids of [
      [run, 'r9999-p'],
      ['unknown', unit],
      [unit, run],
    ])
      expect(statusOf(await ask(reading, { as, ids }))).toBe(404);

    const deciding = 'POST /v1/reviews/{exploration}/{unit}/decision';
    const approve = { decision: 'approve' };
    const reject = { decision: 'reject', reason: 'nobody asks that' };
    const edit = { decision: 'edit', edit: { source: 'a', followUp: 'b', arguments: [] } };
    for (const body of [{}, { decision: 'reject' }, { ...approve, reason: 'x' }, '{'])
      expect(statusOf(await ask(deciding, { as, ids: [run, unit], body }))).toBe(400);
    expect(statusOf(await ask(deciding, { as: reader, ids: [run, unit], body: approve }))).toBe(403);
    expect(statusOf(await ask(deciding, { as, body: approve }))).toBe(404);
    for (const [id, body] of [
      [unit, approve],
      [other, reject],
      [third, edit],
    ] as const) {
      expect(statusOf(await ask(deciding, { as, ids: [run, id], body }))).toBe(200);
      expect(statusOf(await ask(reading, { as, ids: [run, id] }))).toBe(200);
    }
    expect(statusOf(await ask(deciding, { as, ids: [run, other], body: approve }))).toBe(409);
    expect(
      statusOf(await ask(deciding, { as, ids: [run, unit], body: 'x', headers: { 'content-type': 'text/plain' } })),
    ).toBe(415);
    expect(statusOf(await ask(deciding, { as, ids: [run, unit], body: 'x'.repeat(1_100_000) }))).toBe(413);

    // Nothing is left under way: what was approved is executed, and the edit has no sources for its arguments.
    await expect
      .poll(async () => (await unitsOf(ground, run)).map(({ status }) => status), { timeout: 10_000 })
      .toEqual(['accepted', 'rejected', 'review']);

    const agreeing = 'GET /v1/reviews/agreement';
    expect(statusOf(await ask(agreeing, { as, query: `?exploration=${run}` }))).toBe(200);
    expect(statusOf(await ask(agreeing, { as, query: '?exploration=unknown' }))).toBe(404);
    expect(statusOf(await ask(agreeing, { as }))).toBe(400);
  });

  test('evolutions', async () => {
    const ground = await prepare();
    const as = ground.workspace.key;
    const { run } = await exploreToEnd(ground, { batch: 4 });
    await ground.model.script([{ form: 'variant', behaviour: { kind: 'slow', ms: 300 } }]);

    const creating = 'POST /v1/explorations/{id}/evolutions';
    const at = { as, ids: [run] };
    const once = { headers: { 'idempotency-key': 'once' } };
    const body = { batch: 2, budget: { batches: 2 } };
    expect(statusOf(await ask(creating, { ...at, body: { batch: 0 } }))).toBe(400);
    expect(statusOf(await ask(creating, { ...at, body: '{' }))).toBe(400);
    expect(statusOf(await ask(creating, { as, body }))).toBe(404);
    expect(statusOf(await ask(creating, { ...at, as: reader, body }))).toBe(403);
    const begun = await ask(creating, { ...at, ...once, body });
    expect([begun.status, begun.headers.get('location')]).toEqual([202, `/v1/explorations/${run}/evolutions/1`]);
    expect(statusOf(await ask(creating, { ...at, ...once, body }))).toBe(202);
    expect(statusOf(await ask(creating, { ...at, ...once, body: {} }))).toBe(422);
    expect(statusOf(await ask(creating, { ...at, body }))).toBe(409);

    const one = 'GET /v1/explorations/{id}/evolutions/{number}';
    const first = { as, ids: [run, '1'] };
    for (const verb of ['pause', 'resume'] as const) {
      const moving = `POST /v1/explorations/{id}/evolutions/{number}/${verb}`;
      expect(statusOf(await ask(moving, first))).toBe(200);
      expect(statusOf(await ask(one, first))).toBe(200);
      expect(statusOf(await ask(moving, { as, ids: [run, '2'] }))).toBe(404);
      expect(statusOf(await ask(moving, { as, ids: [run, 'first'] }))).toBe(400);
    }
    const following = 'GET /v1/explorations/{id}/evolutions/{number}/events';
    const followed = await ask(following, first);
    expect(followed.body).toEqual(expect.stringContaining('event: batch.committed'));
    expect(followed.body).toEqual(expect.stringContaining('event: run.ended'));
    expect(statusOf(await ask(following, { as, ids: [run, '2'] }))).toBe(404);
    expect(statusOf(await ask('POST /v1/explorations/{id}/evolutions/{number}/pause', first))).toBe(409);

    const cancelling = 'POST /v1/explorations/{id}/evolutions/{number}/cancel';
    expect(statusOf(await ask(creating, { ...at, body: { ...body, targetUnits: 100 } }))).toBe(202);
    expect(statusOf(await ask(cancelling, { as, ids: [run, '2'] }))).toBe(200);
    expect(statusOf(await ask(cancelling, first))).toBe(409);
    expect(statusOf(await ask(cancelling, { as, ids: [run, '3'] }))).toBe(404);

    const listing = 'GET /v1/explorations/{id}/evolutions';
    expect((await ask(listing, at)).body).toMatchObject({ items: [{ number: 1 }, { number: 2 }] });
    expect(statusOf(await ask(listing, { as }))).toBe(404);
    for (const ids of [
      [run, '3'],
      ['unknown', '1'],
    ])
      expect(statusOf(await ask(one, { as, ids }))).toBe(404);
    expect(statusOf(await ask(one, { as, ids: [run, '0'] }))).toBe(400);
    // Variants are listed and frozen with the other units.
    expect(statusOf(await ask('GET /v1/explorations/{id}/units', { ...at, query: '?origin=evolved' }))).toBe(200);
    for (const { id, lineage } of await unitsOf(ground, run))
      if (lineage !== null)
        expect(statusOf(await ask('GET /v1/explorations/{id}/units/{unit}', { as, ids: [run, id] }))).toBe(200);
    const frozen = await ask('POST /v1/benchmarks', { as, body: { explorations: [run], floor: false } });
    expect(statusOf(await ask('GET /v1/benchmarks/{id}/units', { as, ids: [idOf(frozen, 201)] }))).toBe(200);
  });

  test('knowledge', async () => {
    const upload = { headers: { 'content-type': 'text/jsonl' } };
    const headers = { 'idempotency-key': 'once' };
    const making = 'POST /v1/knowledge';
    const id = idOf(await ask(making, { body: { name: 'facts' }, headers }), 201);
    expect(idOf(await ask(making, { body: { name: 'facts' }, headers }), 201)).toBe(id);
    expect(statusOf(await ask(making, { body: { name: 'others' }, headers }))).toBe(422);
    expect(statusOf(await ask(making, { body: { embedding: 'store' } }))).toBe(400);
    expect(statusOf(await ask(making, { body: {}, as: reader }))).toBe(403);
    expect(statusOf(await ask('GET /v1/knowledge'))).toBe(200);
    expect(statusOf(await ask('GET /v1/knowledge', { query: '?limit=0' }))).toBe(400);
    const at = { ids: [id] };
    const loading = 'POST /v1/knowledge/{id}/passages';
    const file = '{"text": "Iron rusts."}\n{"text": "Gold does not.", "source": "a book", "licence": "CC0"}';
    expect(statusOf(await ask(loading, { ...at, ...upload, body: file }))).toBe(200);
    expect(statusOf(await ask(loading, { ...at, ...upload, body: '{"txt": "a"}' }))).toBe(400);
    expect(statusOf(await ask(loading, { ...at, ...upload, body: '{"text": "a", "vector": [1, 2]}' }))).toBe(422);
    expect(statusOf(await ask(loading, { ...at, ...upload, body: 'x'.repeat(1_100_000) }))).toBe(413);
    expect(statusOf(await ask(loading, { ...upload, body: file }))).toBe(404);
    for (const part of ['', '/search']) {
      const query = part === '' ? '' : '?query=rust';
      expect(statusOf(await ask(`GET /v1/knowledge/{id}${part}`, { ...at, query }))).toBe(200);
      expect(statusOf(await ask(`GET /v1/knowledge/{id}${part}`, { query }))).toBe(404);
    }
    expect(statusOf(await ask('GET /v1/knowledge/{id}/search', at))).toBe(400);
    const clearing = 'DELETE /v1/knowledge/{id}/namespaces/{namespace}';
    expect(statusOf(await ask(clearing, { ids: [id, 'main'] }))).toBe(204);
    expect(statusOf(await ask(clearing, { ids: [id, 'a b'] }))).toBe(400);
    expect(statusOf(await ask(clearing, { ids: ['unknown', 'main'] }))).toBe(404);
    // The stream ends with the index, which is not deleted before it is followed.
    const following = ask('GET /v1/knowledge/{id}/events', at);
    for (let n = 0; n < 5; n += 1) await ask('GET /v1/knowledge/{id}', at);
    expect(statusOf(await ask('DELETE /v1/knowledge/{id}', at))).toBe(204);
    expect(statusOf(await following)).toBe(200);
    expect(statusOf(await ask('GET /v1/knowledge/{id}/events', at))).toBe(404);
    expect(statusOf(await ask('DELETE /v1/knowledge/{id}', at))).toBe(404);
  });

  test('leaderboards', async () => {
    const workspace = await newWorkspace();
    const as = workspace.key;
    const benchmark = await importBenchmark(workspace);
    const opening = 'POST /v1/leaderboards';
    const body = { benchmark, name: 'A leaderboard' };
    const id = idOf(await ask(opening, { as, body }), 201);
    expect(idOf(await ask(opening, { as, body }), 201)).toBe(id);
    expect(statusOf(await ask(opening, { as, body: { ...body, name: 'Another' } }))).toBe(409);
    expect(statusOf(await ask(opening, { as, body: { ...body, benchmark: 'unknown' } }))).toBe(404);
    expect(statusOf(await ask(opening, { as, body: { benchmark } }))).toBe(400);
    expect(statusOf(await ask(opening, { as: reader, body }))).toBe(403);

    const everybody = { as: null };
    expect(statusOf(await ask('GET /v1/leaderboards', everybody))).toBe(200);
    expect(statusOf(await ask('GET /v1/leaderboards', { ...everybody, query: '?limit=0' }))).toBe(400);
    expect(statusOf(await ask('GET /v1/signing-key', everybody))).toBe(200);

    const { id: entry } = await publish({ id }, 0.5, { name: '<b>"', costUsd: 1 });
    const { id: gone } = await publish({ id }, 0.6, { name: 'Gone' });
    await env.LEADERBOARD.getByName(id).hideEntry(gone, 'odd', '2026-05-03T00:00:00.000Z');
    for (const part of ['', '/entries', '/export', '/front', '/log']) {
      expect(statusOf(await ask(`GET /v1/leaderboards/{id}${part}`, { ...everybody, ids: [id] }))).toBe(200);
      expect(statusOf(await ask(`GET /v1/leaderboards/{id}${part}`, everybody))).toBe(404);
    }
    const at = 'GET /v1/leaderboards/{id}/entries';
    expect(statusOf(await ask(at, { ...everybody, ids: [id], query: '?metric=elo' }))).toBe(400);
    const exporting = 'GET /v1/leaderboards/{id}/export';
    expect(statusOf(await ask(exporting, { ...everybody, ids: [id], query: '?format=csv' }))).toBe(200);
    for (const part of ['', '/record', '/history', '/badge.svg', '/traces', '/cases']) {
      const name = `${at}/{entry}${part}`;
      // What was published without a submission has no traces and no cases.
      if (!['/traces', '/cases'].includes(part))
        expect(statusOf(await ask(name, { ...everybody, ids: [id, entry] }))).toBe(200);
      expect(statusOf(await ask(name, { ...everybody, ids: [id, gone] }))).toBe(410);
      expect(statusOf(await ask(name, { ...everybody, ids: [id, 'unknown'] }))).toBe(404);
    }
    for (const [name, ids] of [
      [at, [id]],
      [`${at}/{entry}`, [id, entry]],
      [`${at}/{entry}/badge.svg`, [id, entry]],
    ] as const) {
      const etag = (await ask(name, { ...everybody, ids })).headers.get('etag') ?? '';
      expect(statusOf(await ask(name, { ...everybody, ids, headers: { 'if-none-match': etag } }))).toBe(304);
    }
    const moderating = 'GET /v1/leaderboards/{id}/submissions';
    expect(statusOf(await ask(moderating, { as, ids: [id] }))).toBe(200);
    expect(statusOf(await ask(moderating, { ids: [id] }))).toBe(404);
    expect(statusOf(await ask(moderating, { as: reader, ids: [id] }))).toBe(403);
  });

  test('submissions', async () => {
    const ground = await board({ units: 2 });
    const { run } = await evaluateToEnd(ground, ['steady']);
    const owner = ground.workspace.key;
    const taking = 'GET /v1/evaluations/{id}/traces';
    const { body: file } = await ask(taking, { as: owner, ids: [run], query: '?agent=steady' });
    expect(statusOf(await ask(taking, { as: owner, ids: [run], query: '?agent=nobody' }))).toBe(404);

    const guest = await submitter();
    const as = guest.key;
    const creating = 'POST /v1/submissions';
    const body = serviceBody(ground, ground.model, 'Guest');
    const id = idOf(await ask(creating, { as, body }), 202);
    expect(statusOf(await ask(creating, { as, body: { ...body, leaderboard: 'unknown' } }))).toBe(404);
    expect(statusOf(await ask(creating, { as, body: { ...body, benchmark: 'another' } }))).toBe(422);
    expect(statusOf(await ask(creating, { as, body: { ...body, tier: 'best' } }))).toBe(400);
    expect(statusOf(await ask(creating, { as: reader, body }))).toBe(403);
    expect(statusOf(await ask(creating, { as: owner, body }))).toBe(409);

    const uploading = 'POST /v1/submissions/upload';
    const upload = { headers: { 'content-type': 'text/jsonl' } };
    const query = `?leaderboard=${ground.leaderboard.id}&name=Guest`;
    const traces = idOf(await ask(uploading, { as, ...upload, query, body: file }), 202);
    expect(statusOf(await ask(uploading, { as, ...upload, query, body: 'nonsense' }))).toBe(400);
    expect(statusOf(await ask(uploading, { as, ...upload, query, body: String(file).slice(0, -20) }))).toBe(400);
    expect(statusOf(await ask(uploading, { as, ...upload, query: '?name=x', body: file }))).toBe(400);

    const at = { ids: [id] };
    // The streams end with the submissions, so nothing continues after this.
    for (const each of [id, traces])
      expect(statusOf(await ask('GET /v1/submissions/{id}/events', { as, ids: [each] }))).toBe(200);
    expect(statusOf(await ask('GET /v1/submissions', { as }))).toBe(200);
    expect(statusOf(await ask('GET /v1/submissions', { as, query: '?limit=0' }))).toBe(400);
    expect(statusOf(await ask('GET /v1/submissions/{id}', { as, ...at }))).toBe(200);
    for (const part of ['', '/events']) {
      expect(statusOf(await ask(`GET /v1/submissions/{id}${part}`, { ...at }))).toBe(404);
      expect(statusOf(await ask(`GET /v1/submissions/{id}${part}`, { as }))).toBe(404);
    }
    for (const part of ['traces', 'cases'])
      expect(
        statusOf(
          await ask(`GET /v1/leaderboards/{id}/entries/{entry}/${part}`, {
            as: null,
            ids: [ground.leaderboard.id, id],
          }),
        ),
      ).toBe(200);
    const cases = 'GET /v1/leaderboards/{id}/entries/{entry}/cases';
    const tooMany = { as: null, ids: [ground.leaderboard.id, id], query: '?limit=51' };
    expect(statusOf(await ask(cases, tooMany))).toBe(400);

    const moderating = 'POST /v1/submissions/{id}/moderate';
    const hide = { action: 'hide', reason: 'odd' };
    expect(statusOf(await ask(moderating, { as: owner, ...at, body: hide }))).toBe(200);
    expect(statusOf(await ask(moderating, { as: owner, ...at, body: hide }))).toBe(409);
    expect(statusOf(await ask(moderating, { as: owner, ...at, body: { action: 'praise' } }))).toBe(400);
    expect(statusOf(await ask(moderating, { as, ...at, body: hide }))).toBe(403);
    const withdrawing = 'POST /v1/submissions/{id}/withdraw';
    expect(statusOf(await ask(withdrawing, { as, ...at, body: {} }))).toBe(200);
    expect(statusOf(await ask(withdrawing, { as, ...at, body: {} }))).toBe(409);
    expect(statusOf(await ask(withdrawing, { as, body: {} }))).toBe(404);

    const waiting = idOf(
      await ask(creating, { as, body: { leaderboard: ground.leaderboard.id, name: 'Waits', tier: 'gateway' } }),
      202,
    );
    await vi.waitFor(
      async () =>
        expect((await ask('GET /v1/submissions/{id}', { as, ids: [waiting] })).body).toMatchObject({
          state: 'scoring',
        }),
      { timeout: 10_000, interval: 100 },
    );
    expect(statusOf(await ask('POST /v1/attempts/claim', { as, body: { submission: waiting } }))).toBe(200);
    expect(statusOf(await ask('POST /v1/attempts/claim', { as, body: { submission: id } }))).toBe(409);
    expect(statusOf(await ask(withdrawing, { as, ids: [waiting], body: {} }))).toBe(200);
  });
});

describe('the contract check itself', () => {
  test('detects an undeclared status, a wrong body and an unknown endpoint', () => {
    const json = new Headers({ 'content-type': 'application/json' });
    expect(contract.check('GET /health', undefined, { status: 418, headers: json, body: {} })).toEqual([
      'GET /health does not declare 418',
    ]);
    expect(
      contract.check('GET /health', undefined, { status: 200, headers: json, body: { status: 'bad' } }),
    ).not.toEqual([]);
    expect(
      contract.check('GET /v1/servers', undefined, {
        status: 200,
        headers: json,
        body: { items: [{ id: 1 }], nextCursor: null },
      }),
    ).not.toEqual([]);
    expect(contract.check('GET /v1/poems', undefined, { status: 200, headers: json, body: {} })).toEqual([
      'GET /v1/poems is not in the document',
    ]);
  });
});

/** The only possible error of these requests is to send too many. */
const neverWrong = new Set(['GET /health', 'GET /v1/signing-key']);

afterAll(() => {
  for (const name of contract.operations) {
    const seen = contract.seen(name);
    expect([name, seen.some((status) => status < 300)]).toEqual([name, true]);
    if (!neverWrong.has(name)) expect([name, seen.some((status) => status >= 400)]).toEqual([name, true]);
  }
});
