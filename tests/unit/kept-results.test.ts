import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { convertReplyToOutcome } from '#adapters/mcp/results.ts';
import { makeSentStep, outcomeTextForModel } from '#agents/steps.ts';

setFlagsFromString('--expose-gc');
const collect = z.function({ input: [], output: z.void() }).implement(runInNewContext('gc'));

const megabytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
};

test('an attempt keeps only the beginnings of forty results of 4 MiB', async () => {
  const before = megabytes();
  const kept: unknown[] = [];
  for (let turn = 1; turn <= 40; turn += 1) {
    const text = String(turn).padEnd(4 * 1024 * 1024, 'é ');
    const outcome = await convertReplyToOutcome({ kind: 'result', result: { content: [{ type: 'text', text }] } });
    if (outcome === undefined) throw new Error('no outcome');
    const place = { tool: 's/t', arguments: {}, latencyMs: 1, turn, turnTokens: null };
    kept.push(makeSentStep({ ...place, outcome }), outcomeTextForModel(outcome));
  }
  expect(megabytes() - before).toBeLessThan(20);
  expect(kept).toHaveLength(80);
});

test('a result of 150,000 parts is read up to a thousand, and the rest is counted', async () => {
  const content = Array.from({ length: 150_000 }, (_, i) => ({ type: 'text', text: `part ${i}` }));
  const outcome = await convertReplyToOutcome({ kind: 'result', result: { content } });
  expect(outcome?.text.split('\n').slice(998)).toEqual(['part 998', 'part 999', '[149000 more parts]']);
  const odd = { kind: 'result', result: { content: [{ text: 'of no type' }, ...content] } } as const;
  expect(await convertReplyToOutcome(odd)).toBeUndefined();
});
