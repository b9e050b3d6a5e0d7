import { beforeAll, describe, expect, test, vi } from 'vitest';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { recordedCall, recordingRecord } from '#core/evaluation/recording.ts';
import { surveyOutcome } from '#core/catalog/survey.ts';
import { z } from 'zod';
import { caseOf, casesOf, evaluateToEnd, type TestBed } from '../support/evaluation.ts';
import { listObjects, storedSince } from '../support/every-object.ts';
import { exploreToEnd, follow, type Ground } from '../support/exploration.ts';
import { claim, connected, evaluateGuest, respond } from '../support/external.ts';
import type { ServerSpec } from '../support/script.ts';
import { call, expectStatus, newWorkspace, pageOf } from '../support/workspace.ts';
import { startModel, startServer } from '../support/world.ts';

/** Secrets that a server returns, and what finds them. */
const secrets = {
  field: 'planted "field" 5e1f\\x',
  path: 'planted-at-a-path-71',
  pattern: 'PLT-889123',
  email: 'planted.person@secret.example.org',
  card: '4111 1111 1111 1111',
  header: 'planted-header-token-77',
};
/** Secrets that an agent sends. */
const sent = { field: 'planted-argument-a3c9', pattern: 'PLT-404404' };

const redact = { fields: ['ssn', '$.owner.contact'], patterns: ['PLT-\\d{6}', 'email', 'credit-card'] };

/** A result that has every secret in every place where a server can put one. */
function leak(reference: string) {
  const { field, path, pattern, email, card, header } = secrets;
  const person = { ssn: field, owner: { contact: path }, note: `${pattern} of ${email}`, sent: `Bearer ${header}` };
  return {
    content: [
      { type: 'text', text: JSON.stringify({ reference, ...person }) },
      {
        type: 'text',
        text: `Also {"ssn": ${JSON.stringify(field)}, "list": ["${pattern}"]} and card ${card}, ${header}`,
      },
      { type: 'text', text: JSON.stringify({ inner: JSON.stringify(person) }, null, 2) },
      {
        type: 'resource',
        resource: { uri: `file:///${pattern}`, mimeType: 'text/plain', blob: btoa(`${email} ${pattern} ${header}`) },
      },
    ],
    structuredContent: { reference, ...person, [email]: [{ ssn: { deep: field } }] },
  };
}

const schema = (...required: string[]) => ({
  inputSchema: { type: 'object', properties: { code: { type: 'string' }, ssn: { type: 'string' } }, required },
  outputSchema: { type: 'object', properties: { reference: { type: 'string' } }, required: ['reference'] },
});
const vault: ServerSpec = {
  tools: [
    { name: 'apple', does: 'result', result: leak('R-apple-1x1'), ...schema('code') },
    { name: 'pear', does: 'result', result: leak('R-pear-1x1'), ...schema('code') },
    {
      name: 'plum',
      does: 'result',
      result: { isError: true, content: leak('none').content },
      annotations: { readOnlyHint: true },
      ...schema('code'),
    },
    {
      name: 'quince',
      message: `no ${secrets.pattern} of ${secrets.email}, ${secrets.header}`,
      result: { ssn: secrets.field },
      ...schema('code'),
    },
    {
      name: 'survey_me',
      does: 'result',
      result: leak('R-survey-1x1'),
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object' },
    },
  ],
};

/** A secret as it is, as JSON writes it, once and twice, in a URL, and in base64 at any offset. */
function formsOf(secret: string): string[] {
  const escape = (text: string): string => JSON.stringify(text).slice(1, -1);
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = btoa(`${'-'.repeat(offset)}${secret}`);
    return encoded.slice(offset === 0 ? 0 : 4, encoded.length - 4);
  });
  return [secret, escape(secret), escape(escape(secret)), encodeURIComponent(secret), ...base64];
}

/** Which secrets stand where. */
const findSecrets = (texts: ReadonlyMap<string, string>, planted: readonly string[]): string[] =>
  [...texts].flatMap(([where, text]) =>
    planted
      .filter((secret) => formsOf(secret).some((form) => text.includes(form)))
      .map((secret) => `${secret}: ${where}`),
  );

const all = [...Object.values(secrets), ...Object.values(sent)];
const call404 = JSON.stringify({ code: sent.pattern, ssn: sent.field });

/** A benchmark over the server whose results have secrets, explored with models that are told about them. */
let bed: TestBed;
let run: string;
let server: string;
let before: Set<string>;
const logged: string[] = [];
const everythingRead = new Map<string, string>();

const readAll = async (...paths: readonly string[]): Promise<void> => {
  for (const path of paths) everythingRead.set(path, JSON.stringify(expectStatus(await bed.workspace.get(path), 200)));
};

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation(
      (...parts: unknown[]) => void logged.push(parts.map(String).join(' ')),
    );
  before = await listObjects();
  const workspace = await newWorkspace();
  const outside = await startServer(vault);
  const headers = { Authorization: `Bearer ${secrets.header}` };
  const record = await workspace.server('vault', outside.url, { redact, headers });
  server = record.id;
  const { id: catalog } = await workspace.catalog(record);
  // At one of its requests the base agent sends secrets of its own.
  const model = await startModel([
    { form: 'turn', times: 1, behaviour: { kind: 'call', name: 'vault__apple', arguments: call404 } },
    { form: 'turn', times: 1, behaviour: { kind: 'call', name: 'vault__plum', arguments: call404 } },
    { form: 'turn', times: 1, behaviour: { kind: 'call', name: 'vault__quince', arguments: call404 } },
  ]);
  const ground: Ground = { workspace, catalog, model, servers: { vault: outside } };
  const explored = await exploreToEnd(ground, { batch: 3 });
  ({ run } = explored);
  everythingRead.set('events of the exploration', JSON.stringify(explored.events));
  const frozen = await workspace.post('/v1/benchmarks', {
    explorations: [run],
    privateShare: 0,
    floor: false,
    unproven: 'keep',
  });
  bed = { ...ground, benchmark: benchmarkRecord.parse(expectStatus(frozen, 201)) };
});

describe("what a server's owner keeps out", () => {
  test('is in no survey, and the survey shows the rest', async () => {
    const { survey } = z
      .object({ server: z.object({ survey: surveyOutcome }) })
      .parse(expectStatus(await bed.workspace.get(`/v1/servers/${server}`), 200)).server;
    expect(survey.entries).toBe(1);
    await readAll(`/v1/servers/${server}`, `/v1/servers/${server}/survey`);
    expect(everythingRead.get(`/v1/servers/${server}/survey`)).toContain('R-survey-1x1');
    expect(everythingRead.get(`/v1/servers/${server}/survey`)).toContain('[redacted]');
  });

  test('is in nothing that an exploration returns, although its calls were made with it', async () => {
    const units = pageOf(z.object({ id: z.string() })).parse(
      expectStatus(await bed.workspace.get(`/v1/explorations/${run}/units`), 200),
    );
    const paths = units.items.map(({ id }) => `/v1/explorations/${run}/units/${id}`);
    await readAll(...paths, `/v1/explorations/${run}/transitions`, `/v1/benchmarks/${bed.benchmark.id}/export`);
    // Variants are compared with the units in an index of vectors, and written from what is known of the tools.
    expectStatus(await bed.workspace.post(`/v1/explorations/${run}/evolutions`, { batch: 1 }), 202);
    const evolved = await follow(bed.workspace.key, `${run}/evolutions/1`);
    everythingRead.set('events of the evolution', JSON.stringify(evolved.events));
    const texts = paths.map((path) => everythingRead.get(path)).join('\n');
    expect(texts).toContain('R-apple-1x1');
    expect(texts).toContain('[redacted] of [redacted], [hidden]');
    expect((await bed.servers['vault']?.log())?.calls).toContainEqual({
      tool: 'apple',
      arguments: JSON.parse(call404),
    });
  });

  test('is in nothing that an evaluation returns or records, and a replay gives the same', async () => {
    const script = [
      { form: 'turn', times: 1, behaviour: { kind: 'call', name: 'vault__apple', arguments: call404 } },
      { form: 'turn', times: 1, behaviour: { kind: 'call', name: 'vault__quince', arguments: call404 } },
      { form: 'turn', times: 1, behaviour: { kind: 'call', name: 'elsewhere__nothing', arguments: call404 } },
    ] as const;
    const own = { ...bed, model: await startModel(script) };
    const made = await evaluateToEnd(own, ['one'], { recording: 'record', concurrency: 1 });
    expect(made.record).toMatchObject({ status: 'completed', progress: { notEvaluated: 0 } });
    const id = made.record.config.recordingId ?? '';
    const recording = recordingRecord.parse(expectStatus(await bed.workspace.get(`/v1/recordings/${id}`), 200));
    expect(recording.redact).toEqual({ vault: redact });
    const again = { ...bed, model: await startModel(script) };
    const replayed = await evaluateToEnd(again, ['one'], { recording: 'replay', recordingId: id, concurrency: 1 });
    const stepsOf = async (evaluation: string) =>
      (await Promise.all((await casesOf(bed, evaluation)).map((each) => caseOf(bed, evaluation, each.id)))).flatMap(
        ({ traces }) => Object.values(traces).flatMap(({ steps }) => steps.map((step) => ({ ...step, latencyMs: 0 }))),
      );
    const steps = await stepsOf(made.run);
    expect(await stepsOf(replayed.run)).toEqual(steps);
    expect(steps).toContainEqual(
      expect.objectContaining({
        tool: 'vault/apple',
        arguments: { code: '[redacted]', ssn: '[redacted]' },
        outcome: 'success',
      }),
    );
    expect(steps.filter(({ text }) => text.includes('[redacted]')).length).toBeGreaterThan(2);

    for (const evaluation of [made, replayed]) {
      const at = `/v1/evaluations/${evaluation.run}`;
      everythingRead.set(`events ${at}`, JSON.stringify(evaluation.events));
      await readAll(
        ...evaluation.cases.map((each) => `${at}/cases/${each.id}`),
        `${at}/export?format=jsonl`,
        `${at}/export?format=csv`,
        `${at}/traces?agent=one`,
        `${at}/results`,
        `${at}/results/units`,
        `${at}/report`,
      );
    }
    await readAll(`/v1/recordings/${id}/export`);
    const lines = String(expectStatus(await bed.workspace.get(`/v1/recordings/${id}/export`), 200))
      .trim()
      .split('\n');
    const calls = lines.slice(1).map((line) => recordedCall.parse(JSON.parse(line)));
    expect(calls.map(({ reply }) => reply.kind)).toContain('error');
    expect(lines.join('\n')).toContain(btoa('[redacted] [redacted] [hidden]'));
    // The models were told the rest.
    const asked = (await Promise.all([own, again].map(({ model }) => model.asked()))).flat();
    expect(JSON.stringify(asked)).toContain('R-apple-1x1');
    everythingRead.set('prompts of the evaluations', JSON.stringify(asked));
  });

  test('is in no answer of the gateway and in no attempt of an external agent', async () => {
    const evaluation = await evaluateGuest(bed, { recording: 'record' });
    const attempt = await claim(bed, evaluation);
    const agent = await connected(attempt);
    const answers: unknown[] = [];
    for (const name of ['vault__apple', 'vault__plum'])
      answers.push(await agent.callTool({ name, arguments: { code: sent.pattern, ssn: sent.field } }));
    const refused = await agent
      .callTool({ name: 'vault__quince', arguments: { code: sent.pattern, ssn: sent.field } })
      .catch((error: unknown) => error);
    answers.push(String(refused), JSON.stringify(refused));
    await agent.callTool({ name: 'vault__none', arguments: { ssn: sent.field } }).catch(() => undefined);
    await agent.close();
    expect(JSON.stringify(answers)).toContain('R-apple-1x1');
    everythingRead.set('answers of the gateway', JSON.stringify(answers));
    // The attempt's object still has what it stores while the attempt is open.
    expect(findSecrets(await storedSince(before), all)).toEqual([]);
    expectStatus(await respond(bed, attempt, 'The reference is R-apple-1x1.'), 200);
    const { events } = await follow(bed.workspace.key, evaluation, {
      of: 'evaluations',
      enough: ({ event }) => event.type === 'attempt.ended',
    });
    everythingRead.set('events of the gateway', JSON.stringify(events));
    const paths = (await casesOf(bed, evaluation)).map((each) => `/v1/evaluations/${evaluation}/cases/${each.id}`);
    await readAll(...paths);
    const calls = (await bed.servers['vault']?.log())?.calls ?? [];
    expect(calls).toContainEqual({ tool: 'plum', arguments: { code: sent.pattern, ssn: sent.field } });
  });

  test('was never read by anybody, asked of a model, logged or stored in any object', async () => {
    everythingRead.set('prompts of the exploration', JSON.stringify(await bed.model.asked()));
    for (const path of ['/leaderboards', '/openapi.json'])
      everythingRead.set(path, JSON.stringify((await call(null, 'GET', path)).body));
    expect(findSecrets(everythingRead, all)).toEqual([]);
    expect(findSecrets(new Map([['console', logged.join('\n')]]), all)).toEqual([]);
    const stored = await storedSince(before);
    const kinds = new Set([...stored.keys()].map((key) => key.split(' ')[0]));
    const expected = 'WORKSPACE EXPLORATION_RUN KNOWLEDGE_INDEX BENCHMARK EVALUATION_RUN RECORDING ATTEMPT';
    for (const kind of expected.split(' ')) expect(kinds).toContain(kind);
    expect(findSecrets(stored, all)).toEqual([]);
    // The search would have found them.
    const planted = new Map([...stored].map(([where, text]) => [where, `${text}${btoa(`x${secrets.email}`)}`]));
    expect(findSecrets(planted, all)).toHaveLength(stored.size);
    expect([...stored.values()].join('\n')).toContain('[redacted]');
  });
});
