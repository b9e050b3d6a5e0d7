import { describe, expect, test } from 'vitest';
import { makeRandom } from '#core/values/random.ts';
import { drawSituation } from '#core/units/situation.ts';

const draw = (unit: string, languages: readonly string[] = ['English']) =>
  drawSituation(makeRandom(7, 'situation', unit, 1), languages);
const units = Array.from({ length: 500 }, (_, n) => `u${n}`);

describe('the situation of a task', () => {
  test('is the same each time for the same unit and seed', () => {
    expect(units.map((unit) => draw(unit))).toEqual(units.map((unit) => draw(unit)));
  });

  test('is rarely the same for two units', () => {
    const drawn = units.map((unit) => JSON.stringify(draw(unit)));
    expect(new Set(drawn).size).toBeGreaterThan(480);
  });

  test('uses every language that was asked for, and no other', () => {
    const languages = ['English', 'Deutsch', 'português'];
    expect(new Set(units.map((unit) => draw(unit, languages).language))).toEqual(new Set(languages));
  });
});
