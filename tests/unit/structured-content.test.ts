import { expect, test } from 'vitest';
import { convertReplyToOutcome } from '#adapters/mcp/results.ts';

const textOf = async (texts: readonly string[], structuredContent: unknown): Promise<string | undefined> => {
  const content = texts.map((text) => ({ type: 'text', text }));
  return (await convertReplyToOutcome({ kind: 'result', result: { content, structuredContent } }))?.text;
};

test.each<[what: string, texts: string[], structured: unknown, text: string]>([
  ['only refers to it', ['see structured'], { rows: [60_000] }, 'see structured\n{"rows":[60000]}'],
  ['says something else', ['12 degrees'], { celsius: 12 }, '12 degrees\n{"celsius":12}'],
  ['is missing', [], { n: 7 }, '{"n":7}'],
  ['is for people, and it is a list', ['two rows'], [1, 2], 'two rows\n[1,2]'],
])('structured content reaches the agent where the text %s', async (_what, texts, structured, text) => {
  expect(await textOf(texts, structured)).toBe(text);
});

test.each<[what: string, texts: string[], structured: unknown]>([
  ['is the same JSON in another order', ['{ "b": [1], "a": null }'], { a: null, b: [1] }],
  ['is the text that it wraps', ['12 degrees'], { result: '12 degrees' }],
  ['is the list that it wraps, in one part', ['["a","b"]'], { result: ['a', 'b'] }],
  ['has the items that it wraps as parts', ['a', '{"n":1}'], { result: ['a', { n: 1 }] }],
  ['is one of several parts', ['Found:', '{"n":1}'], { n: 1 }],
])('structured content is not repeated where the text %s', async (_what, texts, structured) => {
  expect(await textOf(texts, structured)).toBe(texts.join('\n'));
});
