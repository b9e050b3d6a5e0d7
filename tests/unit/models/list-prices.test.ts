import {
  modelWithListPrice,
  modelWithListPriceIfUnpriced,
  findListPriceOrNull,
  listUsedPrices,
  getListPrices,
} from '#core/models/list-prices.ts';
import { refuseBudgetWithoutPrices } from '#core/models/unpriced.ts';
import { describe, expect, test } from 'vitest';

const at = new Date('2026-11-23T00:00:00Z');
const openai = 'https://api.openai.com/v1';

describe('a published price', () => {
  test('is found by host and name, for dated versions of the model too', () => {
    const found = findListPriceOrNull({ baseUrl: openai, model: 'gpt-5.4-mini' }, at);
    expect(found?.prices).toEqual({
      promptPricePerMTok: 0.75,
      cachedPricePerMTok: 0.075,
      completionPricePerMTok: 4.5,
    });
    expect(found?.source.readOn).toBe('2026-06-22');
    expect(findListPriceOrNull({ baseUrl: openai, model: 'gpt-5.4-mini-2026-03-17' }, at)).toEqual(found);
    const claude = { baseUrl: 'https://api.anthropic.com/v1', model: 'claude-haiku-4-5-20251001' };
    expect(findListPriceOrNull(claude, at)?.prices.cacheWritePricePerMTok).toBe(1.25);
    const gemini = {
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
      model: 'models/gemini-3.5-flash',
    };
    expect(findListPriceOrNull(gemini, at)?.prices.completionPricePerMTok).toBe(9);
  });

  test.each([
    ['of another model', { baseUrl: openai, model: 'gpt-5.4-maxi' }],
    ['of a model whose name only begins alike', { baseUrl: openai, model: 'gpt-5.4-mini-preview' }],
    ['at another address', { baseUrl: 'https://gateway.example/v1', model: 'gpt-5.4-mini' }],
    ['at an address that only ends alike', { baseUrl: 'https://api.openai.com.example/v1', model: 'gpt-5.4-mini' }],
    ['at no address', { baseUrl: 'nowhere', model: 'gpt-5.4-mini' }],
  ])('%s is unknown', (_, model) => {
    expect(findListPriceOrNull(model, at)).toBeNull();
  });

  test('holds until its last day', () => {
    const flash = { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', model: 'gemini-3.8-flash' };
    const priceOn = (day: string) =>
      findListPriceOrNull(flash, new Date(`${day}T12:00:00Z`))?.prices.promptPricePerMTok;
    expect([priceOn('2026-12-31'), priceOn('2027-01-01')]).toEqual([0.75, 1.5]);
  });
});

test('every published price has a source and costs less from the cache than without', () => {
  for (const { models, promptPricePerMTok, cachedPricePerMTok, source, readOn } of getListPrices()) {
    expect(source, models.join()).toMatch(/^https:/);
    expect(readOn <= '2026-11-23', models.join()).toBe(true);
    expect(cachedPricePerMTok ?? 0, models.join()).toBeLessThanOrEqual(promptPricePerMTok);
  }
});

test('the price of a known model is that of the list on a leaderboard, whatever was given', () => {
  const given = {
    promptPricePerMTok: 0.000_001,
    completionPricePerMTok: 0,
    cachedPricePerMTok: 0,
    cacheWritePricePerMTok: 0,
  };
  const known = modelWithListPrice({ baseUrl: openai, model: 'gpt-5.4', ...given }, at);
  expect(known).toMatchObject({
    promptPricePerMTok: 2.5,
    completionPricePerMTok: 15,
    cachedPricePerMTok: 0.25,
    priceSource: { readOn: '2026-06-22' },
  });
  expect(known.cacheWritePricePerMTok).toBeUndefined();
  // Elsewhere the same name may be anything.
  const elsewhere = modelWithListPrice({ baseUrl: 'http://127.0.0.1:1/v1', model: 'gpt-5.4', ...given }, at);
  expect(elsewhere).toMatchObject({ ...given, priceSource: undefined });
});

test('a price that was given is kept, and a published one is named with its source', () => {
  const none = { promptPricePerMTok: 0, completionPricePerMTok: 0 };
  const given = modelWithListPriceIfUnpriced(
    { baseUrl: openai, model: 'gpt-5.4', promptPricePerMTok: 1, completionPricePerMTok: 0 },
    at,
  );
  const published = modelWithListPriceIfUnpriced({ baseUrl: openai, model: 'gpt-5.4', ...none }, at);
  const unknown = modelWithListPriceIfUnpriced({ baseUrl: 'http://127.0.0.1:1/v1', model: 'gpt-5.4', ...none }, at);
  expect(given.promptPricePerMTok).toBe(1);
  const used = listUsedPrices([
    { of: 'writer', model: given },
    { of: 'critic', model: published },
    { of: 'agent', model: unknown },
  ]);
  expect(used.map(({ of, source }) => [of, source?.readOn ?? null])).toEqual([
    ['writer', null],
    ['critic', '2026-06-22'],
  ]);
  expect(used[1]).toMatchObject({ promptPricePerMTok: 2.5, cachedPricePerMTok: 0.25, completionPricePerMTok: 15 });
  const named = [
    { name: 'the critic', model: published },
    { name: 'the agent', model: unknown },
  ];
  expect(refuseBudgetWithoutPrices(named, { costUsd: 1 })).toMatchObject({
    ok: false,
    problem: { detail: 'a budget of $1 bounds nothing: the agent has no price' },
  });
  expect(refuseBudgetWithoutPrices(named.slice(0, 1), { costUsd: 1 }).ok).toBe(true);
});
