import { describe, expect, it } from 'vitest';
import { evolutionConfig } from '#core/exploration/evolution/config.ts';
import { evolutionEndReasonOrNull, type BatchYield } from '#core/exploration/evolution/stop.ts';

const batch = (written: number, accepted: number, dropped = 0): BatchYield => ({ written, accepted, dropped });
const good = [batch(10, 8), batch(10, 8)];

const end = (
  config: Parameters<typeof evolutionConfig.parse>[0],
  progress: Partial<Parameters<typeof evolutionEndReasonOrNull>[1]> = {},
): string | null =>
  evolutionEndReasonOrNull(evolutionConfig.parse(config), {
    kept: 10,
    target: 15,
    batches: good,
    tokens: 1_000,
    costUsd: 1,
    wallMs: 5_000,
    writes: 7,
    ...progress,
  });

describe('the stop rule of an evolution', () => {
  it('lets it continue while nothing ends it', () => {
    expect(end({})).toBeNull();
    expect(end({ budget: { batches: 3, tokens: 1_001, costUsd: 1.01, wallMs: 5_001, writes: 8 } })).toBeNull();
  });

  it('ends it at or above its target, even if a budget is used up too', () => {
    expect(end({}, { kept: 14 })).toBeNull();
    expect(end({}, { kept: 15 })).toBe('target reached');
    expect(end({ budget: { batches: 1 } }, { kept: 16 })).toBe('target reached');
  });

  it.each([
    [{ batches: 2 }, 'batches'],
    [{ tokens: 1_000 }, 'tokens'],
    [{ costUsd: 1 }, 'costUsd'],
    [{ wallMs: 5_000 }, 'wallMs'],
    [{ writes: 7 }, 'writes'],
  ])('ends it when %j is used up', (budget, part) => {
    expect(end({ budget })).toBe(`budget: ${part} used up`);
  });

  it('ends it when too few variants of the last two batches were accepted', () => {
    expect(end({ minYield: 0.3 }, { batches: [batch(10, 2), batch(10, 3)] })).toBe(
      'yield: 5 of the last 20 variants were accepted',
    );
    expect(end({ minYield: 0.25 }, { batches: [batch(10, 2), batch(10, 3)] })).toBeNull();
  });

  it('does not end it for a single bad batch, nor for older ones', () => {
    expect(end({}, { batches: [batch(10, 0)] })).toBeNull();
    expect(end({}, { batches: [batch(10, 0), batch(10, 0), ...good] })).toBeNull();
    expect(end({}, { batches: [...good, batch(10, 0), batch(2, 0)] })).toBe(
      'yield: 0 of the last 12 variants were accepted',
    );
  });

  it('does not count faulty variants, but ends it if faults break everything', () => {
    expect(end({ minYield: 0.5 }, { batches: [batch(10, 4, 6), batch(10, 2, 7)] })).toBeNull();
    expect(end({ minYield: 0 }, { batches: [batch(10, 0, 10), batch(4, 0, 4)] })).toBe(
      'faults broke all variants of the last 2 batches',
    );
  });

  it('weighs batches by their size', () => {
    expect(end({ minYield: 0.4 }, { batches: [batch(10, 1), batch(1, 1)] })).toMatch(/^yield: 2 of the last 11/);
    expect(end({ minYield: 0.4 }, { batches: [batch(10, 5), batch(1, 0)] })).toBeNull();
  });

  it('never ends it for its yield if no yield is required', () => {
    expect(end({ minYield: 0 }, { batches: [batch(10, 0), batch(10, 0)] })).toBeNull();
  });
});
