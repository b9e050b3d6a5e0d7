import { describe, expect, it } from 'vitest';
import { makeRandom } from '#core/values/random.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ArgumentSource, Pair } from '#core/units/answers.ts';
import { unitsAfterCatalogPairs } from '#core/units/progress.ts';
import {
  drawRelationKindByWeight,
  makePromptRelation,
  relationKind,
  relationWeights,
  type RelationKind,
} from '#core/units/relation-kinds.ts';
import { sameValueVerdictOnSpans } from '#core/units/static-check.ts';
import { checkPairStatically } from '#core/units/static-check.ts';
import { after, begun, pair, paired, searched, written } from './units.ts';

const wait: Tool = {
  name: 'clock/wait',
  server: 'clock',
  domain: 'time',
  category: 'other',
  inputSchema: { type: 'object', properties: { minutes: { type: 'number' } }, required: ['minutes'] },
};
const ring: Tool = { ...wait, name: 'clock/ring', inputSchema: { type: 'object' } };

const check = (source: ArgumentSource, relation: RelationKind | null, [one, other]: readonly [string, string]) => {
  const timed: Pair = {
    source: `Wait for ${one} and ring.`,
    followUp: `Let ${other} pass, then ring.`,
    chain: [wait.name, ring.name],
    arguments: [{ step: 1, argument: 'minutes', source }],
    facts: [],
  };
  return checkPairStatically(timed, [wait, ring], relation);
};
const spans = (source: string, followUp: string): ArgumentSource => ({ kind: 'spans', source, followUp });

describe('two ways to say a value', () => {
  it.each([
    ['30 minutes', 'half an hour', 'yes'],
    ['90 minutes', 'an hour and a half', 'yes'],
    ['2 km', '2000 metres', 'yes'],
    ['10 miles', '16.1 km', 'yes'],
    ['68 °F', '20 °C', 'yes'],
    ['5', 'five', 'yes'],
    ['3 pm', '15:00', 'yes'],
    ['2030-05-17', '17 May 2030', 'yes'],
    ['3, 5 and 8', '[3, 5, 8]', 'yes'],
    ['30 minutes', 'an hour', 'no'],
    ['10 miles', '10 km', 'no'],
    ['2030-05-17', '18 May 2030', 'no'],
    ['30', 'half an hour', 'unknown'],
    ['2 pounds', '907 grams', 'unknown'],
    ['Vienna', 'the capital of Austria', 'unknown'],
  ] as const)('%s, %s: the same value? %s', (one, other, verdict) => {
    expect(sameValueVerdictOnSpans(one, other)).toBe(verdict);
    expect(sameValueVerdictOnSpans(other, one)).toBe(verdict);
  });
});

describe('a pair of a converting kind', () => {
  it('may say a value in words of its own in each request, if it is the same', () => {
    const words = ['30 minutes', 'half an hour'] as const;
    const { solvable, findings } = check(spans(...words), 'unit-conversion', words);
    expect([solvable, findings[0]?.verdict]).toEqual([true, 'yes']);
  });

  it('is unsolvable if the values differ, or if a request does not have its words', () => {
    const differing = ['30 minutes', 'an hour'] as const;
    expect(check(spans(...differing), 'unit-conversion', differing).findings[0]).toMatchObject({
      verdict: 'no',
      reason: expect.stringContaining('different values'),
    });
    const swapped = check(spans('half an hour', '30 minutes'), 'unit-conversion', ['30 minutes', 'half an hour']);
    expect(swapped.findings[0]?.reason).toBe('"half an hour" is not in source, "30 minutes" is not in followUp');
  });

  it('is left to the critic where nobody can tell', () => {
    const words = ['2 pounds of 30 minutes', '907 grams of 30 minutes'] as const;
    expect(check(spans(...words), 'value-form', words).findings[0]?.verdict).toBe('unknown');
  });

  it('has to say some value in two ways', () => {
    const words = ['30 minutes', '30 minutes'] as const;
    const same: ArgumentSource = { kind: 'span', text: '30 minutes' };
    expect(check(same, 'unit-conversion', words).violations).toEqual([
      'both requests say every value alike, which is no unit-conversion',
    ]);
    expect(check(same, 'paraphrase', words).solvable).toBe(true);
  });
});

describe('a pair of any other kind', () => {
  it('keeps the words of its values', () => {
    const words = ['20 min of quiet', '20 quiet min'] as const;
    for (const kind of ['paraphrase', 'order', 'added-context', 'detail', null] as const) {
      expect(check(spans('quiet', 'min'), kind, words).findings[0]?.verdict).toBe('no');
      expect(check(spans('20 min', '20'), kind, words).findings[0]?.verdict).toBe('yes');
    }
  });
});

describe('the kind of a unit', () => {
  const even = relationWeights.parse({});

  it('is drawn evenly by default, by the weights otherwise, and the same for the same seed', () => {
    const drawn = Array.from({ length: 1_200 }, (_, n) => drawRelationKindByWeight(makeRandom(1, n), even));
    for (const kind of relationKind.options) {
      const count = drawn.filter((each) => each === kind).length;
      expect(count, kind).toBeGreaterThan(140);
      expect(count, kind).toBeLessThan(260);
    }
    expect(drawRelationKindByWeight(makeRandom(1, 7), even)).toBe(drawn[7]);
    const only = relationWeights.parse({
      ...Object.fromEntries(relationKind.options.map((kind) => [kind, 0])),
      order: 3,
    });
    expect(Array.from({ length: 20 }, (_, n) => drawRelationKindByWeight(makeRandom(2, n), only))).toEqual(
      Array(20).fill('order'),
    );
    expect(relationWeights.safeParse({ ...only, order: 0 }).success).toBe(false);
  });

  it('is the one that the writer says it wrote, beside the one that was asked for', () => {
    const asked = begun({ relation: 'value-form' });
    expect(asked.relation).toEqual({ asked: 'value-form', written: null });
    expect(after(asked, [written(), searched(), paired()]).relation).toEqual({
      asked: 'value-form',
      written: 'paraphrase',
    });
    const [together] = unitsAfterCatalogPairs([begun({ draws: [], relation: 'order' })], {
      ok: true,
      value: { pairs: [{ ...pair(), relation: 'order' }] },
      calls: [],
    });
    expect(together).toMatchObject({ relation: { asked: 'order', written: 'order' }, pair: pair() });
    expect(together?.pair).not.toHaveProperty('relation');
  });

  it('is a paraphrase for writers of earlier releases', () => {
    expect(makePromptRelation(null)).toEqual(makePromptRelation('paraphrase'));
    expect(makePromptRelation('detail').about).toContain('several sentences');
  });
});
