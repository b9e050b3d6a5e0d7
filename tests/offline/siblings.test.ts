import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Card } from '../../offline/cards/card.ts';
import { cards as realCards } from '../../offline/cards/index.ts';
import { auditForm, fillIn, gradeOf, toolOf, type ListedTool } from './models-support.ts';

const siblingNames = ['files/write_file', 'files/read_text_file', 'files/read_media_file', 'files/read_file'];
const listed = siblingNames.flatMap((name) => {
  const card = realCards.get(name);
  return card === undefined ? [] : [toolOf(card)];
});

const pairForm = z.object({
  why: z.string(),
  relation: z.string().optional(),
  pair: z.object({ source: z.string(), followUp: z.string(), chain: z.array(z.string()) }).nullable(),
});

const relation = { kind: 'paraphrase', about: 'other words' };
const write = (cards: ReadonlyMap<string, Card>, tool: ListedTool, siblings: readonly ListedTool[], seed: number) =>
  pairForm.parse(
    fillIn(cards, 'offline-writer', 'metamorphic-pair', { tools: [tool], siblings, relation, survey: [] }, seed),
  );
const audit = (tool: ListedTool, siblings: readonly ListedTool[], pair: unknown) =>
  auditForm.parse(fillIn(realCards, 'offline-critic', 'audit', { tools: [tool], siblings, pair }, 1));

describe('the offline writer, asked for one tool among its siblings', () => {
  test('writes two different requests for a chain of that tool, to which its critic has no objection', () => {
    expect(listed.length).toBeGreaterThan(2);
    for (const tool of listed)
      for (const seed of [1, 2, 3]) {
        const siblings = listed.filter((each) => each !== tool);
        const { pair } = write(realCards, tool, siblings, seed);
        expect(pair?.chain).toEqual([tool.name]);
        expect(pair?.source).not.toBe(pair?.followUp);
        expect(gradeOf(audit(tool, siblings, pair))).toBeGreaterThanOrEqual(90);
      }
  });

  test('writes none if its words would ask for a sibling as well, and says so', () => {
    const [tool] = listed;
    if (tool === undefined) throw new Error('there is no tool to write for');
    const twin = { ...tool, name: 'other/write_file' };
    const card = realCards.get(tool.name);
    if (card === undefined) throw new Error(`${tool.name} has no card`);
    const { pair, why } = write(new Map([...realCards, [twin.name, { ...card, tool: twin.name }]]), tool, [twin], 1);
    expect(pair).toBeNull();
    expect(why).toContain(`set ${tool.name} apart`);
  });
});

test('the offline critic objects to a request that a sibling serves', () => {
  const [writes, reads] = listed;
  if (writes === undefined || reads === undefined) throw new Error('there are no tools');
  const { pair } = write(realCards, reads, [writes], 1);
  const found = audit(writes, [reads], { ...pair, chain: [writes.name] });
  expect(gradeOf(found)).toBeLessThan(80);
  expect(found.issues).toContainEqual(
    expect.objectContaining({ tool: reads.name, type: 'semantic-mismatch', detail: expect.stringMatching(/serves/) }),
  );
});
