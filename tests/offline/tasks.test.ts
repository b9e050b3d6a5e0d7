import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testCards } from './models-cards.ts';
import { fillIn, toolOf } from './models-support.ts';

const chain = ['time/today_date', 'time/week_number', 'calc/power_of', 'files/write_note'];
const toolsOf = (names: readonly string[]) =>
  names.flatMap((name) => {
    const card = testCards.get(name);
    return card === undefined ? [] : [toolOf(card)];
  });
const sound =
  'First, look up today\'s date, then find the calendar week for today\'s date, after that raise 2 to the power of the calendar week, and finally save "milk and bread" under the path "a.txt".';

const grades = z.object({
  solvabilityReason: z.string(),
  solvability: z.int().min(1).max(10),
  utilityReason: z.string(),
  utility: z.int().min(1).max(10),
  suggestions: z.array(z.string()),
});
const grade = (request: string, order: readonly string[] = chain) =>
  grades.parse(
    fillIn(testCards, 'offline-critic', 'task-quality', { tools: toolsOf(order), task: { request, chain: order } }, 1),
  );

describe('the offline critic of tasks', () => {
  it('keeps a task that says everything and whose steps build on each other', () => {
    const { solvability, utility, suggestions } = grade(sound);
    expect(solvability).toBeGreaterThanOrEqual(9);
    expect(utility).toBeGreaterThanOrEqual(5);
    expect(suggestions).toEqual([]);
  });

  it.each([
    ['a value that is missing', sound.replace('"milk and bread"', 'something')],
    ['a step that nothing asks for', sound.replace('after that raise 2 to the power of the calendar week, ', '')],
    ['the name of a tool', sound.replace('raise 2', 'use power_of to raise 2')],
  ])('rejects %s, with the reason', (_, request) => {
    const { solvability, solvabilityReason, suggestions } = grade(request);
    expect(solvability).toBeLessThan(9);
    expect(solvabilityReason).not.toBe('');
    expect(suggestions).not.toEqual([]);
  });

  it('rejects steps that have nothing to do with each other', () => {
    const { utility, utilityReason } = grade(
      'Look up today\'s date, and save "milk and bread" under the path "a.txt".',
      ['time/today_date', 'files/write_note'],
    );
    expect(utility).toBeLessThan(5);
    expect(utilityReason).toBe('0 of 2 steps use what an earlier one returns.');
  });
});

const reword = (request: string, kept: readonly string[], seed = 1): string =>
  z
    .object({ request: z.string() })
    .parse(
      fillIn(
        testCards,
        'offline-writer',
        'fuzzy-request',
        { request, tools: toolsOf(chain), kept, earlier: null },
        seed,
      ),
    ).request;

describe('the offline writer of fuzzy wordings', () => {
  it.each([1, 2, 3, 4, 5])('keeps every value and changes the words, with seed %i', (seed) => {
    const kept = ['milk and bread', 'a.txt', '2'];
    const fuzzy = reword(sound, kept, seed);
    for (const value of kept) expect(fuzzy).toContain(value);
    expect(fuzzy).not.toContain(sound);
  });

  it('keeps the words of a request that it does not understand', () => {
    const strange = 'Compose a sonnet on tides for "Ada" by the path "b.txt".';
    expect(reword(strange, ['Ada', 'b.txt'])).toContain(strange);
  });
});
