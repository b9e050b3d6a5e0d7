import { expect, test } from 'vitest';
import { BlockMemory } from '#durable-objects/knowledge/block-memory.ts';

const block = (bytes: number) => ({ vectors: new Int8Array(bytes), lengths: new Float64Array(0) });

test('the least recently used block is evicted when there is no room', () => {
  const memory = new BlockMemory(100);
  for (const key of ['1/main/0', '1/main/1']) memory.keep(key, block(40));
  memory.get('1/main/0');
  memory.keep('2/main/0', block(40));
  expect(['1/main/0', '1/main/1', '2/main/0'].map((key) => memory.get(key) !== undefined)).toEqual([true, false, true]);
  expect(memory.bytes).toBe(80);
});

test('a block that is written again is counted once, and a block larger than all room is kept alone', () => {
  const memory = new BlockMemory(100);
  for (const bytes of [40, 60, 20]) memory.keep('1/main/0', block(bytes));
  expect(memory.bytes).toBe(20);
  memory.keep('1/main/1', block(200));
  expect([memory.get('1/main/0'), memory.bytes]).toEqual([undefined, 200]);
});

test('clearing a namespace removes all of its blocks and no others', () => {
  const memory = new BlockMemory(100);
  for (const key of ['1/main/0', '1/main/1', '1/mainly/0', '11/main/0']) memory.keep(key, block(10));
  memory.dropBlocksByPrefix('1/main/');
  expect(memory.bytes).toBe(20);
  expect(memory.get('1/mainly/0')).toBeDefined();
});
