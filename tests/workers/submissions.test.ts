import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { signedRecord } from '#core/leaderboards/record.ts';
import { hasValidSignature } from '#core/leaderboards/signature.ts';
import { traceFileLine, type TraceHeader, type TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import { evaluateToEnd, withRules } from '../support/evaluation.ts';
import {
  board,
  rankedEntries,
  received,
  serviceBody,
  settled,
  submitter,
  uploadTraces,
  type Board,
} from '../support/board.ts';
import { fileText, sealedFile } from '../support/trace-file.ts';
import { call, expectStatus, problemOf } from '../support/workspace.ts';

let bed: Board;
/** Scripted agents all do the same: only from one submitter are they no copies of each other. */
let regular: Awaited<ReturnType<typeof submitter>>;
beforeAll(async () => {
  bed = await board({ units: 3, trials: 2 });
  regular = await submitter();
});

const statesOf = (record: { readonly history: readonly { readonly state: string }[] }) =>
  record.history.map(({ state }) => state);

/** The file of an evaluation's agent. */
async function exportedTraces(ground: Board, run: string, agent: string): Promise<string> {
  return z
    .string()
    .parse(expectStatus(await ground.workspace.get(`/v1/evaluations/${run}/traces?agent=${agent}`), 200));
}

/** What a submitter calls the agent whose attempts are always the same: under another name they would be copies. */
const sameName = 'Steady <one>';

const linesOf = (file: string): z.infer<typeof traceFileLine>[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => traceFileLine.parse(JSON.parse(line)));

describe('a submission in the tier service', () => {
  test("is evaluated with the submitter's model, published, ranked and signed", async () => {
    const ground = { ...bed, ...(await withRules(bed)) };
    const guest = regular;
    const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, ground.model, sameName)));
    const { record, events } = await settled(guest, id);
    expect(record).toMatchObject({ state: 'published', tier: 'service', findings: [] });
    expect(statesOf(record)).toEqual(['queued', 'validating', 'scoring', 'published']);
    const told = events.flatMap(({ event }) => (event.type === 'submission.changed' ? [event.state] : []));
    expect(told).toEqual(statesOf(record));
    expect(events.filter(({ event }) => event.type === 'submission.progressed').length).toBeGreaterThan(0);
    const entry = (await rankedEntries(bed)).find(({ entry: each }) => each.id === id)?.entry;
    expect(entry).toMatchObject({
      name: sameName,
      tier: 'service',
      units: 3,
      attempts: 12,
      trials: 2,
      scores: { tcs: { mean: 1 }, mtc: { mean: 1 }, execution: { mean: 1 } },
      private: null,
    });
    expect(entry?.costUsd).toBeGreaterThan(0);
    expect(entry?.configuration.prices).toEqual({ promptPricePerMTok: 1, completionPricePerMTok: 2 });
    const signed = signedRecord.parse(
      expectStatus(await call(null, 'GET', `/v1/leaderboards/${bed.leaderboard.id}/entries/${id}/record`), 200),
    );
    expect(await hasValidSignature(signed)).toBe(true);
    expect(await hasValidSignature({ ...signed, record: { ...signed.record, logBefore: 'x' } })).toBe(false);
    // The traces that anyone can download are those that the record vouches for.
    const file = await call(null, 'GET', `/v1/leaderboards/${bed.leaderboard.id}/entries/${id}/traces`);
    const seal = linesOf(z.string().parse(expectStatus(file, 200))).at(-1);
    expect(seal).toEqual({ type: 'seal', ...signed.record.traces.public });
  });

  test('has an evaluation that nobody can list, and a key that is deleted afterwards', async () => {
    const guest = regular;
    const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, bed.model, sameName)));
    await settled(guest, id);
    const evaluation = id.replace('sub_', 'evl_');
    for (const { key } of [guest, bed.workspace])
      expect(problemOf(await call(key, 'GET', `/v1/evaluations/${evaluation}`))[0]).not.toBe(200);
    expect(problemOf(await bed.workspace.get(`/v1/evaluations/${evaluation}/cases`))).toEqual([404, 'not-found']);
  });

  test("needs the submitter's own endpoint at an allowed address", async () => {
    const guest = await submitter();
    const body = serviceBody(bed, bed.model, 'poor');
    const { endpoint: _, ...bare } = body.agent;
    expect(problemOf(await guest.post('/v1/submissions', { ...body, agent: bare }))).toEqual([400, 'invalid-request']);
    const metadata = { ...body.agent, endpoint: { baseUrl: 'http://169.254.169.254/v1', apiKey: 'x' } };
    expect(problemOf(await guest.post('/v1/submissions', { ...body, agent: metadata }))).toEqual([
      422,
      'address-forbidden',
    ]);
  });

  test('is rejected if its model breaks too many attempts, so that hard ones cannot be left out', async () => {
    const ground = await withRules(bed, { form: 'turn', behaviour: { kind: 'status', status: 400 } });
    const guest = await submitter();
    const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, ground.model, 'picky')));
    const { record } = await settled(guest, id);
    expect(record).toMatchObject({ state: 'rejected', findings: [{ kind: 'not-evaluated' }] });
    expect(record.reason).toMatch(/What broke them: the agent's model: HTTP status 400 \(\d+ times\)/);
    // It ended as soon as that was clear, not after all attempts had been made.
    expect(record.progress?.made).toBeLessThan(record.progress?.attempts ?? 0);
  });
});

describe('a submission of traces', () => {
  let file = '';
  let run: Awaited<ReturnType<typeof evaluateToEnd>>;
  let header: TraceHeader;
  let lines: TraceLine[] = [];

  beforeAll(async () => {
    run = await evaluateToEnd(bed, ['steady', 'other'], { trials: 2 });
    file = await exportedTraces(bed, run.run, 'steady');
    const all = linesOf(file);
    const [first] = all;
    if (first?.type !== 'traces') throw new Error('the first line is no header');
    header = first;
    lines = all.flatMap((line) => (line.type === 'attempt' ? [line] : []));
  });

  const bare = () =>
    lines.map((line) => {
      const { sha256: _, ...rest } = line;
      return rest;
    });

  test('is published with exactly the figures of the evaluation that made it', async () => {
    const guest = regular;
    const { id } = received(await uploadTraces(guest, bed, sameName, file));
    const { record } = await settled(guest, id);
    expect(record).toMatchObject({ state: 'published', tier: 'self-reported' });
    const entry = (await rankedEntries(bed)).find(({ entry: each }) => each.id === id)?.entry;
    const { scores, passes, costUsdPerAttempt, tokensPerAttempt } = run.results('steady');
    expect(entry?.scores).toEqual({
      ...scores,
      passes: passes?.atK.map(({ k, passHatK }) => ({ k, passHatK })),
    });
    expect(entry).toMatchObject({ costUsd: costUsdPerAttempt, tokens: tokensPerAttempt, units: 3, attempts: 12 });
  });

  test('may have its lines in any order and with spaces', async () => {
    const guest = regular;
    const shuffled = await sealedFile(header, bare());
    const text = fileText(shuffled).replaceAll('\n', '\r\n\n');
    const { id } = received(await uploadTraces(guest, bed, sameName, text));
    expect((await settled(guest, id)).record.state).not.toBe('rejected');
  });

  test('may contain lone surrogates from servers and models', async () => {
    const halved = bare().map((line, at) =>
      at === 0 ? { ...line, trace: { ...line.trace, finalText: `${line.trace.finalText} \ud83d` } } : line,
    );
    const { id } = received(await uploadTraces(regular, bed, sameName, fileText(await sealedFile(header, halved))));
    expect((await settled(regular, id)).record.state).not.toBe('rejected');
  });

  describe('a submission of changed traces', () => {
    const swapped = (place: number, change: (line: TraceLine) => TraceLine): string =>
      fileText({
        header,
        lines: lines.map((line, at) => (at === place ? change(line) : line)),
        seal: {
          type: 'seal',
          attempts: lines.length,
          sha256: z.object({ sha256: z.string() }).parse(linesOf(file).at(-1)).sha256,
        },
      });

    const refused: [string, () => string, [number, string], RegExp][] = [
      [
        'a score',
        () => swapped(1, (line) => ({ ...line, scores: { ...line.scores, tcs: 0.25 } })),
        [422, 'content-mismatch'],
        /line 3: its digest/,
      ],
      [
        'a call taken out',
        () => swapped(0, (line) => ({ ...line, trace: { ...line.trace, steps: line.trace.steps.slice(1) } })),
        [422, 'content-mismatch'],
        /line 2: its digest/,
      ],
      [
        'a line taken out',
        () => [...file.split('\n').slice(0, 2), ...file.split('\n').slice(3)].join('\n'),
        [422, 'content-mismatch'],
        /the seal is of 12 attempts, and 11 stand before it/,
      ],
      [
        'two lines swapped',
        () => {
          const [a, b, c, ...rest] = file.split('\n');
          return [a, c, b, ...rest].join('\n');
        },
        [422, 'content-mismatch'],
        /seal is not of the lines before it/,
      ],
      ['the end cut off', () => file.split('\n').slice(0, 5).join('\n'), [422, 'content-mismatch'], /without a seal/],
      [
        'a broken line',
        () =>
          file
            .split('\n')
            .map((line, at) => (at === 4 ? line.slice(0, 40) : line))
            .join('\n'),
        [400, 'invalid-line'],
        /line 5/,
      ],
      [
        'a line behind the seal',
        () => `${file}${JSON.stringify(lines[0])}\n`,
        [400, 'invalid-line'],
        /line 15: it stands after the seal/,
      ],
      ['nothing left', () => '', [400, 'invalid-line'], /empty/],
      ['another benchmark', () => file.replaceAll(header.benchmark, 'bm_other'), [422, 'content-mismatch'], /seal/],
    ];
    test.each(refused)('in %s is refused, and nothing of it is stored', async (_what, change, status, detail) => {
      const guest = await submitter();
      const answer = await uploadTraces(guest, bed, 'changed', change());
      expect([...problemOf(answer), JSON.stringify(answer.body)]).toEqual([...status, expect.stringMatching(detail)]);
      expect((await guest.get('/v1/submissions')).body).toEqual({ items: [], nextCursor: null });
    });

    test('for another benchmark is told the right one', async () => {
      const guest = await submitter();
      const other = await sealedFile({ ...header, benchmark: 'bm_other' }, bare());
      const answer = await uploadTraces(guest, bed, 'other', fileText(other));
      expect(problemOf(answer)).toEqual([422, 'benchmark-mismatch']);
      expect(JSON.stringify(answer.body)).toContain(bed.benchmark.id);
    });

    type Bare = Omit<TraceLine, 'sha256'>;
    const rejected: [string, (all: Bare[]) => Bare[], string][] = [
      [
        'a score',
        ([first, ...rest]) =>
          first === undefined ? rest : [{ ...first, scores: { ...first.scores, tcs: 0.25 } }, ...rest],
        'changed-content',
      ],
      [
        'a call taken out',
        ([first, ...rest]) =>
          first === undefined
            ? rest
            : [{ ...first, trace: { ...first.trace, steps: first.trace.steps.slice(1) } }, ...rest],
        'impossible-size',
      ],
      [
        'another agent’s attempt',
        ([first, ...rest]) => (first === undefined ? rest : [{ ...first, agent: 'other' }, ...rest]),
        'configuration',
      ],
      [
        'a cost of nothing',
        ([first, ...rest]) =>
          first === undefined ? rest : [{ ...first, trace: { ...first.trace, costUsd: 0 } }, ...rest],
        'changed-content',
      ],
      ['a unit twice', (all) => [...all, ...all.slice(0, 1)], 'unit-twice'],
      ['a unit missing', (all) => all.slice(4), 'missing-unit'],
      [
        'a future time',
        ([first, ...rest]) =>
          first === undefined
            ? rest
            : [{ ...first, trace: { ...first.trace, startedAt: '2999-01-01T00:00:00.000Z' } }, ...rest],
        'impossible-time',
      ],
    ];
    test.each(rejected)('that is resealed with %s is rejected with the reason', async (what, change, kind) => {
      const guest = await submitter();
      const { id } = received(
        await uploadTraces(guest, bed, `sealed with ${what}`, fileText(await sealedFile(header, change(bare())))),
      );
      const { record } = await settled(guest, id);
      expect(statesOf(record)).toEqual(['queued', 'validating', 'rejected']);
      expect(record.findings.map((found) => found.kind)).toContain(kind);
      expect(record.reason).toContain(record.findings[0]?.message);
      expect((await rankedEntries(bed)).some(({ entry }) => entry.id === id)).toBe(false);
    });
  });

  test('that somebody else has published goes to a moderator, who decides', async () => {
    const ground = await board({ units: 3 });
    const made = await evaluateToEnd(ground, ['steady']);
    const traces = await exportedTraces(ground, made.run, 'steady');
    const [first, second] = [await submitter(), await submitter()];
    const original = received(await uploadTraces(first, ground, 'original', traces));
    expect((await settled(first, original.id)).record.state).toBe('published');
    const copy = received(await uploadTraces(second, ground, 'copy', traces));
    const { record } = await moderated(second, copy.id);
    expect(record).toMatchObject({ findings: [{ kind: 'identical-traces' }] });
    expect(JSON.stringify(record.findings)).toContain('original');
    const listed = await ground.workspace.get(`/v1/leaderboards/${ground.leaderboard.id}/submissions?state=moderation`);
    expect(listed.body).toMatchObject({ items: [{ id: copy.id, name: 'copy', state: 'moderation' }] });
    expect(
      problemOf(await second.post(`/v1/submissions/${copy.id}/moderate`, { action: 'publish', reason: 'mine' })),
    ).toEqual([403, 'forbidden']);
    expectStatus(
      await ground.workspace.post(`/v1/submissions/${copy.id}/moderate`, { action: 'publish', reason: 'the same lab' }),
      200,
    );
    expect((await settled(second, copy.id)).record).toMatchObject({
      state: 'published',
      reason: 'a moderator decided: the same lab',
    });
    expect(await rankedEntries(ground)).toHaveLength(2);
  });

  test('is refused if its name is taken, or if it exceeds the daily quota', async () => {
    const [first, second] = [await submitter(), await submitter()];
    const { id } = received(await first.post('/v1/submissions', serviceBody(bed, bed.model, 'Mine')));
    for (const name of ['Mine', ' mine', 'ＭＩＮＥ'])
      expect(problemOf(await uploadTraces(second, bed, name, file))).toEqual([409, 'name-taken']);
    expectStatus(await first.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    expect((await second.get('/v1/submissions')).body).toEqual({ items: [], nextCursor: null });
  });

  test('is created once for each idempotency key', async () => {
    const guest = regular;
    const key = { 'idempotency-key': 'once' };
    const answers = await Promise.all([
      uploadTraces(guest, bed, sameName, file, key),
      uploadTraces(guest, bed, sameName, file, key),
    ]);
    const ids = new Set(answers.map((answer) => received(answer).id));
    expect(ids.size).toBe(1);
    const again = received(await uploadTraces(guest, bed, sameName, file, key));
    expect([...ids]).toEqual([again.id]);
    const other = await sealedFile({ ...header, createdAt: new Date().toISOString() }, bare());
    expect(problemOf(await uploadTraces(guest, bed, sameName, fileText(other), key))).toEqual([
      422,
      'idempotency-mismatch',
    ]);
    await settled(guest, again.id);
  });
});

describe('a withdrawal', () => {
  test('removes a published entry once, and the log keeps it', async () => {
    const ground = await board({ units: 2 });
    const guest = await submitter();
    const { id } = received(await guest.post('/v1/submissions', serviceBody(ground, ground.model, 'regretted')));
    await settled(guest, id);
    expect(problemOf(await ground.workspace.post(`/v1/submissions/${id}/withdraw`, {}))).toEqual([404, 'not-found']);
    expect(expectStatus(await guest.post(`/v1/submissions/${id}/withdraw`, { reason: 'a bug' }), 200)).toMatchObject({
      state: 'withdrawn',
      reason: 'withdrawn by its submitter: a bug',
    });
    expect(problemOf(await guest.post(`/v1/submissions/${id}/withdraw`, {}))).toEqual([409, 'wrong-state']);
    expect(await rankedEntries(ground)).toEqual([]);
    const at = `/v1/leaderboards/${ground.leaderboard.id}`;
    expect(problemOf(await call(null, 'GET', `${at}/entries/${id}`))).toEqual([410, 'entry-gone']);
    const log = z.string().parse(expectStatus(await call(null, 'GET', `${at}/log`), 200));
    expect(
      log
        .trimEnd()
        .split('\n')
        .map((line) => z.object({ kind: z.string() }).parse(JSON.parse(line)).kind),
    ).toEqual(['opened', 'published', 'withdrawn']);
  });

  test('ends a submission that is still in progress', async () => {
    const ground = await withRules(bed, { form: 'turn', behaviour: { kind: 'slow', ms: 1_500 } });
    const guest = await submitter();
    const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, ground.model, 'hasty regret')));
    expectStatus(await guest.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    const { record, events } = await settled(guest, id);
    expect(record.state).toBe('withdrawn');
    expect(events.at(-1)?.event).toMatchObject({ type: 'run.ended' });
  });

  test('by a moderator hides the entry and can be undone', async () => {
    const ground = await board({ units: 2 });
    const guest = await submitter();
    const { id } = received(await guest.post('/v1/submissions', serviceBody(ground, ground.model, 'disputed')));
    await settled(guest, id);
    const moderate = (action: string) =>
      ground.workspace.post(`/v1/submissions/${id}/moderate`, { action, reason: 'disputed' });
    expect(expectStatus(await moderate('hide'), 200)).toMatchObject({ state: 'hidden' });
    expect(await rankedEntries(ground)).toEqual([]);
    expect(problemOf(await moderate('hide'))).toEqual([409, 'wrong-state']);
    expect(expectStatus(await moderate('show'), 200)).toMatchObject({ state: 'published' });
    expect(await rankedEntries(ground)).toHaveLength(1);
  });
});

/** Waits until a submission is before a moderator. */
async function moderated(guest: Awaited<ReturnType<typeof submitter>>, id: string) {
  for (;;) {
    const body = z
      .looseObject({ state: z.string(), findings: z.array(z.looseObject({ kind: z.string() })) })
      .parse(expectStatus(await guest.get(`/v1/submissions/${id}`), 200));
    if (body.state === 'moderation') return { record: body };
    if (['published', 'rejected'].includes(body.state)) throw new Error(`it is ${body.state}: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
