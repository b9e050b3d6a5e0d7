import { describe, expect, it } from 'vitest';
import { addGroundingCounts, countUnitsByGrounding, noGrounding } from '#core/units/grounding-counts.ts';
import { listClaimedFacts, listUsedFacts, findClaimProblemOrNull, type FactUsed } from '#core/units/grounding.ts';
import type { FactUse } from '#core/units/answers.ts';
import { after, audited, begun, pair, paired, passage, searched, searchFailed, written } from './units.ts';

const text = 'Évora lies 135 km east of Lisbon; its temple was built in 1912 for B12 and holds 1.5 tonnes.';

const claim = (changes: Partial<FactUsed> = {}): FactUsed => ({
  ...passage('p1', text),
  relevance: 0.95,
  name: 'Évora',
  settles: 'The town of that name that lies 135 km east of Lisbon',
  quote: 'lies 135 km east of Lisbon',
  ...changes,
});

const requests = { source: 'What is the weather in Évora?', followUp: 'évora: will it rain?' };

describe('an objection to a claim', () => {
  it('is not raised to a valid one, in any letter case and spacing', () => {
    expect(findClaimProblemOrNull(claim(), requests)).toBeNull();
    expect(findClaimProblemOrNull(claim({ quote: 'LIES  135 km\neast of lisbon' }), requests)).toBeNull();
    expect(findClaimProblemOrNull(claim({ settles: 'It is near Lisbon.' }), requests)).toBeNull();
  });

  it.each([
    ['the source does not say the name', { ...requests, source: 'What is the weather?' }],
    ['the follow-up does not say the name', { ...requests, followUp: 'Will it rain?' }],
    ['a request has it only within a word', { ...requests, followUp: 'Évorans: will it rain?' }],
  ])('is raised if %s', (_, said) => {
    expect(findClaimProblemOrNull(claim(), said)).toBe('not both requests say "Évora"');
  });

  it.each([
    ['lies 136 km east of Lisbon', 'a quote that is not in the passage'],
    ['ast of Lisbon', 'a quote that begins within a word'],
    [' ', 'a quote that says nothing'],
  ])('is raised to "%s": %s', (quote) => {
    expect(findClaimProblemOrNull(claim({ quote }), requests)).toBe('the passage does not say what is quoted from it');
  });

  it('is raised if the passage is about something else', () => {
    const said = { source: 'What is the weather in Faro?', followUp: 'Faro: will it rain?' };
    expect(findClaimProblemOrNull(claim({ name: 'Faro' }), said)).toBe('the passage is not about "Faro"');
  });

  it('is raised to a name that says nothing', () => {
    expect(findClaimProblemOrNull(claim({ name: '  ' }), requests)).toBe('not both requests say "  "');
  });

  it.each([
    ['It lies 136 km away', '136'],
    ['It lies 35 km away', '35'],
    ['It was built in 19', '19'],
    ['It holds 5 tonnes', '5'],
    ['It holds 1 tonne', '1'],
    ['It holds 1.50 tonnes', '1.50'],
    ['It lies in Spain', 'Spain'],
    ['It lies in Lis', 'Lis'],
    ['It is not far from Óbidos', 'Óbidos'],
    ['It was built for B13', 'B13'],
    ['It is a town. It lies near Porto', 'Porto'],
  ])('is raised to "%s": the passage does not have %s', (settles, foreign) => {
    expect(findClaimProblemOrNull(claim({ settles }), requests)).toBe(`the passage does not have "${foreign}"`);
  });

  it.each(['It was built in 1912 for B12', 'It holds 1.5 tonnes.', 'Portugal has it. There it is.'])(
    'is not raised to "%s", because the first word of a sentence has a capital anyway',
    (settles) => {
      expect(findClaimProblemOrNull(claim({ settles }), requests)).toBeNull();
    },
  );

  it('does not depend on the similarity of the vectors', () => {
    expect(findClaimProblemOrNull(claim({ score: -1 }), requests)).toBeNull();
    expect(findClaimProblemOrNull(claim({ score: 1, settles: 'It lies in Spain' }), requests)).not.toBeNull();
  });
});

const { name, settles, quote } = claim();
const use = (changes: Partial<FactUse> = {}): FactUse => ({
  passage: 1,
  relevance: 0.9,
  use: { name, settles, quote },
  ...changes,
});

describe('a claim of the writer', () => {
  const claimed = (...facts: readonly FactUse[]) =>
    listClaimedFacts({ facts: [passage('p1', text), passage('p2', text)], pair: { ...requests, facts } });

  it('refers to its passage by position, counted from 1', () => {
    expect(claimed(use(), use({ passage: 2 })).map(({ id, passage: place }) => [id, place])).toEqual([
      ['p1', 1],
      ['p2', 2],
    ]);
    expect(claimed(use({ passage: 3 }))).toEqual([]);
  });

  it('needs a relevance of 0.9 and a use', () => {
    expect(claimed(use({ relevance: 0.899 }))).toEqual([]);
    expect(claimed(use({ use: null }))).toEqual([]);
    expect(claimed(use({ relevance: 1 }))).toHaveLength(1);
  });
});

describe('the facts that count as used', () => {
  const grounded = (facts: readonly FactUse[], verdict: 'needed' | 'unneeded' | 'unsupported' = 'needed') =>
    after(begun(), [
      written(),
      searched(passage('p1', text), passage('p2', text)),
      paired({ ...requests, facts: [...facts] }),
      audited(70, { facts: [{ passage: 1, verdict, why: '' }] }),
    ]);

  it('are claimed, valid by their words, and needed by the critic', () => {
    expect(listUsedFacts(grounded([use()]))).toEqual([{ ...claim(), relevance: 0.9 }]);
    expect(listUsedFacts(grounded([use()], 'unneeded'))).toEqual([]);
    expect(listUsedFacts(grounded([use()], 'unsupported'))).toEqual([]);
    expect(listUsedFacts(grounded([use({ passage: 2 })]))).toEqual([]);
    expect(listUsedFacts(grounded([use({ relevance: 0.5 })]))).toEqual([]);
    expect(listUsedFacts(grounded([use({ use: { name, quote, settles: 'It lies in Spain' } })]))).toEqual([]);
  });

  it('are none before an audit or without a pair', () => {
    expect(listUsedFacts(begun())).toEqual([]);
    expect(
      listUsedFacts(after(begun(), [written(), searched(passage('p1', text)), paired({ facts: [use()] })])),
    ).toEqual([]);
  });

  it('are those of the last audit and the current wording', () => {
    const refined = after(grounded([use()]), [
      {
        kind: 'refinement',
        answer: { ok: true, value: { ...requests, arguments: [] }, calls: [] },
      },
    ]);
    expect(listUsedFacts(refined)).toHaveLength(1);
    expect(listUsedFacts(after(refined, [audited(70)]))).toEqual([]);
    const withoutName = { source: 'Where?', followUp: 'Where to?', arguments: pair().arguments };
    const lost = after(grounded([use()]), [
      { kind: 'refinement', answer: { ok: true, value: withoutName, calls: [] } },
      audited(70, { facts: [{ passage: 1, verdict: 'needed', why: '' }] }),
    ]);
    expect(listUsedFacts(lost)).toEqual([]);
  });

  it('are counted next to searches and failures', () => {
    const failed = after(begun(), [written(), searchFailed]);
    const counts = countUnitsByGrounding([begun(), failed, grounded([use()]), grounded([])]);
    expect(counts).toEqual({ searched: 3, grounded: 1, failed: 1 });
    expect(addGroundingCounts(counts, addGroundingCounts(noGrounding, counts))).toEqual({
      searched: 6,
      grounded: 2,
      failed: 2,
    });
  });
});
