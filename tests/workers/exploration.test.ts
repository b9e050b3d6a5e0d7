import { describe, expect, test } from 'vitest';
import { endOf, exploreToEnd, prepare, unitsOf, modelKey } from '../support/exploration.ts';

describe('an exploration from start to end', () => {
  test('counts, events, and the servers say the same', async () => {
    const ground = await prepare();
    const { run, events, record, units } = await exploreToEnd(ground, { rounds: 2, batch: 3 });
    console.log(JSON.stringify(record.units), units.map(({unit}) => endOf(unit)), events.map((e) => e.event.type).join(' '), run);
    expect(record.status).toBe('completed');
    expect((await unitsOf(ground, run)).length).toBe(8);
    expect(modelKey).toBeTruthy();
  });
});
