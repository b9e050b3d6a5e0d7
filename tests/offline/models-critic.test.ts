import { describe, expect, it } from 'vitest';
import { testCards } from './models-cards.ts';
import { auditForm, fillIn, gradeOf, refinementForm, toolOf } from './models-support.ts';

const chain = ['time/today_date', 'time/week_number', 'calc/power_of', 'files/write_note'];
const tools = chain.flatMap((name) => {
  const card = testCards.get(name);
  return card === undefined ? [] : [toolOf(card)];
});
const sound = {
  source:
    'First, look up today\'s date, then find the calendar week for today\'s date, after that raise 2 to the power of the calendar week, and finally save "milk and bread" under the path "a.txt".',
  followUp:
    'I need a few things done: check what day it is; after that tell me which week of the year today\'s date falls in; next exponentiate 2 by the calendar week; and to finish, put "milk and bread" into a file called "a.txt". Thanks!',
};

const audit = (pair: { source: string; followUp: string }, order = chain): ReturnType<typeof auditForm.parse> =>
  auditForm.parse(fillIn(testCards, 'offline-critic', 'audit', { tools, pair: { ...pair, chain: order } }, 1));

describe('the offline critic', () => {
  it('accepts a sound pair without objections', () => {
    const verdict = audit(sound);
    expect(verdict.issues).toEqual([]);
    expect(gradeOf(verdict)).toBeGreaterThanOrEqual(92);
  });

  it.each([
    ['a value that is missing', sound.followUp.replace('"milk and bread"', 'something'), 'missing-parameter'],
    ['a value that differs', sound.followUp.replace('exponentiate 2', 'exponentiate 3'), 'semantic-mismatch'],
    ['a string that differs', sound.followUp.replace('milk and bread', 'milk and butter'), 'semantic-mismatch'],
    ['a lost clause', sound.followUp.replace('next exponentiate 2 by the calendar week; ', ''), 'semantic-mismatch'],
    ['a leaked tool name', sound.followUp.replace('Thanks!', 'Use power_of for it.'), 'hallucination'],
    ['an errand of its own', sound.followUp.replace('Thanks!', 'Book a quiet hotel room in Lisbon.'), 'hallucination'],
    [
      'a reference to nothing',
      sound.followUp.replace('check what day it is; after that ', '').replace("today's date", 'the winning number'),
      'missing-parameter',
    ],
  ] as const)('finds %s', (_, followUp, type) => {
    const verdict = audit({ ...sound, followUp });
    expect(gradeOf(verdict)).toBeLessThan(80);
    expect(verdict.issues.map((issue) => issue.type)).toContain(type);
    expect(verdict.suggestions).not.toEqual([]);
  });

  it('finds steps that are out of order', () => {
    expect(gradeOf(audit(sound, chain.toReversed()))).toBeLessThan(80);
  });

  it('accepts a chain that names a tool twice, if both requests ask for it twice', () => {
    const [more, other] = ['; and raise 3 to the power of 4.', '; also exponentiate 3 by 4. Thanks!'];
    const twice = {
      source: sound.source.replace(/\.$/u, more),
      followUp: sound.followUp.replace('. Thanks!', other),
    };
    const again = [...chain, 'calc/power_of'];
    expect(gradeOf(audit(twice, again))).toBeGreaterThanOrEqual(90);
    expect(gradeOf(audit(twice, chain))).toBeLessThan(80);
    expect(gradeOf(audit(sound, again))).toBeLessThan(80);
  });

  it('has minor doubts about a vague reference and about nearly equal requests', () => {
    const vague = audit({ ...sound, followUp: sound.followUp.replace("today's date falls", 'the result falls') });
    const same = audit({ source: sound.source, followUp: `Please: ${sound.source}` });
    for (const verdict of [vague, same]) {
      expect(gradeOf(verdict)).toBeGreaterThanOrEqual(80);
      expect(gradeOf(verdict)).toBeLessThan(90);
    }
  });

  it('survives a malformed pair', () => {
    const verdict = auditForm.parse(fillIn(testCards, 'offline-critic', 'audit', { tools, pair: 'nothing' }, 1));
    expect(gradeOf(verdict)).toBeLessThan(80);
  });
});

const refine = (pair: { source: string; followUp: string }): ReturnType<typeof refinementForm.parse> =>
  refinementForm.parse(
    fillIn(testCards, 'offline-writer', 'refinement', { tools, pair: { ...pair, chain }, diagnosis: audit(pair) }, 1),
  );

const without = (text: string): string => text.replace('"milk and bread"', 'the usual one');

describe('the offline refiner', () => {
  it.each([
    ['missing value', sound.followUp.replace('"milk and bread"', 'the usual one')],
    ['different value', sound.followUp.replace('exponentiate 2', 'exponentiate 3')],
    ['lost clause', sound.followUp.replace('next exponentiate 2 by the calendar week; ', '')],
    ['vague reference', sound.followUp.replace("today's date falls", 'the result falls')],
  ])('repairs a %s from the other request', (_, followUp) => {
    const mended = refine({ ...sound, followUp });
    expect(gradeOf(audit(mended))).toBeGreaterThanOrEqual(90);
    expect(mended.source).not.toEqual(mended.followUp);
    expect(mended.arguments).toContainEqual({ step: 4, argument: 'path', source: { kind: 'span', text: 'a.txt' } });
    expect(mended.arguments).toContainEqual({
      step: 3,
      argument: 'exponent',
      source: { kind: 'field', step: 2, field: 'calendar week' },
    });
  });

  it('cannot repair what neither request says', () => {
    const mended = refine({ source: without(sound.source), followUp: without(sound.followUp) });
    expect(gradeOf(audit(mended))).toBeLessThan(80);
  });
});
