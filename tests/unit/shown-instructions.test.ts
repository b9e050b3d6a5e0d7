import { expect, test } from 'vitest';
import { listShownInstructions } from '#core/catalog/shown-instructions.ts';

const servers = [
  { name: 'notes', instructions: 'List before you add.' },
  { name: 'silent', instructions: null },
  { name: 'long', instructions: 'x'.repeat(5_000) },
  { name: 'unseen', instructions: 'Nobody mounts me.' },
];
const tools = ['notes/add', 'silent/go', 'long/run', 'notes/list'].map((name) => ({ name }));

test('agents get what the servers of their tools say, each cut to 2,000 characters', () => {
  expect(listShownInstructions(servers, tools)).toEqual([
    { server: 'notes', instructions: 'List before you add.' },
    { server: 'long', instructions: 'x'.repeat(2_000) },
  ]);
});

test('all instructions together have at most 8,000 characters, those of the first servers before the others', () => {
  const many = Array.from({ length: 6 }, (_, n) => ({ name: `s${n}`, instructions: 'y'.repeat(1_900) }));
  const shown = listShownInstructions(
    many,
    many.map(({ name }) => ({ name: `${name}/t` })),
  );
  expect(shown.map(({ instructions }) => instructions.length)).toEqual([1_900, 1_900, 1_900, 1_900, 400]);
});
