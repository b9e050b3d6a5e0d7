import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
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
import { modelKey } from '../support/exploration.ts';
import { claim, claimed, claimAnswer, connected, evaluateGuest, respond } from '../support/external.ts';
import type { Rule } from '../support/script.ts';
import { expectStatus } from '../support/workspace.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(1);
});

const claimedWithModels = z.object({
  attempt: claimed.shape.attempt.extend({
    models: z.object({
      names: z.array(z.string()),
      urls: z.object({ openai: z.string(), anthropic: z.string(), gemini: z.string() }),
      token: z.string(),
    }),
  }),
});
type Guest = z.infer<typeof claimedWithModels>['attempt'];

const price = { promptPricePerMTok: 1, completionPricePerMTok: 2 };

/** An evaluation whose agent may ask one model, `thinker`, at the endpoint of the ground. */
async function evaluateThinker(ground: TestBed, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const endpoint = { baseUrl: ground.model.baseUrl, apiKey: modelKey, ...price };
  const agents = [{ name: 'guest', loop: 'external', models: [{ model: 'thinker', endpoint }] }];
  return evaluateGuest(ground, { agents, judges: false, ...more });
}

async function begin(rules: readonly Rule[] = [], more: Readonly<Record<string, unknown>> = {}) {
  const ground = await withRules(bed, ...rules);
  const run = await evaluateThinker(ground, more);
  const { attempt } = claimedWithModels.parse(await claimAnswer(ground, run));
  return { ground, run, attempt };
}

const question = (more: Readonly<Record<string, unknown>> = {}) => ({
  model: 'thinker',
  messages: [{ role: 'user', content: 'What now?' }],
  ...more,
});

function ask(
  { models }: Guest,
  body: unknown = question(),
  { path = '/chat/completions', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const request = new Request(`${models.urls.openai}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${models.token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return exports.default.fetch(request);
}

describe('the model gateway', () => {
  test('passes a request on with the key of the evaluation, and records what it took with the attempt', async () => {
    const { ground, run, attempt } = await begin();
    expect(attempt.models.names).toEqual(['thinker']);
    const answer = await ask(attempt);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { role: 'assistant' } }] });
    const streamed = await ask(attempt, question({ stream: true, stream_options: { include_usage: true } }));
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(await streamed.text()).toMatch(/data: \[DONE\]\n\n$/);
    const [first] = await ground.model.asked();
    expect(first).toMatchObject({ model: 'thinker', authorization: `Bearer ${modelKey}`, functions: [] });
    const client = await connected(attempt);
    await client.callTool({ name: 'fruit__apple', arguments: { code: 'x' } }).catch(() => undefined);
    await client.close();
    expectStatus(await respond(ground, attempt, 'done'), 200);
    const [made] = await casesOf(ground, run);
    const { traces } = await caseOf(ground, run, made?.id ?? '');
    const { modelRequests = [], promptTokens, completionTokens, costUsd } = traces.source ?? {};
    expect(modelRequests).toHaveLength(2);
    expect(modelRequests[1]).toMatchObject({ model: 'thinker', wire: 'chat', status: 200, calls: [] });
    expect(modelRequests[1]).not.toHaveProperty('estimated');
    expect(promptTokens).toBeGreaterThan(0);
    expect(costUsd).toBeCloseTo(((promptTokens ?? 0) + 2 * (completionTokens ?? 0)) / 1e6, 12);
    expect(made?.attempts.source?.usage).toMatchObject({ calls: 2, promptTokens, completionTokens, costUsd });
    expectStatus(await respond(ground, await claim(ground, run), 'done'), 200);
    await followEvaluation(ground, run);
    expect((await resultsOf(ground, run))('guest')).toMatchObject({ tokens: 4_400, costUsd });
    expect((await evaluationOf(ground, run)).agents).toMatchObject([
      { name: 'guest', models: [{ model: 'thinker', baseUrl: ground.model.baseUrl }] },
    ]);
  });
});

const statusAndCode = async (answer: Response): Promise<unknown[]> => {
  const { code } = z.object({ code: z.string().optional() }).parse(await answer.json());
  return [answer.status, code];
};

test('tools of its own that an agent called are told from those of the servers', async () => {
  const call = (name: string): Rule => ({ times: 1, behaviour: { kind: 'call', name, arguments: '{}' } });
  const { ground, run, attempt } = await begin([call('Bash'), call('mcp__sextant__fruit__apple'), call('Bash')]);
  for (const stream of [false, true, true]) await (await ask(attempt, question({ stream }))).text();
  expectStatus(await respond(ground, attempt, 'It is done.'), 200);
  const [made] = await casesOf(ground, run);
  expect(made?.attempts.source).toMatchObject({ calls: [], turns: 3, ownToolCalls: { Bash: 2 } });
  const { modelRequests = [] } = (await caseOf(ground, run, made?.id ?? '')).traces.source ?? {};
  expect(modelRequests.flatMap(({ calls }) => calls)).toEqual(['Bash', 'mcp__sextant__fruit__apple', 'Bash']);
  expectStatus(await respond(ground, await claim(ground, run), 'I did nothing.'), 200);
  await followEvaluation(ground, run);
  expect((await resultsOf(ground, run))('guest')).toMatchObject({
    ownTools: { calls: 2, attempts: 1, instead: 1 },
    answers: { given: 2, withoutCalls: 2 },
  });
  const report = expectStatus(await ground.workspace.get(`/v1/evaluations/${run}/report`), 200);
  expect(report).toContain('guest called tools of its own 2 times, in 1 attempt: 1 of its answers came by them alone');
});

test('tokens that an endpoint counts lower than a text can have are estimated, and pictures are no text', async () => {
  // The endpoint says 2,000 for each prompt.
  const { ground, run, attempt } = await begin();
  const pads = ['word '.repeat(10_000), 'iVBORw0KGgo'.repeat(10_000)];
  for (const pad of pads) expect((await ask(attempt, question({ pad }))).status).toBe(200);
  expectStatus(await respond(ground, attempt, 'done'), 200);
  const [made] = await casesOf(ground, run);
  const { modelRequests = [] } = (await caseOf(ground, run, made?.id ?? '')).traces.source ?? {};
  expect(modelRequests.map(({ promptTokens, estimated }) => [promptTokens > 12_000, estimated])).toEqual([
    [true, true],
    [false, undefined],
  ]);
  expect(modelRequests[1]?.promptTokens).toBe(2_000);
});

describe('the model gateway refuses', () => {
  test('a request without the token of the attempt, and reports it as an intrusion', async () => {
    const { ground, run, attempt } = await begin();
    const other = claimedWithModels.parse(await claimAnswer(ground, await evaluateThinker(ground))).attempt;
    const headers = { authorization: 'none' };
    expect(await statusAndCode(await ask(attempt, question(), { headers }))).toEqual([401, 'unauthorized']);
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']) {
      const foreign = name === 'authorization' ? `Bearer ${other.models.token}` : other.models.token;
      const answer = await ask(attempt, question(), { headers: { ...headers, [name]: foreign } });
      expect([name, ...(await statusAndCode(answer))]).toEqual([name, 401, 'unauthorized']);
    }
    expect(await ground.model.asked()).toEqual([]);
    const events = await followEvaluation(ground, run, ({ event }) => event.type === 'attempt.intruded');
    expect(events.at(-1)?.event).toMatchObject({ type: 'attempt.intruded', attempt: attempt.id });
    // The token comes where each API has its key.
    const fits = await ask(attempt, question(), { headers: { ...headers, 'x-api-key': attempt.models.token } });
    expect(fits.status).toBe(200);
  });

  test('a request after the end of the attempt, or of its evaluation', async () => {
    const { ground, run, attempt } = await begin();
    expectStatus(await respond(ground, attempt, 'done'), 200);
    expect(await statusAndCode(await ask(attempt))).toEqual([409, 'attempt-over']);
    const { attempt: next } = claimedWithModels.parse(await claimAnswer(ground, run));
    expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/cancel`), 200);
    expect(await statusAndCode(await ask(next))).toEqual([409, 'attempt-over']);
    expect(await ground.model.asked()).toEqual([]);
  });

  test('another model, another path, a body without a model, and an attempt whose agent has no model', async () => {
    const { ground, attempt } = await begin();
    expect(await statusAndCode(await ask(attempt, question({ model: 'dearer' })))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await ask(attempt, { messages: [] }))).toEqual([400, 'invalid-request']);
    // Which of two names counts depends on the parser.
    for (const body of ['{"model":"dearer","model":"thinker"}', '{"model":"thinker","Model":"dearer"}'])
      expect([body, ...(await statusAndCode(await ask(attempt, body)))]).toEqual([body, 400, 'invalid-request']);
    expect(await statusAndCode(await ask(attempt, '{"model":'))).toEqual([400, 'malformed-json']);
    for (const path of ['/embeddings', '/files', '/chat/completions/../../../../v1/files', '/%2e%2e/files'])
      expect([path, (await ask(attempt, question(), { path })).status]).toEqual([path, 404]);
    const plain = await claim(ground, await evaluateGuest(ground));
    const url = `http://sextant.test/models/attempts/${plain.id}/openai/v1`;
    const token = plain.mcp.headers.Authorization.replace('Bearer ', '');
    const none = { ...attempt, models: { names: [], token, urls: { openai: url, anthropic: url, gemini: url } } };
    expect(await statusAndCode(await ask(none))).toEqual([404, 'not-found']);
    expect(await ground.model.asked()).toEqual([]);
  });

  test('to follow the endpoint to another host, which would get the key', async () => {
    const elsewhere = await withRules(bed);
    const location = `${elsewhere.model.baseUrl}/chat/completions`;
    const { ground, attempt } = await begin([{ behaviour: { kind: 'status', status: 307, headers: { location } } }]);
    expect(await statusAndCode(await ask(attempt))).toEqual([502, 'model-not-answering']);
    expect(await ground.model.asked()).toHaveLength(1);
    expect(await elsewhere.model.asked()).toEqual([]);
  });

  test('a body beyond the bound, announced or not', async () => {
    const { ground, attempt } = await begin();
    const big = JSON.stringify(question({ pad: 'x'.repeat(5 * 1024 * 1024) }));
    expect(await statusAndCode(await ask(attempt, big))).toEqual([413, 'body-too-large']);
    const piece = new TextEncoder().encode('x'.repeat(64 * 1024));
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        sent += piece.length;
        controller.enqueue(piece);
      },
    });
    const headers = { authorization: `Bearer ${attempt.models.token}`, 'content-type': 'application/json' };
    const url = `${attempt.models.urls.openai}/chat/completions`;
    const answer = await exports.default.fetch(new Request(url, { method: 'POST', headers, body }));
    expect(await statusAndCode(answer)).toEqual([413, 'body-too-large']);
    expect(sent).toBeLessThan(8 * 1024 * 1024);
    // A body beyond the bound of other requests is taken.
    expect((await ask(attempt, question({ pad: 'x'.repeat(2 * 1024 * 1024) }))).status).toBe(200);
    expect(await ground.model.asked()).toHaveLength(1);
  });

  test('a request for which the budget has nothing left, with what open attempts have spent', async () => {
    const { ground, run, attempt } = await begin([], { budget: { tokens: 4_000 } });
    expect((await ask(attempt)).status).toBe(200);
    expect((await ask(attempt)).status).toBe(200);
    expect(await statusAndCode(await ask(attempt))).toEqual([403, 'model-requests-spent']);
    // The agent broke down; what it took counts although its attempt has no score.
    const crash = { response: '', crashed: true };
    expectStatus(await ground.workspace.post(`/v1/attempts/${attempt.id}/response`, crash), 200);
    await followEvaluation(ground, run);
    expect(await evaluationOf(ground, run)).toMatchObject({
      status: 'completed',
      reason: 'budget: tokens used up',
      usage: { calls: 2, promptTokens: 4_000 },
    });
  });
});

describe('the key of a model', () => {
  test('is in no answer, log, trace or event, even if the endpoint repeats it', async () => {
    const said: unknown[] = [];
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void said.push(words)),
    );
    const { ground, run, attempt } = await begin([
      { times: 2, behaviour: { kind: 'content', content: `The key is ${modelKey}, is it not? ${modelKey}` } },
      { times: 1, behaviour: { kind: 'call', name: modelKey, arguments: `{"key":"${modelKey}"}` } },
      { times: 1, behaviour: { kind: 'status', status: 400, code: modelKey } },
    ]);
    const answers = [
      await (await ask(attempt)).text(),
      await (await ask(attempt, question({ stream: true }))).text(),
      await (await ask(attempt)).text(),
      await (await ask(attempt)).text(),
    ];
    expect(answers[0]).toContain('The key is [redacted], is it not? [redacted]');
    expectStatus(await respond(ground, attempt, 'done'), 200);
    expectStatus(await respond(ground, await claim(ground, run), 'done'), 200);
    const events = await followEvaluation(ground, run);
    const [made] = await casesOf(ground, run);
    const shown = [
      answers,
      events,
      await caseOf(ground, run, made?.id ?? ''),
      await evaluationOf(ground, run),
      await ground.workspace.get(`/v1/evaluations/${run}/traces?agent=guest`),
      await ground.workspace.get(`/v1/evaluations/${run}/export`),
      said,
    ];
    for (const spy of spies) spy.mockRestore();
    expect(JSON.stringify(shown)).not.toContain(modelKey);
    expect(JSON.stringify(shown)).not.toContain(attempt.models.token);
  });
});

describe('an endpoint that refuses', () => {
  test('for being too busy is asked again, which the agent does not notice', async () => {
    const { ground, attempt } = await begin([
      { times: 1, behaviour: { kind: 'status', status: 429, headers: { 'retry-after-ms': '10' } } },
    ]);
    expect((await ask(attempt)).status).toBe(200);
    expect(await ground.model.asked()).toHaveLength(2);
  });

  test('the key pauses the evaluation, and the attempt is made again once somebody has resumed it', async () => {
    const { ground, run, attempt } = await begin([{ times: 1, behaviour: { kind: 'status', status: 401 } }]);
    const refused = await ask(attempt);
    expect(refused.status).toBe(401);
    expect(await evaluationOf(ground, run)).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('the model of the agent guest refused the key or the account'),
    });
    expect(expectStatus(await respond(ground, attempt, 'API error: 401'), 200)).toMatchObject({
      evaluated: false,
      again: true,
    });
    expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/resume`), 200);
    const { attempt: again } = claimedWithModels.parse(await claimAnswer(ground, run));
    expect(again.request).toBe(attempt.request);
    expect((await ask(again)).status).toBe(200);
    expect(expectStatus(await respond(ground, again, 'done'), 200)).toMatchObject({ evaluated: true });
  });

  test('everything breaks the attempt, which says nothing about the agent; one request of many does not', async () => {
    const { ground, run, attempt } = await begin([{ times: 1, behaviour: { kind: 'cut', when: 'before-headers' } }]);
    expect(await statusAndCode(await ask(attempt))).toEqual([502, 'model-not-answering']);
    expect(expectStatus(await respond(ground, attempt, 'API error'), 200)).toMatchObject({
      evaluated: false,
      again: true,
    });
    const { attempt: again } = claimedWithModels.parse(await claimAnswer(ground, run));
    expect((await ask(again)).status).toBe(200);
    await ground.model.script([{ behaviour: { kind: 'cut', when: 'mid-json' } }]);
    await (await ask(again, question({ stream: true }))).text().catch(() => undefined);
    expect(expectStatus(await respond(ground, again, 'done'), 200)).toMatchObject({ evaluated: true });
    const [made] = await casesOf(ground, run);
    const { modelRequests } = (await caseOf(ground, run, made?.id ?? '')).traces.source ?? {};
    expect(modelRequests).toMatchObject([{ status: 200 }, { status: 200, fault: 'connection-lost', estimated: true }]);
  });
});
