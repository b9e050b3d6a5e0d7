import { expect, test } from 'vitest';
import type { EventBody } from '#core/reports/events.ts';
import { unitRowsAfterEvents, type UnitRows } from '../../../web/data/unit-rows.ts';

const none: UnitRows = new Map();
const events = (...bodies: readonly EventBody[]) =>
  bodies.map((event, place) => ({ id: place + 1, at: '2026-01-01T00:00:00.000Z', event }));

test('a unit is shown with what its events said last', () => {
  const rows = unitRowsAfterEvents(
    none,
    events(
      { type: 'unit.written', unit: 'u1', chain: ['a/1'] },
      { type: 'unit.audited', unit: 'u1', score: 91, unsolved: 0, next: 'execution' },
      { type: 'unit.ended', unit: 'u1', probe: true, status: 'accepted', reason: 'fine' },
    ),
  );
  expect([...rows.values()]).toEqual([{ id: 'u1', state: 'accepted', probe: true, chain: ['a/1'], score: 91 }]);
});

test('a decision on a unit in review shows how it ended', () => {
  const parked = unitRowsAfterEvents(none, events({ type: 'review.awaited', unit: 'u1', score: 84 }));
  expect(parked.get('u1')?.state).toBe('review');
  const settled = unitRowsAfterEvents(parked, events({ type: 'review.settled', unit: 'u1', status: 'rejected' }));
  expect(settled.get('u1')).toMatchObject({ state: 'rejected', score: 84 });
});

test('events that say nothing of units leave the rows as they are', () => {
  expect(unitRowsAfterEvents(none, events({ type: 'run.created' }))).toBe(none);
});
