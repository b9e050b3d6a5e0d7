import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { recordedCall, recordingRecord, type RecordingRecord } from '#core/evaluation/recording.ts';
import type { Trace } from '#core/traces/trace.ts';
import {
  caseOf,
  casesOf,
  evaluateToEnd,
  evaluationBody,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { claim, connected, evaluateGuest, respond } from '../support/external.ts';
import { expectStatus, newWorkspace, pageOf, problemOf } from '../support/workspace.ts';

const upload = { headers: { 'content-type': 'text/jsonl' } };
const agents = ['one', 'two'];

/** A benchmark, an evaluation of it that was recorded, and no server any more. */
let bed: TestBed;
let recorded: Awaited<ReturnType<typeof evaluateToEnd>>;
let recording: RecordingRecord;
beforeAll(async () => {
  bed = await frozen(2);
  recorded = await evaluateToEnd(bed, agents, { recording: 'record', trials: 2 });
  const id = recorded.record.config.recordingId ?? '';
  recording = recordingRecord.parse(expectStatus(await bed.workspace.get(`/v1/recordings/${id}`), 200));
  for (const server of Object.values(bed.servers)) await server.close();
});

/** What is the same whenever the same happens again. */
function lasting(trace: Trace | undefined) {
  if (trace === undefined) return null;
  const { durationMs: _, startedAt: _at, steps, ...rest } = trace;
  return { ...rest, steps: steps.map(({ latencyMs: _latency, ...step }) => step) };
}

async function tracesOf(ground: TestBed, run: string) {
  const details = await Promise.all((await casesOf(ground, run)).map(({ id }) => caseOf(ground, run, id)));
  return details.map(({ case: { id, attempts }, traces }) => ({
    id,
    source: lasting(traces.source),
    followUp: lasting(traces.followUp),
    scores: [attempts.source?.scores, attempts.followUp?.scores],
  }));
}

test('the same agents get the same traces and scores in replay, with all servers stopped', async () => {
  expect(recording).toMatchObject({ benchmark: bed.benchmark.id, attempts: 16 });
  const traces = await tracesOf(bed, recorded.run);
  const calls = traces.flatMap(({ source, followUp }) => [source, followUp]).flatMap((trace) => trace?.steps ?? []);
  expect(recording.calls).toBe(calls.length);
  expect(calls.length).toBeGreaterThan(16);

  const replayed = await evaluateToEnd(bed, agents, { recording: 'replay', recordingId: recording.id, trials: 2 });
  expect(replayed.record).toMatchObject({ status: 'completed', progress: { notEvaluated: 0, relaunched: 0 } });
  expect(await tracesOf(bed, replayed.run)).toEqual(traces);
  for (const name of agents) {
    const { durationMs: _was, ...before } = recorded.results(name);
    const { durationMs: _is, ...now } = replayed.results(name);
    expect(now).toEqual(before);
  }
});

test('the complete answers of an attempt can be read page by page', async () => {
  const [first] = recorded.cases;
  const { source } = (await caseOf(bed, recorded.run, first?.id ?? '')).traces;
  const at = `/v1/recordings/${recording.id}/calls?unit=${first?.unit}&attempt=${first?.agent}.01.source&limit=1`;
  const calls: z.infer<typeof recordedCall>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const read = pageOf(recordedCall).parse(expectStatus(await bed.workspace.get(`${at}&cursor=${cursor}`), 200));
    calls.push(...read.items);
    cursor = read.nextCursor;
  }
  expect(calls.map(({ tool, arguments: args }) => [tool, JSON.parse(args)])).toEqual(
    source?.steps.map(({ tool, arguments: args }) => [tool, args]),
  );
  expect(calls.every(({ reply }) => reply.kind === 'result' && Array.isArray(reply.result['content']))).toBe(true);
});

test('an exported and imported recording replays equally, and a truncated or changed one is refused', async () => {
  const file = z.string().parse(expectStatus(await bed.workspace.get(`/v1/recordings/${recording.id}/export`), 200));
  const imported = recordingRecord.parse(
    expectStatus(await bed.workspace.post('/v1/recordings/import', file, upload), 201),
  );
  expect(imported).toMatchObject({
    benchmark: recording.benchmark,
    calls: recording.calls,
    attempts: recording.attempts,
  });
  const { record } = await evaluateToEnd(bed, ['one'], {
    recording: 'replay',
    recordingId: imported.id,
    judges: false,
  });
  expect(record.progress).toMatchObject({ made: 4, notEvaluated: 0 });

  const before = (await bed.workspace.get('/v1/recordings')).body;
  const lines = file.trimEnd().split('\n');
  const refused: readonly (readonly [string, readonly [number, string]])[] = [
    ['', [400, 'invalid-line']],
    ['nonsense', [400, 'invalid-line']],
    [lines.slice(1).join('\n'), [400, 'invalid-line']],
    [lines.slice(0, -1).join('\n'), [422, 'content-mismatch']],
    [[...lines, '{"unit":1}'].join('\n'), [400, 'invalid-line']],
  ];
  for (const [text, expected] of refused)
    expect(problemOf(await bed.workspace.post('/v1/recordings/import', text, upload))).toEqual(expected);
  expect((await bed.workspace.get('/v1/recordings')).body).toEqual(before);
});

test("another agent replays the first one's answers, and an unrecorded call is a fault in the trace", async () => {
  const ground = await withRules(bed);
  const { record } = await evaluateToEnd(ground, ['three'], {
    recording: 'replay',
    recordingId: recording.id,
    judges: false,
  });
  expect(record.progress).toMatchObject({ made: 4, notEvaluated: 0 });

  const run = await evaluateGuest(ground, {
    recording: 'replay',
    recordingId: recording.id,
    sample: { units: 1 },
    judges: false,
  });
  const attempt = await claim(ground, run);
  const client = await connected(attempt);
  const [tool] = (await client.listTools()).tools;
  await expect(client.callTool({ name: tool?.name ?? '', arguments: { code: 'never asked' } })).rejects.toThrow(
    'no answer is recorded',
  );
  await client.close();
  // It would be missing again: the attempt is not made a second time.
  expect(expectStatus(await respond(ground, attempt, 'I could not.'), 200)).toMatchObject({
    evaluated: false,
    again: false,
  });
  const [{ id } = { id: '' }] = await casesOf(ground, run);
  const detail = await caseOf(ground, run, id);
  expect(detail.traces.source?.steps[0]).toMatchObject({ outcome: 'fault', fault: { code: 'replay-miss' } });
  expect(detail.case.attempts.source).toMatchObject({ evaluated: false, relaunched: false });
});

test("an external agent's answers are recorded and replayed in order", async () => {
  const ground = await frozen(1);
  const work = async (config: Record<string, unknown>): Promise<unknown[]> => {
    const run = await evaluateGuest(ground, { ...config, judges: false });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const [tool] = (await client.listTools()).tools;
    const said: unknown[] = [];
    for (let n = 0; n < 3; n += 1)
      said.push(await client.callTool({ name: tool?.name ?? '', arguments: { code: 'x', reference: 'x' } }));
    await client.close();
    expectStatus(await respond(ground, attempt, 'done'), 200);
    const { config: made } = z
      .object({ config: z.object({ recordingId: z.string().optional() }) })
      .parse((await ground.workspace.get(`/v1/evaluations/${run}`)).body);
    return [made.recordingId, ...said];
  };
  const [recordingId, ...live] = await work({ recording: 'record' });
  for (const server of Object.values(ground.servers)) await server.close();
  const [, ...replayed] = await work({ recording: 'replay', recordingId });
  expect(replayed).toEqual(live);
});

test('a recording belongs to its workspace', async () => {
  const stranger = await newWorkspace();
  for (const part of ['', '/export'])
    expect(problemOf(await stranger.get(`/v1/recordings/${recording.id}${part}`))).toEqual([404, 'not-found']);
  const body = evaluationBody(bed, ['one'], { recording: 'replay', recordingId: recording.id });
  expect(problemOf(await stranger.post('/v1/evaluations', body))).toEqual([404, 'not-found']);
  expect((await stranger.get('/v1/recordings')).body).toEqual({ items: [], nextCursor: null });
});
