import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { passageLine } from '#core/similarity/knowledge/record.ts';

const run = (input: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, ['scripts/wikipedia-passages.ts', ...args], { input, encoding: 'utf8' });

const article = (text: string) =>
  JSON.stringify({ id: '12', url: 'https://en.wikipedia.org/wiki/Prague', title: 'Prague', text });
const text =
  'Prague is the capital\nof the Czech Republic.\n\nHistory\n\nIt was founded in the 9th century.\n\nSee also';

test('the first paragraphs of an article become passages that an index takes, without headings', () => {
  const [lead] = run(`${article(text)}\n\n`)
    .stdout.trim()
    .split('\n');
  expect(passageLine.parse(JSON.parse(lead ?? ''))).toEqual({
    id: 'wikipedia:Prague#1',
    text: 'Prague: Prague is the capital of the Czech Republic.',
    source: 'Wikipedia, https://en.wikipedia.org/wiki/Prague',
    licence: 'CC BY-SA 4.0',
  });
  const all = run(article(text), '9').stdout.trim().split('\n');
  expect(all.map((line) => passageLine.parse(JSON.parse(line)).text)).toEqual([
    'Prague: Prague is the capital of the Czech Republic.',
    'Prague: It was founded in the 9th century.',
  ]);
});

test('articles with long titles and in scripts without a full stop become passages, and what an index refuses is counted', () => {
  const lead = 'กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย';
  const address = `https://th.wikipedia.org/wiki/${encodeURIComponent('ก'.repeat(60))}`;
  const thai = run(JSON.stringify({ title: 'ก'.repeat(60), url: address, text: lead }));
  expect(thai.status).toBe(0);
  expect(passageLine.parse(JSON.parse(thai.stdout)).source).toBe(
    `Wikipedia, https://th.wikipedia.org/wiki/${'ก'.repeat(60)}`,
  );
  const long = run(`${JSON.stringify({ title: 't'.repeat(300), url: 'u', text: lead })}\n${article(text)}`);
  expect(long).toMatchObject({ status: 0, stderr: expect.stringContaining('would refuse them: 1') });
  expect(long.stdout.trim().split('\n')).toHaveLength(1);
});

test('a paragraph that is too long for an index is left out, and a line of another form is named', () => {
  expect(run(article(`${'é'.repeat(5_000)}.`))).toMatchObject({ status: 0, stdout: '' });
  expect(run(`${article(text)}\n{"title": 3}`)).toMatchObject({ status: 1, stderr: expect.stringContaining('line 2') });
  expect(run(article(text), 'many')).toMatchObject({ status: 2 });
});
