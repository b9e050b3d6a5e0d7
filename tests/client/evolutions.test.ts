import { describe, expect, test } from 'vitest';
import type { EventBody } from '#core/reports/events.ts';
import type { UnitStatus } from '#core/units/unit.ts';
import { createClient } from '../../client/client.ts';
import type { Sink } from '../../client/command-line/output.ts';
import { makeProgressDisplay } from '../../client/progress/display.ts';
import { advanceEvolutionView, initialEvolutionView } from '../../client/progress/evolution-view.ts';
import { makeEvolutionDrawing } from '../../client/progress/evolution-drawing.ts';
import { fakeApi, json, problem, type FakeApi, type Handler } from './fake-api.ts';
import { event, evolution, exploration } from './records.ts';
import { framesOf, runVerb } from './run-verb.ts';

const usage = { calls: 40, promptTokens: 100_000, completionTokens: 2_345, costUsd: 1.239 };
const variants = { accepted: 3, review: 1, rejected: 0, lost: 1, dropped: 0, duplicate: 1 };
const compared: EventBody = { type: 'units.compared', units: 40, duplicates: 1 };
const opened = (batch: number): EventBody => ({ type: 'batch.opened', batch, units: 6 });
const ended = (unit: string, status: UnitStatus): EventBody => ({
  type: 'unit.ended',
  unit,
  probe: false,
  status,
  reason: '',
});
const committed: EventBody = { type: 'batch.committed', batch: 1, variants, kept: 42, target: 59, usage };
const completed: EventBody = { type: 'run.ended', status: 'completed', reason: 'target reached' };

const after = (...bodies: readonly EventBody[]) =>
  bodies.map((body, index) => event(index + 1, body)).reduce(advanceEvolutionView, initialEvolutionView(evolution()));

const clientOf = (api: FakeApi) => createClient({ url: api.url, key: 'key', retries: 0 });
const stream = (...bodies: readonly EventBody[]): Handler => {
  const frames = framesOf(bodies.map((body, index) => event(index + 1, body)));
  return (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames);
};

describe('the client of evolutions', () => {
  test('creates one under an idempotency key, so that the call can be repeated', async () => {
    await using api = await fakeApi((_, response) => void response.destroy(), json(evolution(), 202));
    const client = createClient({ url: api.url, key: 'key', backoff: { firstMs: 1, longestMs: 1 } });
    expect(await client.evolutions.create('exp/1', { targetUnits: 60 })).toEqual(evolution());
    expect(api.requests.map(({ line, body }) => [line, body])).toEqual(
      [1, 2].map(() => ['POST /v1/explorations/exp%2F1/evolutions', '{"targetUnits":60}']),
    );
    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).toMatch(/^[\w-]{10,}$/);
  });

  test('reads, controls and follows it by its number', async () => {
    await using api = await fakeApi(
      json({ items: [evolution()] }),
      json(evolution()),
      json(evolution({ status: 'paused' })),
      json(evolution()),
      json(evolution({ status: 'cancelled' })),
      stream(completed),
      stream(completed),
      json(evolution({ status: 'completed' })),
    );
    const { evolutions } = clientOf(api);
    expect(await evolutions.list('exp_1')).toEqual([evolution()]);
    await evolutions.get('exp_1', 2);
    await evolutions.pause('exp_1', 2);
    await evolutions.resume('exp_1', 2);
    expect((await evolutions.cancel('exp_1', 2)).status).toBe('cancelled');
    expect(await Array.fromAsync(evolutions.events('exp_1', 2))).toEqual([event(1, completed)]);
    expect((await evolutions.wait('exp_1', 2)).status).toBe('completed');
    const one = '/v1/explorations/exp_1/evolutions/2';
    expect(api.requests.map(({ line }) => line)).toEqual([
      'GET /v1/explorations/exp_1/evolutions',
      `GET ${one}`,
      `POST ${one}/pause`,
      `POST ${one}/resume`,
      `POST ${one}/cancel`,
      `GET ${one}/events`,
      `GET ${one}/events`,
      `GET ${one}`,
    ]);
  });
});

describe('the progress of an evolution', () => {
  test('is empty before the first event, regardless of the record', () => {
    const late = initialEvolutionView(evolution({ status: 'paused', kept: 50, batches: 3, variants }));
    expect(late).toEqual(initialEvolutionView(evolution()));
    expect(late).toMatchObject({ status: 'running', kept: null, batches: { committed: 0, of: 200 }, open: null });
  });

  test('counts variants as they end, until a batch updates the counts', () => {
    const view = after(compared, opened(1), ended('a', 'accepted'), ended('b', 'duplicate'));
    expect(view).toMatchObject({
      compared: { units: 40, duplicates: 1 },
      open: { units: 6, ended: 2 },
      variants: { accepted: 1, duplicate: 1 },
      kept: null,
    });
    expect(after(compared, opened(1), ended('a', 'accepted'), committed)).toMatchObject({
      open: null,
      variants,
      kept: { units: 42, target: 59 },
      batches: { committed: 1 },
      usage,
    });
    expect(after(committed, opened(2), ended('c', 'accepted')).kept).toEqual({ units: 43, target: 59 });
  });

  test('counts a variant once if it was parked and decided on later', () => {
    const parked = [opened(1), ended('a', 'review')];
    expect(after(...parked, ended('a', 'accepted'))).toMatchObject({
      open: { ended: 1 },
      variants: { review: 0, accepted: 1 },
    });
    expect(after(...parked, committed, ended('a', 'accepted'))).toMatchObject({
      variants: { review: 0, accepted: 4 },
      kept: { units: 43 },
    });
  });

  test('ignores events of explorations', () => {
    expect(after({ type: 'round.opened', round: 1, units: 4 }, { type: 'server.retried', server: 'a' })).toEqual(
      after(),
    );
  });
});

describe('the progress display of an evolution', () => {
  const drawing = makeEvolutionDrawing(evolution());
  const now = Date.parse('2026-01-01T00:00:42Z');

  test('is a block on a terminal', () => {
    expect(drawing.blockLines(after(compared, committed, opened(2), ended('c', 'lost')), now)).toEqual([
      'evolution exp_1/evolutions/1: running, seed 1',
      '  kept            █████████████████████░░░░░░░░░ 42 of 59 units',
      '  explored        40 units compared, 1 near-duplicate left out',
      '  batches         1 of at most 200, 1 of 6 variants of the next',
      '  variants        3 accepted, 1 review, 0 rejected, 2 lost, 0 dropped, 1 near-duplicate',
      '  spent           102,345 tokens, $1.24, 42 s',
    ]);
    const ungrounded = after({ type: 'grounding.failed', unit: 'a', code: 'timeout', detail: '' });
    expect(drawing.blockLines(ungrounded, now)).toContain(
      '  grounding       1 variant without the index of facts, which failed',
    );
    expect(drawing.blockLines(ungrounded, now)).toContain('  kept            after the first batch');
  });

  test('never exceeds the length of its bar', () => {
    const [, bar = ''] = drawing.blockLines(after({ ...committed, kept: 80 }), now);
    expect(bar).toBe(`  kept            ${'█'.repeat(30)} 80 of 59 units`);
  });

  test('is a line for each batch without a terminal', () => {
    const written: string[] = [];
    const sink: Sink = { write: (text) => written.push(text) };
    const display = makeProgressDisplay(drawing, sink);
    const unavailable: EventBody = { type: 'comparison.unavailable', code: 'timeout', detail: 'no\u001B[2J vectors' };
    for (const [index, body] of [compared, unavailable, opened(1), ended('a', 'lost'), committed, completed].entries())
      display.showEvent(event(index + 1, body));
    display.end();
    expect(written).toEqual([
      '40 units compared, 1 near-duplicate left out\n',
      'units are compared by their words alone: no[2J vectors\n',
      'batch 1 | 42 of 59 units kept | 3 accepted, 1 review, 0 rejected, 1 lost, 0 dropped, 1 near-duplicate | 102,345 tokens, $1.24, 1 min 05 s\n',
      'evolution exp_1/evolutions/1: completed (target reached)\n',
    ]);
  });
});

describe('the verb', () => {
  test('evolve starts an evolution and follows it', async () => {
    const over = evolution({ status: 'completed', reason: 'target reached', endedAt: '2026-01-01T00:01:00.000Z' });
    await using api = await fakeApi(json(evolution(), 202), stream(committed, completed), json(over));
    const { lines } = await runVerb(api, 'evolve', 'exp_1', '--target', '60', '--seconds', '90', '--min-yield', '0');
    expect(lines).toEqual([
      'exp_1/evolutions/1',
      expect.stringMatching(/^batch 1 \| 42 of 59/),
      'evolution exp_1/evolutions/1: completed (target reached)',
    ]);
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
      targetUnits: 60,
      minYield: 0,
      budget: { wallMs: 90_000 },
    });
  });

  test('evolve fails if the evolution does not complete, and does not wait with --detach', async () => {
    const cancelled = evolution({ status: 'cancelled', reason: 'cancelled by its owner' });
    await using api = await fakeApi(json(evolution(), 202), json(evolution(), 202), stream(completed), json(cancelled));
    expect((await runVerb(api, 'evolve', 'exp_1', '--detach')).lines).toEqual(['exp_1/evolutions/1']);
    expect(api.requests).toHaveLength(1);
    await expect(runVerb(api, 'evolve', 'exp_1')).rejects.toThrow(
      'evolution exp_1/evolutions/1 is cancelled: cancelled by its owner',
    );
    await using refused = await fakeApi(problem(422, 'nothing-to-evolve'));
    await expect(runVerb(refused, 'evolve', 'exp_1')).rejects.toThrow('detail of nothing-to-evolve');
  });

  test('watch follows an evolution, and prints each event for programs', async () => {
    const over = evolution({ status: 'completed', reason: 'target reached' });
    await using api = await fakeApi(json(evolution()), stream(committed, completed), json(over));
    const { lines } = await runVerb(api, 'watch', 'exp_1/evolutions/1', '--json');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([event(1, committed), event(2, completed), over]);
    expect(api.requests.map(({ line }) => line)).toEqual([
      'GET /v1/explorations/exp_1/evolutions/1',
      'GET /v1/explorations/exp_1/evolutions/1/events',
      'GET /v1/explorations/exp_1/evolutions/1',
    ]);
  });

  test('pause, resume and cancel recognize runs by their ids', async () => {
    await using api = await fakeApi(json(evolution({ status: 'paused' })), json(evolution()), json(exploration()));
    expect((await runVerb(api, 'pause', 'exp_1/evolutions/1')).lines).toEqual(['exp_1/evolutions/1 is paused']);
    expect((await runVerb(api, 'resume', 'exp_1/evolutions/12')).lines).toEqual(['exp_1/evolutions/12 is running']);
    expect((await runVerb(api, 'cancel', 'exp_1')).lines).toEqual(['exp_1 is running']);
    expect(api.requests.map(({ line }) => line)).toEqual([
      'POST /v1/explorations/exp_1/evolutions/1/pause',
      'POST /v1/explorations/exp_1/evolutions/12/resume',
      'POST /v1/explorations/exp_1/cancel',
    ]);
    for (const id of ['exp_1/evolutions', 'exp_1/evolutions/0', 'exp_1/evolutions/x', 'exp_1/units/1'])
      await expect(runVerb(api, 'pause', id)).rejects.toThrow(`"${id}" names no run`);
    expect(api.requests).toHaveLength(3);
  });

  test('explore grounds its units in an index and waits for reviews', async () => {
    await using api = await fakeApi(json(exploration(), 202));
    const more = ['--knowledge', 'kn_1', '--namespace', 'facts', '--review', 'wait', '--review-timeout', '60'];
    await runVerb(api, 'explore', '--catalog', 'cat_1', '--detach', ...more);
    await runVerb(api, 'explore', '--catalog', 'cat_1', '--detach');
    expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({
      knowledge: { index: 'kn_1', namespace: 'facts' },
      review: 'wait',
      reviewTimeoutMs: 60_000,
    });
    expect(JSON.parse(api.requests[1]?.body ?? '')).not.toHaveProperty('knowledge');
    const alone = runVerb(api, 'explore', '--catalog', 'cat_1', '--namespace', 'facts');
    await expect(alone).rejects.toThrow('--namespace is a part of --knowledge');
  });
});
