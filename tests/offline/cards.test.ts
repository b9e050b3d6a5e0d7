import { describe, expect, it } from 'vitest';
import type { Card } from '../../offline/cards/card.ts';
import { cards } from '../../offline/cards/index.ts';
import {
  makeArgumentsOfCard,
  listFlawsBetweenCards,
  listFlawsOfCard,
  extractOutputValue,
} from '../../offline/cards/rules.ts';
import { unavailable } from '../../offline/cards/unavailable.ts';

const good: Card = {
  tool: 'shop/price-of',
  phrases: ['tell what {item} costs', 'look up how dear {item} is', 'get the price tag of {item}'],
  slots: { item: { kind: 'text', samples: ['a lamp', 'a clock'], argument: [{ name: '$value' }] } },
  constants: { currency: 'EUR' },
  gives: [{ kind: 'number', noun: 'the price', pick: { path: 'offers.0.price' } }],
};

describe('the cards', () => {
  it('have no flaws', () => {
    expect([...cards.values()].flatMap(listFlawsOfCard)).toEqual([]);
  });

  it('share neither nouns nor wordings', () => {
    expect(listFlawsBetweenCards(cards.values())).toEqual([]);
  });

  it('cover at least 132 tools, each of them once', () => {
    expect(cards.size).toBeGreaterThanOrEqual(132);
    expect([...unavailable.keys()].filter((tool) => cards.has(tool))).toEqual([]);
    for (const [tool, card] of cards) expect(card.tool).toBe(tool);
  });

  it('can be chained: most outputs fit a slot of their own kind or a text slot', () => {
    const kinds = new Set([...cards.values()].flatMap((card) => Object.values(card.slots).map(({ kind }) => kind)));
    const outputs = [...cards.values()].flatMap((card) => card.gives);
    const special = outputs.filter(({ kind }) => kind !== 'text' && kinds.has(kind));
    expect(outputs.length).toBeGreaterThan(100);
    expect(special.length).toBeGreaterThan(40);
  });
});

describe('flawsOf', () => {
  const flawed: [string, Partial<Card>][] = [
    ['two phrases only', { phrases: good.phrases.slice(1) }],
    ['a phrase without its slot', { phrases: ['tell the price', ...good.phrases] }],
    ['a slot that does not exist', { phrases: ['tell what {item} costs in {shop}', ...good.phrases] }],
    ['a clause connector', { phrases: ['take {item}, and tell its price', ...good.phrases] }],
    ["the tool's name", { phrases: ['call price-of for {item}', ...good.phrases] }],
    ['a sample that cannot be quoted', { slots: { item: { kind: 'text', samples: ['a "lamp"', 'b'] } } }],
    ['a slot that is a constant too', { constants: { item: 'a lamp' } }],
    ['a pattern without a group', { gives: [{ kind: 'text', noun: 'the price', pick: { pattern: '\\d+' } }] }],
    ['a noun without an article', { gives: [{ kind: 'text', noun: 'price', pick: { whole: true } }] }],
  ];
  it('finds none in a good card', () => expect(listFlawsOfCard(good)).toEqual([]));
  it.each(flawed)('finds %s', (_, change) => expect(listFlawsOfCard({ ...good, ...change })).toHaveLength(1));
});

describe('flawsBetween', () => {
  it('finds shared nouns and wordings', () => {
    const twin = { ...good, tool: 'shop/cost', phrases: ['tell what {thing} costs'] };
    expect(listFlawsBetweenCards([good, twin])).toHaveLength(2);
  });
});

describe('argumentsOf', () => {
  it('fills templates and adds the constants', () => {
    expect(makeArgumentsOfCard(good, { item: 'a lamp' })).toEqual({ item: [{ name: 'a lamp' }], currency: 'EUR' });
  });
});

describe('pickValue', () => {
  it('takes the whole text, a path through JSON, or the first group of a pattern', () => {
    expect(extractOutputValue({ whole: true }, ' 42\n')).toBe('42');
    expect(extractOutputValue({ path: 'offers.0.price' }, '{"offers":[{"price":12.5}]}')).toBe('12.5');
    expect(extractOutputValue({ pattern: 'costs (\\d+)' }, 'it costs 7 here')).toBe('7');
  });

  it('finds nothing where there is nothing', () => {
    expect(extractOutputValue({ path: 'a.b' }, 'no JSON')).toBeUndefined();
    expect(extractOutputValue({ path: 'a.b' }, '{"a":null}')).toBeUndefined();
    expect(extractOutputValue({ path: 'constructor' }, '{}')).toBeUndefined();
    expect(extractOutputValue({ pattern: '(\\d+)' }, 'none')).toBeUndefined();
  });
});
