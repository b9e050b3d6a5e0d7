import { describe, expect, test } from 'vitest';
import { exploreToEnd, prepare } from '../support/exploration.ts';
import type { ServerSpec } from '../support/script.ts';
import { call } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

/** Attacks of a server on the checks of its results: each of these took the service down for seconds, or for good. */

const open = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };
const doubled = Array.from({ length: 40 }, (_, i) => [
  `l${i}`,
  { allOf: [{ $ref: `#/$defs/l${i + 1}` }, { $ref: `#/$defs/l${i + 1}` }] },
]);
const objects = (count: number) => ({ list: Array.from({ length: count }, (_, n) => ({ n })) });
const unique = { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } };
const patterns = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`^(${'c?'.repeat(20)})+${i}$`, {}]));

const poisons: Readonly<Record<string, NonNullable<ServerSpec['tools']>[number]>> = {
  'a pattern that backtracks': {
    name: 'pattern',
    outputSchema: { type: 'object', properties: { text: { pattern: '^(a+)+$' } } },
    does: 'structured',
    structured: { text: `${'a'.repeat(40)}!` },
  },
  'references doubled at each level': {
    name: 'doubled',
    outputSchema: {
      type: 'object',
      allOf: [{ $ref: '#/$defs/l0' }],
      $defs: { ...Object.fromEntries(doubled), l40: { type: 'object' } },
    },
    does: 'structured',
  },
  '8,000 unique objects': { name: 'unique', outputSchema: unique, does: 'structured', structured: objects(8_000) },
  '250,000 unique objects': { name: 'many', outputSchema: unique, does: 'structured', structured: objects(250_000) },
  'patterns for the names of arguments': {
    name: 'names',
    inputSchema: { ...open, patternProperties: patterns, additionalProperties: false },
    does: 'fail',
  },
};

/** Asks for /health until told to stop; gives how long the answers took, in order of length. */
function polled(): { stop(): Promise<number[]> } {
  const stopping = new AbortController();
  const tookMs: number[] = [];
  const polling = (async () => {
    while (!stopping.signal.aborted) {
      const begun = performance.now();
      expect((await call(null, 'GET', '/health')).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 10));
      tookMs.push(performance.now() - begun - 10);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await polling;
      return tookMs.toSorted((a, b) => a - b);
    },
  };
}

describe('the service keeps answering while a server sends', () => {
  test.each(Object.entries(poisons))('%s', async (_what, poison) => {
    const served: ServerSpec['tools'] = [{ inputSchema: open, ...poison }];
    const ground = await prepare({ servers: { poison: { tools: served }, fruit: { tools: tools('apple', 'pear') } } });
    const health = polled();
    const { record, units } = await exploreToEnd(ground, { rounds: 3, batch: 1 });
    const tookMs = await health.stop();
    // Three megabytes of JSON cost more to read than to check.
    const boundMs = poison.name === 'many' ? 1_000 : 250;
    expect(tookMs[Math.floor(tookMs.length * 0.9)]).toBeLessThan(boundMs);
    // Tests share the machine with others; without a bound of steps the fastest of these takes 5 s, most never end.
    expect(tookMs.at(-1)).toBeLessThan(2_000);
    expect(record.status).toBe('completed');
    const called = units.flatMap(({ traces }) => traces.source?.steps ?? []);
    expect(called.map(({ tool }) => tool)).toContain(`poison/${poison.name}`);
  });
});
