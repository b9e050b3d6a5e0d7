import { expect, it } from 'vitest';
import { scoreMetamorphicConsistency } from '#core/scoring/mtc.ts';

const agreement = (
  source: readonly string[],
  followUp: readonly string[],
  categories: Readonly<Record<string, string>>,
) => scoreMetamorphicConsistency(source, followUp, new Map(Object.entries(categories))).parts;

it('tools of the category "other" agree in function only with themselves', () => {
  const maps = ['maps_weather', 'maps_geo', 'sequentialthinking'];
  const browser = ['browser_click', 'browser_close', 'xhs_auth_login'];
  const others = Object.fromEntries([...maps, ...browser].map((name) => [name, 'other']));
  expect(agreement(maps, browser, others)).toMatchObject({ sa: 0, so: 0, pa: 0, fa: 0 });
  expect(agreement(maps, maps, others)).toMatchObject({ sa: 1, so: 1, pa: 1, fa: 1 });
});

it('tools of one category agree in function, whatever their names', () => {
  expect(
    agreement(['a/get', 'a/add'], ['b/read', 'b/new'], {
      'a/get': 'read',
      'b/read': 'read',
      'a/add': 'create',
      'b/new': 'create',
    }),
  ).toMatchObject({
    sa: 0,
    fa: 1,
  });
});
