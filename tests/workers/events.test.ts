import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { explore, follow, prepare } from '../support/exploration.ts';
import { call, problemOf } from '../support/workspace.ts';

describe('the events of a run', () => {
  test('are numbered without gaps, in a sensible order, and the stream ends with the run', async () => {
    const ground = await prepare();
    const run = await explore(ground, { rounds: 2, batch: 2 });
    const { events, ended } = await follow(ground.workspace.key, run);
    expect(ended).toBe(true);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    const types = events.map(({ event }) => event.type);
    expect(types.slice(0, 2)).toEqual(['run.created', 'grounding.unavailable']);
    expect(types.at(-1)).toBe('run.ended');
    expect(types.filter((type) => type === 'run.ended').length).toBe(1);
    expect(types.filter((type) => type.startsWith('round.'))).toEqual([
      'round.opened',
      'round.committed',
      'round.opened',
      'round.committed',
    ]);
    expect(types.filter((type) => type === 'unit.ended').length).toBe(6);
    const ofOne = events.flatMap(({ event }) => ('unit' in event && event.unit === 'r0002-u01' ? [event.type] : []));
    expect(ofOne).toEqual(['unit.written', 'unit.audited', 'unit.executed', 'unit.executed', 'unit.ended']);
    const times = events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  test('reach two live listeners once each, and one that reconnects gets the rest', async () => {
    const ground = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'slow', ms: 100 } }] });
    const { key } = ground.workspace;
    const run = await explore(ground, { rounds: 2, batch: 2 });
    const interrupted = async () => {
      const first = await follow(key, run, { enough: ({ event }) => event.type === 'unit.written' });
      const last = first.events.at(-1)?.id ?? 0;
      const rest = await follow(key, run, { after: last });
      expect(first.ended).toBe(false);
      return [...first.events, ...rest.events];
    };
    const [one, other, broken] = await Promise.all([follow(key, run), follow(key, run), interrupted()]);
    expect(one.events.at(-1)?.event.type).toBe('run.ended');
    expect(other.events).toEqual(one.events);
    expect(broken).toEqual(one.events);
  });

  test('after any Last-Event-ID are exactly those that follow it', async () => {
    const ground = await prepare();
    const { key } = ground.workspace;
    const run = await explore(ground, { batch: 1 });
    const { events } = await follow(key, run);
    for (const after of [1, 2, Math.floor(events.length / 2), events.length - 1]) {
      expect((await follow(key, run, { after })).events).toEqual(events.slice(after));
    }
    for (const after of [events.length, events.length + 1_000]) {
      const { events: none, ended } = await follow(key, run, { after });
      expect([none, ended]).toEqual([[], true]);
    }
  });

  test('are an event stream that must not be cached', async () => {
    const ground = await prepare();
    const run = await explore(ground, { batch: 1 });
    const headers = { authorization: `Bearer ${ground.workspace.key}` };
    const response = await exports.default.fetch(
      new Request(`http://sextant.test/v1/explorations/${run}/events`, { headers }),
    );
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toEqual(expect.stringContaining('no-store'));
    expect(response.headers.get('x-request-id')).toEqual(expect.stringMatching(/^req_/));
    await response.body?.cancel();
    expect(problemOf(await call(ground.workspace.key, 'GET', '/v1/explorations/unknown/events'))).toEqual([
      404,
      'not-found',
    ]);
    await follow(ground.workspace.key, run);
  });
});
