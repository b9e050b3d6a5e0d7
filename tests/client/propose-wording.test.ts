import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { overlay } from '#core/evaluation/overlay/overlay.ts';
import type { WordingProposal } from '#core/reports/wording-proposal/record.ts';
import { fakeApi, json, problem } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const unit = `u_${'0'.repeat(24)}`;
const proposal = (offline: boolean): WordingProposal => ({
  benchmark: 'bm_1',
  overlay: {
    name: 'clearer',
    tools: { 'notes/add': { title: 'Create', inputSchema: { type: 'object', properties: { text: {} } } } },
    first: [],
    writtenFrom: { evaluation: 'evl_1', units: [unit], model: 'gpt-5', prompt: 'propose-wording@v1', offline },
  },
  asked: [
    { tool: 'notes/add', expected: 4, missed: 3, taken: 2, calls: 1, failed: 0, commonError: null },
    { tool: 'notes/append', expected: 0, missed: 0, taken: 1, calls: 5, failed: 4, commonError: 'no note' },
  ],
  leftOut: [{ tool: 'notes/append', part: 'description', reason: 'too-long' }],
  seen: { units: 1, of: 2, attempts: 4 },
  usage: { calls: 1, promptTokens: 900, completionTokens: 100, costUsd: 0.0123 },
});

test('"propose-wording" asks for an overlay, writes it to a file, and says what it is written from', async () => {
  const out = join(folder, 'overlay.json');
  await using api = await fakeApi(json(proposal(false)));
  const { lines, notes } = await runVerb(
    api,
    ...`propose-wording evl_1 --tools notes/add,notes/append --seen-share 0.4 --agent steady --name clearer`.split(' '),
    ...`--model gpt-5 --base-url https://models.example/v1 --out ${out}`.split(' '),
  );
  expect(api.requests.map(({ line }) => line)).toEqual(['POST /v1/evaluations/evl_1/wording']);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
    name: 'clearer',
    agent: 'steady',
    tools: ['notes/add', 'notes/append'],
    seenShare: 0.4,
    model: 'gpt-5',
    endpoint: { baseUrl: 'https://models.example/v1' },
  });
  expect(overlay.parse(JSON.parse(readFileSync(out, 'utf8')))).toEqual(proposal(false).overlay);
  const text = lines.join('\n');
  expect(text).toContain('Written by gpt-5 from 4 attempts at 1 of 2 units.');
  expect(text).toMatch(/notes\/add\s+3 of 4\s+2\s+0 of 1\s+title, arguments/);
  expect(text).toMatch(/notes\/append\s+0 of 0\s+1\s+4 of 5\s+nothing/);
  expect(text).toContain('left out: notes/append (description): the text is too long');
  expect(text).toContain('1,000 tokens ($0.0123)');
  expect(lines.at(-1)).toBe(out);
  expect(notes).toContain(`compare-wordings --benchmark bm_1 --model MODEL --a original --b ${out}`);
});

test('"propose-wording" says in its first line if rules stood in for the model', async () => {
  await using api = await fakeApi(json(proposal(true)));
  const { lines } = await runVerb(api, 'propose-wording', 'evl_1', '--out', join(folder, 'o.json'));
  expect(lines[0]).toBe('Written by rules, which stand in for a model, from 4 attempts at 1 of 2 units.');
});

test.each([
  [['--tools', 'add'], '--tools "add"'],
  [['--seen-share', '1'], '--seen-share "1"'],
  [['--base-url', 'https://models.example/v1'], 'name the model of this endpoint'],
  [['--out', '/nowhere/at/all.json'], 'cannot be written'],
])('"propose-wording" refuses %s before it asks anybody', async (words, problemText) => {
  await using api = await fakeApi(json(proposal(false)));
  const line = ['propose-wording', 'evl_1', ...(words.includes('--out') ? [] : ['--out', join(folder, 'o.json')])];
  await expect(runVerb(api, ...line, ...words)).rejects.toThrow(problemText);
  expect(api.requests).toEqual([]);
});

test('"propose-wording" writes no file and asks only once where there is nothing to propose', async () => {
  const out = join(folder, 'overlay.json');
  await using api = await fakeApi(problem(422, 'no-wording'));
  await expect(runVerb(api, 'propose-wording', 'evl_1', '--out', out)).rejects.toThrow('detail of no-wording');
  expect(api.requests).toHaveLength(1);
  expect(() => readFileSync(out)).toThrow('ENOENT');
});
