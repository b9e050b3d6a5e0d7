import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '#core/reports/events.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import {
  caseOf,
  casesOf,
  evaluationOf,
  followEvaluation,
  frozen,
  resultsOf,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { claim, claimAnswer, claimed, connected, evaluateGuest, respond, type Claimed } from '../support/external.ts';
import { call, expectStatus, newWorkspace, problemOf } from '../support/workspace.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(2);
});

const typesOf = (events: readonly RunEvent[]): string[] => events.map(({ event }) => event.type);
const one = { sample: { units: 1 } };
const isShort = (retryAfterMs: number): boolean => retryAfterMs >= 2_000 && retryAfterMs < 15_000;

/** Calls every tool that the request names, in its order, and answers. */
async function workOn(ground: TestBed, attempt: Claimed): Promise<string[]> {
  const client = await connected(attempt);
  const { tools } = await client.listTools();
  const words = tools.map(({ name }) => ({ name, at: attempt.request.indexOf(name.split('__')[1] ?? name) }));
  const wanted = words.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
  for (const { name } of wanted) await client.callTool({ name, arguments: { code: 'x', reference: 'x' } });
  await client.close();
  expectStatus(await respond(ground, attempt, `I did ${wanted.map(({ name }) => name).join(' and ')}.`), 200);
  return wanted.map(({ name }) => name);
}

describe('an external agent', () => {
  test('works through all attempts over MCP, and its traces are recorded by the gateway and judged like others', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground);
    const made: string[][] = [];
    for (let n = 0; n < 4; n += 1) made.push(await workOn(ground, await claim(ground, run)));
    expect(await claimAnswer(ground, run)).toEqual({ status: 'finished' });
    const events = await followEvaluation(ground, run);
    expect(await evaluationOf(ground, run)).toMatchObject({
      status: 'completed',
      agents: [{ name: 'guest', loop: 'external' }],
      progress: { attempts: 4, made: 4, notEvaluated: 0, unitsDone: 2 },
    });
    expect(typesOf(events).filter((type) => type === 'attempt.claimed')).toHaveLength(4);
    expect(typesOf(events).filter((type) => type === 'attempt.judged')).toHaveLength(4);
    const cases = await casesOf(ground, run);
    const { traces } = await caseOf(ground, run, cases[0]?.id ?? '');
    expect(traces.source?.steps.map(({ tool, outcome, turn }) => [tool.replace('/', '__'), outcome, turn])).toEqual(
      made[0]?.map((tool, index) => [tool, 'success', index + 1]),
    );
    const guest = (await resultsOf(ground, run))('guest');
    expect(guest).toMatchObject({
      units: 2,
      attempts: 4,
      scores: { tcs: { mean: 1 }, success: { mean: 1 } },
      tokens: null,
      costUsd: null,
    });
  });

  test('sees the tools as their servers describe them, and gets errors unchanged', async () => {
    const ground = await withRules(bed);
    const attempt = await claim(ground, await evaluateGuest(ground, { ...one, mounting: { kind: 'max-scale' } }));
    // Nothing in the claim gives the chain away.
    expect(Object.keys(attempt).toSorted()).toEqual(['deadline', 'id', 'mcp', 'request']);
    expect(attempt.id).not.toContain('u_');
    const client = await connected(attempt);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    expect(tools.find(({ name }) => name === 'fruit__apple')).toMatchObject({
      description: 'Does what apple does',
      inputSchema: { type: 'object', required: ['code'] },
      outputSchema: { type: 'object', required: ['reference'] },
    });
    await ground.servers['fruit']?.trick('tools/call', { kind: 'rpc-error', code: -32050, message: 'out of apples' });
    await expect(client.callTool({ name: 'fruit__apple', arguments: { code: 'x' } })).rejects.toMatchObject({
      code: -32050,
      message: expect.stringContaining('out of apples'),
    });
    await ground.servers['fruit']?.trick('tools/call', null);
    await expect(client.callTool({ name: 'no-such-tool' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('is told to wait while everything is claimed, and that it is finished when everything is done', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { ...one, judges: false });
    const first = await claim(ground, run);
    expect(await claimAnswer(ground, run)).toEqual({ status: 'wait', retryAfterMs: expect.toSatisfy(isShort) });
    await runInDurableObject(
      env.EVALUATION_RUN.getByName(run),
      (_object, { storage: { sql } }) => void sql.exec("UPDATE events SET at = '2026-01-01T00:00:00.000Z'"),
    );
    // The longer nothing happens, the less often clients ask.
    expect(await claimAnswer(ground, run)).toEqual({ status: 'wait', retryAfterMs: 30_000 });
    expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/pause`), 200);
    // What was under way when the run was paused is taken; nothing new is given out.
    expectStatus(await respond(ground, first, 'done'), 200);
    expect(await claimAnswer(ground, run)).toMatchObject({ status: 'wait' });
    expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/resume`), 200);
    expectStatus(await respond(ground, await claim(ground, run), 'done'), 200);
    expect(await claimAnswer(ground, run)).toEqual({ status: 'finished' });
  });

  test('that repeats a claim with its key gets the same attempt', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { judges: false });
    const headers = { 'idempotency-key': 'first' };
    const first = await claimAnswer(ground, run, headers);
    expect(await claimAnswer(ground, run, headers)).toEqual(first);
    expect(await claimAnswer(ground, run, { 'idempotency-key': 'second' })).not.toEqual(first);
  });

  test('is judged after a pause by the drivers of the resumed run', async () => {
    const ground = await withRules(bed, { form: 'attempt-reading', behaviour: { kind: 'slow', ms: 500 } });
    const run = await evaluateGuest(ground, one);
    expectStatus(await respond(ground, await claim(ground, run), 'done'), 200);
    const last = await claim(ground, run);
    expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/pause`), 200);
    expectStatus(await respond(ground, last, 'done'), 200);
    expect((await evaluationOf(ground, run)).progress).toMatchObject({ made: 2, unitsDone: 0 });
    expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/resume`), 200);
    expect(typesOf(await followEvaluation(ground, run)).filter((type) => type === 'attempt.judged')).toHaveLength(2);
  });
});

describe('an attempt of an external agent', () => {
  test('can be answered once, before its deadline', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { judges: false });
    const attempt = await claim(ground, run);
    expectStatus(await respond(ground, attempt, 'done'), 200);
    // An acknowledgement can be lost: the same response gets the same answer, another one none.
    const first = expectStatus(await respond(ground, attempt, 'done'), 200);
    expect(expectStatus(await respond(ground, attempt, 'done'), 200)).toEqual(first);
    expect(problemOf(await respond(ground, attempt, 'done, or not'))).toEqual([409, 'attempt-over']);
    await expect(connected(attempt)).rejects.toThrow();

    const late = await claim(ground, run);
    await runDurableObjectAlarm(env.ATTEMPT.getByName(late.id));
    expect(problemOf(await respond(ground, late, 'too late'))).toEqual([409, 'attempt-over']);
    await expect(connected(late)).rejects.toThrow();
  });

  test('gets the same answer again if its object was killed before it heard from its evaluation', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { ...one, judges: false });
    const write = SingletonTable.prototype.write;
    // The second of two is the last of its evaluation, which is over then.
    for (const isLate of [false, true]) {
      const attempt = await claim(ground, run);
      vi.spyOn(SingletonTable.prototype, 'write').mockImplementation(function (this: SingletonTable, key, value) {
        if (key === 'state' && value === 'answered') throw new Error('killed');
        write.call(this, key, value);
      });
      expect((await respond(ground, attempt, 'done')).status).toBe(500);
      vi.restoreAllMocks();
      const stub = env.ATTEMPT.getByName(attempt.id);
      await evictDurableObject(stub);
      if (isLate) expect(await runDurableObjectAlarm(stub)).toBe(true);
      else expect(problemOf(await respond(ground, attempt, 'something else'))).toEqual([409, 'attempt-over']);
      for (let times = 0; times < 2; times += 1)
        expect(expectStatus(await respond(ground, attempt, 'done'), 200)).toMatchObject({
          evaluated: true,
          again: false,
        });
      expect(problemOf(await respond(ground, attempt, 'something else'))).toEqual([409, 'attempt-over']);
    }
    await followEvaluation(ground, run);
    expect(await evaluationOf(ground, run)).toMatchObject({ status: 'completed', progress: { made: 2 } });
  });

  test('treats a repeated response before the deadline as the same, even if its object has forgotten it', async () => {
    const ground = await withRules(bed);
    const attempt = await claim(ground, await evaluateGuest(ground, { judges: false }));
    const first = expectStatus(await respond(ground, attempt, 'done'), 200);
    const stub = env.ATTEMPT.getByName(attempt.id);
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      sql.exec("DELETE FROM facts WHERE key = 'answer'");
      sql.exec("UPDATE facts SET json = '\"open\"' WHERE key = 'state'");
    });
    await evictDurableObject(stub);
    expect(expectStatus(await respond(ground, attempt, 'done'), 200)).toEqual(first);
  });

  test('returns to the queue when its claim expires, and at the third time the agent was too slow', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { ...one, judges: false });
    const ids = new Set<string>();
    for (let times = 0; times < 3; times += 1) {
      const attempt = await claim(ground, run);
      ids.add(attempt.id);
      const client = await connected(attempt);
      await client.callTool({ name: (await client.listTools()).tools[0]?.name ?? '', arguments: { code: 'x' } });
      await client.close();
      expect(await runDurableObjectAlarm(env.ATTEMPT.getByName(attempt.id))).toBe(true);
    }
    expect(ids.size).toBe(3);
    const [given] = await casesOf(ground, run);
    expect(given?.attempts.source).toMatchObject({ evaluated: true, end: 'time-limit', response: '' });
    expect(given?.attempts.source?.calls).toHaveLength(1);
    expectStatus(await respond(ground, await claim(ground, run), 'done'), 200);
    const events = await followEvaluation(ground, run);
    expect(typesOf(events).filter((type) => type === 'attempt.expired')).toHaveLength(3);
    expect(await evaluationOf(ground, run)).toMatchObject({ status: 'completed', progress: { made: 2 } });
  });

  test('ends at its deadline even if its evaluation cannot be reached, and the sweep restores a lost alarm', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { ...one, judges: false });
    const evaluation = env.EVALUATION_RUN.getByName(run);
    const change = (statement: string) =>
      runInDurableObject(evaluation, (_object, { storage: { sql } }) => void sql.exec(statement));
    const attempt = env.ATTEMPT.getByName((await claim(ground, run)).id);
    await change('ALTER TABLE claims RENAME TO out_of_reach');
    for (let times = 0; times < 7; times += 1) expect(await runDurableObjectAlarm(attempt)).toBe(true);
    await change('ALTER TABLE out_of_reach RENAME TO claims');

    await runInDurableObject(attempt, (_object, { storage }) => storage.deleteAlarm());
    await change("UPDATE claims SET deadline = '2026-01-01T00:00:00.000Z'");
    await evaluation.wake(false);
    await vi.waitFor(
      async () =>
        expect(await claimAnswer(ground, run, { 'idempotency-key': 'again' })).toMatchObject({ status: 'claimed' }),
      10_000,
    );
    const again = claimed.parse(await claimAnswer(ground, run, { 'idempotency-key': 'again' })).attempt;
    expectStatus(await respond(ground, again, 'done'), 200);
    expectStatus(await respond(ground, await claim(ground, run), 'done'), 200);
    await followEvaluation(ground, run);
    expect(await evaluationOf(ground, run)).toMatchObject({ status: 'completed', progress: { made: 2 } });
  });

  test('opens only to its own token, and reports other visitors', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { judges: false });
    const [mine, other] = [await claim(ground, run), await claim(ground, run)];
    const at = new URL(mine.mcp.url).pathname;
    const foreign = other.mcp.headers.Authorization;
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = 'application/json, text/event-stream';
    const post = (authorization: string, path = at) =>
      call(null, 'POST', path, message, { headers: { authorization, accept } });
    expect(problemOf(await post(foreign))).toEqual([401, 'unauthorized']);
    expect(problemOf(await post(`Bearer ${ground.workspace.key}`))).toEqual([401, 'unauthorized']);
    expect(problemOf(await call(null, 'POST', at, message, { headers: { accept } }))).toEqual([401, 'unauthorized']);
    expect((await post(mine.mcp.headers.Authorization)).status).toBe(200);
    // An attempt's token is no key.
    const token = mine.mcp.headers.Authorization.replace('Bearer ', '');
    expect(problemOf(await call(token, 'GET', `/v1/evaluations/${run}`))).toEqual([401, 'unauthorized']);
    expect(problemOf(await call(token, 'POST', `/v1/attempts/${mine.id}/response`, { response: '' }))).toEqual([
      401,
      'unauthorized',
    ]);
    for (let n = 0; n < 10; n += 1) await post(foreign);
    expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/cancel`), 200);
    const intrusions = typesOf(await followEvaluation(ground, run)).filter((type) => type === 'attempt.intruded');
    // A persistent caller does not fill the log.
    expect(intrusions).toHaveLength(5);
    expect(problemOf(await respond(ground, mine, 'done'))).toEqual([409, 'attempt-over']);
  });

  test('that nests its arguments too deep gets an error and ends like any other', async () => {
    const ground = await frozen(1);
    const run = await evaluateGuest(ground, { ...one, judges: false });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const [tool] = (await client.listTools()).tools;
    const deep: unknown = JSON.parse(`${'['.repeat(4_000)}1${']'.repeat(4_000)}`);
    const calling = client.callTool({ name: tool?.name ?? '', arguments: { deep } });
    await expect(calling).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('100 levels') });
    await client.close();
    expect(expectStatus(await respond(ground, attempt, 'done'), 200)).toMatchObject({ evaluated: true, again: false });
    const [given] = await casesOf(ground, run);
    const { traces } = await caseOf(ground, run, given?.id ?? '');
    expect(traces.source?.steps).toMatchObject([{ outcome: 'failure', arguments: null, code: -32602 }]);
  });

  test('has a failed step for every call of the wrong form', async () => {
    const ground = await frozen(1);
    const run = await evaluateGuest(ground, { judges: false });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const name = (await client.listTools()).tools[0]?.name ?? '';
    await client.close();
    const wrong = [
      '{"arguments":{}}',
      `{"name":"${name}","arguments":null}`,
      `{"name":"${name}","arguments":[1]}`,
      '[1]',
    ];
    const infinite = `{"name":"${name}","arguments":{"n":1e400}}`;
    for (const params of [...wrong, infinite]) {
      const answer = await exports.default.fetch(attempt.mcp.url, {
        method: 'POST',
        headers: {
          ...attempt.mcp.headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      });
      expect(await answer.text()).toMatch(/-32602|-32600|-32700/);
    }
    expectStatus(await respond(ground, attempt, 'done'), 200);
    const [{ id } = { id: '' }] = await casesOf(ground, run);
    const { steps } = (await caseOf(ground, run, id)).traces.source ?? { steps: [] };
    expect(steps.map(({ outcome, arguments: args }) => [outcome, args])).toEqual(steps.map(() => ['failure', null]));
    expect(steps.map(({ failure }) => failure)).toMatchObject(steps.map(() => ({ class: 'syntactic-malformation' })));
    expect(steps).toHaveLength(4);
  });

  test('continues after a fault of a server, of which the agent is told', async () => {
    const ground = await frozen(1);
    const run = await evaluateGuest(ground, { judges: false });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const name = (await client.listTools()).tools[0]?.name ?? '';
    for (const server of Object.values(ground.servers))
      await server.trick('tools/call', { kind: 'status', status: 500 });
    await expect(client.callTool({ name, arguments: { code: 'x' } })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('HTTP status 500'),
    });
    for (const server of Object.values(ground.servers)) await server.trick('tools/call', null);
    await client.callTool({ name, arguments: { code: 'x' } });
    await client.close();
    expect(expectStatus(await respond(ground, attempt, 'It worked.'), 200)).toMatchObject({
      evaluated: true,
      again: false,
    });
    const [{ id } = { id: '' }] = await casesOf(ground, run);
    const { source } = (await caseOf(ground, run, id)).traces;
    expect(source).toMatchObject({ end: 'answered', fault: null });
    expect(source?.steps).toMatchObject([
      { outcome: 'failure', cause: 'environment', failure: { class: 'network-instability' } },
      { outcome: 'success' },
    ]);
  });

  test('is repeated if no server can be connected to, and not evaluated the second time', async () => {
    const ground = await frozen(1);
    const run = await evaluateGuest(ground, { judges: false });
    const broken = async (): Promise<unknown> => {
      const attempt = await claim(ground, run);
      const client = await connected(attempt);
      const [tool] = (await client.listTools()).tools;
      await expect(client.callTool({ name: tool?.name ?? '', arguments: { code: 'x' } })).rejects.toMatchObject({
        code: -32603,
      });
      await client.close();
      return expectStatus(await respond(ground, attempt, 'It did not work.'), 200);
    };
    for (const server of Object.values(ground.servers))
      await server.trick('initialize', { kind: 'status', status: 500 });
    expect(await broken()).toMatchObject({ evaluated: false, again: true });
    expect(await broken()).toMatchObject({ evaluated: false, again: false });
    const [given] = await casesOf(ground, run);
    expect(given?.attempts.source).toMatchObject({ evaluated: false, relaunched: true, fault: { where: 'server' } });
    expect(await evaluationOf(ground, run)).toMatchObject({ progress: { relaunched: 1, notEvaluated: 1 } });
  });

  test('that ends during a call has a failed call and no fault', async () => {
    const ground = await frozen(1);
    const run = await evaluateGuest(ground, { judges: false });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const [tool] = (await client.listTools()).tools;
    for (const server of Object.values(ground.servers)) await server.trick('tools/call', { kind: 'hang' });
    const calling = client.callTool({ name: tool?.name ?? '', arguments: { code: 'x' } }).catch(() => 'over');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(expectStatus(await respond(ground, attempt, 'I did not wait.'), 200)).toMatchObject({
      evaluated: true,
      again: false,
    });
    await client.close();
    expect(await calling).toBe('over');
    const [{ id } = { id: '' }] = await casesOf(ground, run);
    expect((await caseOf(ground, run, id)).traces.source).toMatchObject({
      end: 'answered',
      fault: null,
      steps: [
        {
          outcome: 'failure',
          text: 'The agent ended the attempt before the answer came.',
          failure: { class: 'asynchronous-indeterminacy' },
          turnTokens: null,
        },
      ],
    });
  });

  test.each([
    ['at once, where everything crashed', true, 0],
    ['when its deadline has passed', false, 1_100],
  ])('that was claimed but not opened because of a crash is recovered %s', async (_, force, ms) => {
    const ground = await withRules(bed);
    const agents = [{ name: 'guest', loop: 'external', limits: { timeMs: 1_000 } }];
    const run = await evaluateGuest(ground, { ...one, agents, judges: false });
    const { id } = await claim(ground, run);
    const attempt = env.ATTEMPT.getByName(id);
    await runInDurableObject(attempt, (_object, { storage }) => storage.deleteAll());
    await evictDurableObject(attempt);
    await new Promise((resolve) => setTimeout(resolve, ms));
    await env.EVALUATION_RUN.getByName(run).wake(force);
    const next = await vi.waitFor(() => claim(ground, run), { timeout: 10_000, interval: 200 });
    expect(next.id).not.toBe(id);
    const told = await followEvaluation(ground, run, ({ event }) => event.type === 'attempt.expired');
    expect(told.at(-1)?.event).toMatchObject({ type: 'attempt.expired', attempt: id });
  });

  test('continues after its object was evicted', async () => {
    const ground = await frozen(1);
    const run = await evaluateGuest(ground, { ...one, judges: false });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const [tool] = (await client.listTools()).tools;
    const callOnce = () => client.callTool({ name: tool?.name ?? '', arguments: { code: 'x', reference: 'y' } });
    const name = tool?.name.split('__')[0] ?? '';
    const sessions = async (): Promise<number> => {
      const { requests = [] } = (await ground.servers[name]?.log()) ?? {};
      return requests.filter(({ rpc }) => rpc === 'initialize').length;
    };
    const before = await sessions();
    await callOnce();
    await evictDurableObject(env.ATTEMPT.getByName(attempt.id));
    await callOnce();
    await client.close();
    expectStatus(await respond(ground, attempt, 'done'), 200);
    const [{ id } = { id: '' }] = await casesOf(ground, run);
    expect((await caseOf(ground, run, id)).traces.source?.steps).toHaveLength(2);
    // One session on the server for both: its state was not lost.
    expect(await sessions()).toBe(before + 1);
  });
});

describe('an invalid claim', () => {
  test('gets its error code', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { judges: false });
    const { workspace } = ground;
    const claims = (body: unknown, from = workspace) => from.post('/v1/attempts/claim', body);
    expect(problemOf(await claims({ evaluation: run, agent: 'stranger' }))).toEqual([404, 'not-found']);
    expect(problemOf(await claims({ evaluation: 'evl_unknown', agent: 'guest' }))).toEqual([404, 'not-found']);
    expect(problemOf(await claims({ evaluation: run }))).toEqual([400, 'invalid-request']);
    const attempt = await claim(ground, run);
    const elsewhere = await newWorkspace();
    expect(problemOf(await claims({ evaluation: run, agent: 'guest' }, elsewhere))).toEqual([404, 'not-found']);
    expect(problemOf(await respond({ workspace: elsewhere }, attempt, 'mine'))).toEqual([404, 'not-found']);
    expect(problemOf(await respond(ground, { id: 'att_0000000000' }, 'none'))).toEqual([404, 'not-found']);
    expect(problemOf(await respond(ground, attempt, 'x'.repeat(32_001)))).toEqual([400, 'invalid-request']);
    expect(problemOf(await respond(ground, attempt, 'x'.repeat(10_000_000)))).toEqual([413, 'body-too-large']);
    expectStatus(await respond(ground, attempt, 'x'.repeat(32_000)), 200);
  });

  test('finds nothing to claim for a model agent', async () => {
    const ground = await withRules(bed);
    const agents = [{ name: 'guest', model: 'm', endpoint: { baseUrl: ground.model.baseUrl } }];
    const run = await evaluateGuest(ground, { agents, judges: false });
    const answer = await ground.workspace.post('/v1/attempts/claim', { evaluation: run, agent: 'guest' });
    expect(problemOf(answer)).toEqual([404, 'not-found']);
  });
});
