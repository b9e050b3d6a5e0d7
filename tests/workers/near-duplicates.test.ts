import { expect, test } from 'vitest';
import { decideDuplicate } from '#core/similarity/near-duplicates.ts';
import { foreignContentWords } from '#core/similarity/foreign-words.ts';

test('workerd knows where words end in scripts without spaces', () => {
  expect(foreignContentWords('พยากรณ์อากาศที่เชียงใหม่')).toContain('เชียงใหม่');
  expect(foreignContentWords('札幌の天気')).toEqual(['札幌', '天気']);
  const tools = ['weather/forecast'];
  const of = (place: string) => ({ text: `พยากรณ์อากาศพรุ่งนี้ที่${place}เป็นอย่างไร`, tools });
  expect(decideDuplicate(of('เชียงใหม่'), of('ภูเก็ต'), 1)).toMatchObject({ duplicate: false, reason: 'entity-differs' });
});
