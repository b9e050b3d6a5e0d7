import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { decideDuplicate } from '#core/similarity/near-duplicates.ts';
import { contentWordsByLanguageRules } from '#core/similarity/foreign-words.ts';
import { unique } from '../support/workspace.ts';

test('workerd knows where words end in scripts without spaces', () => {
  expect(contentWordsByLanguageRules('พยากรณ์อากาศที่เชียงใหม่')).toContain('เชียงใหม่');
  expect(contentWordsByLanguageRules('札幌の天気')).toEqual(['札幌', '天気']);
  const tools = ['weather/forecast'];
  const of = (place: string) => ({ text: `พยากรณ์อากาศพรุ่งนี้ที่${place}เป็นอย่างไร`, tools });
  expect(decideDuplicate(of('เชียงใหม่'), of('ภูเก็ต'), 1)).toMatchObject({ duplicate: false, reason: 'entity-differs' });
});

test('a calibration that separates the pairs replaces an unfit one of an earlier release, and stays', async () => {
  const directory = env.DIRECTORY.getByName('directory');
  const name = unique('embedder');
  const unfit = { model: 'e', meaning: 0.1, f1: 0.5, f1ByWords: 0.9, separates: false };
  const first = { ...unfit, meaning: 0.6, f1: 0.95, separates: true };
  expect(await directory.keepFirstEmbedderCalibration(name, unfit)).toEqual(unfit);
  expect(await directory.keepFirstEmbedderCalibration(name, first)).toEqual(first);
  for (const later of [{ ...first, meaning: 0.7 }, unfit])
    expect(await directory.keepFirstEmbedderCalibration(name, later)).toEqual(first);
});
