import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contexts } from '../../offline/models/connectors.ts';
import { testCards } from './models-cards.ts';
import { auditForm, fillIn, gradeOf, toolOf } from './models-support.ts';

const tools = ['time/today_date', 'time/week_number', 'calc/power_of', 'files/write_note'].flatMap((name) => {
  const card = testCards.get(name);
  return card === undefined ? [] : [toolOf(card)];
});
const request =
  'First, look up today\'s date, then find the calendar week for today\'s date, after that raise 2 to the power of the calendar week, and finally save "milk and bread" under the path "a.txt".';

const answer = z.object({
  pair: z.object({
    source: z.string(),
    followUp: z.string(),
    chain: z.array(z.string()),
    arguments: z.array(z.object({ source: z.record(z.string(), z.unknown()) })),
  }),
  relation: z.string(),
});

/** The pairs of some seeds that the critic accepts without a doubt. */
const pairsOf = (kind: string): z.infer<typeof answer>[] =>
  Array.from({ length: 12 }, (_, seed) => {
    const scenario = { request, factQuery: 'q' };
    const variables = { tools, scenario, facts: [], relation: { kind, about: '' } };
    const written = answer.parse(fillIn(testCards, 'offline-writer', 'metamorphic-pair', variables, seed));
    const audit = auditForm.parse(fillIn(testCards, 'offline-critic', 'audit', { tools, pair: written.pair }, seed));
    return gradeOf(audit) >= 90 ? [written] : [];
  }).flat();

describe('the offline writer that is asked for a kind of relation', () => {
  it.each(['paraphrase', 'value-form', 'added-context', 'detail', 'unit-conversion'])(
    '%s says which it wrote',
    (kind) => {
      const pairs = pairsOf(kind);
      expect(pairs.length).toBeGreaterThan(3);
      const expected = kind === 'unit-conversion' ? 'paraphrase' : kind;
      expect(new Set(pairs.map(({ relation }) => relation))).toEqual(new Set([expected]));
    },
  );

  it('says a number as a word in the follow-up alone, and names both', () => {
    for (const { pair } of pairsOf('value-form')) {
      expect([/\b2\b/.test(pair.source), /\btwo\b/.test(pair.followUp)]).toEqual([true, true]);
      expect(pair.arguments.map(({ source }) => source)).toContainEqual({
        kind: 'spans',
        source: '2',
        followUp: 'two',
      });
    }
  });

  it('adds a sentence to the follow-up from which no reader takes a step', () => {
    for (const { pair } of pairsOf('added-context'))
      expect(contexts.filter((context) => pair.followUp.includes(context)).length).toBe(1);
  });

  it('spreads over several sentences in one request what the other says in one', () => {
    const sentences = (text: string): number => text.split(/\. /u).length;
    for (const { pair } of pairsOf('detail'))
      expect([sentences(pair.source), sentences(pair.followUp)].toSorted((a, b) => a - b)).toEqual([1, 4]);
  });
});
