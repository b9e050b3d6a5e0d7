import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cards } from '../../offline/cards/index.ts';
import { fillIn, toolOf, type ListedTool } from './models-support.ts';

const all: readonly ListedTool[] = [...cards.values()].map(toolOf);
const pairForm = z.object({
  why: z.string(),
  pair: z.object({ source: z.string(), followUp: z.string() }).nullable(),
  relation: z.string().optional(),
});
const auditForm = z.object({
  issues: z.array(z.object({ tool: z.string().nullable(), type: z.string() })),
  semanticEquivalence: z.number(),
  unserved: z.number(),
});

const write = (tool: ListedTool, others: readonly ListedTool[], seed: number) =>
  pairForm.parse(fillIn(cards, 'offline-writer', 'negative-pair', { tools: [tool], others }, seed));
const audit = (tool: ListedTool, others: readonly ListedTool[], pair: unknown) =>
  auditForm.parse(fillIn(cards, 'offline-critic', 'negative-audit', { tools: [tool], others, pair }, 1));
const isRefusal = (response: string): boolean =>
  z
    .object({ refused: z.boolean() })
    .parse(fillIn(cards, 'offline-judge', 'refusal', { request: 'Carve it.', response }, 1)).refused;

describe('the offline writer, asked for requests that no tool fits', () => {
  test('writes for most tools of the bundled servers, to which its critic has no objection', () => {
    const made = all.flatMap((tool, at) => {
      const others = all.filter((each) => each !== tool);
      const { pair } = write(tool, others, at);
      if (pair === null) return [];
      expect(pair.source).not.toBe(pair.followUp);
      const { issues, semanticEquivalence, unserved } = audit(tool, others, pair);
      expect(issues).toEqual([]);
      expect(Math.min(semanticEquivalence, unserved)).toBeGreaterThanOrEqual(90);
      return [pair.source];
    });
    expect(made.length).toBeGreaterThan(all.length / 2);
  });

  test('writes none where every wish sounds like a tool, and says so', () => {
    const [tool] = all;
    if (tool === undefined) throw new Error('there are no tools');
    const able = {
      ...tool,
      name: 'butler/serve',
      description: 'Print, telephone, courier, carve, notary, sing',
    };
    expect(write(tool, [able], 1)).toMatchObject({ pair: null, why: expect.stringContaining(tool.name) });
  });
});

test('the offline critic objects to a request that another tool of the catalog serves', () => {
  const card = cards.get('files/read_text_file');
  const [first] = all;
  if (card === undefined || first === undefined) throw new Error('a card is missing');
  const [phrase = ''] = card.phrases;
  const source = phrase.replaceAll(/\{\w+\}/g, z.string().parse(Object.values(card.slots)[0]?.samples[0]));
  const { issues, unserved } = audit(first, [toolOf(card)], { source, followUp: `Please ${source}` });
  expect(issues).toContainEqual(expect.objectContaining({ tool: card.tool, type: 'semantic-mismatch' }));
  expect(unserved).toBeLessThan(80);
});

test('the offline judge takes an answer for a refusal if it says that it cannot be done', () => {
  for (const answer of [
    'I cannot carve anything.',
    'None of my tools can do that; I could send you the text.',
    "I don't have a tool for carving.",
    'I found nothing in the request that I could do with these tools.',
  ])
    expect([answer, isRefusal(answer)]).toEqual([answer, true]);
  for (const answer of ['Done.', 'It was carved into the bench.', 'Which bench do you mean?', ''])
    expect([answer, isRefusal(answer)]).toEqual([answer, false]);
});
