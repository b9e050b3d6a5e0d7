import { expect, test } from 'vitest';
import type { RuleId } from '#core/reports/check/rules.ts';
import { findingsOf, tool } from './listed.ts';

const text = (description: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'string',
  description,
  ...more,
});
const whole = (description: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'integer',
  description,
  ...more,
});

test.each<[RuleId, ReturnType<typeof tool>]>([
  ['description-tautological', tool('porto_berechnen', 'Berechnet das Porto.', { gramm: whole('Gewicht in Gramm.') })],
  ['description-vague', tool('porto_berechnen', 'Verschiedene Funktionen.')],
  ['description-vague', tool('recherche_recette', 'Outil utile pour diverses opérations.')],
  ['description-vague', tool('get_books', '处理数据。')],
  ['description-vague', tool('zakupki', 'Вспомогательный инструмент для данных.')],
  ['argument-unclear', tool('rechnung_holen', 'Holt die Rechnung samt Posten.', { modus: text('Der Modus.') })],
  ['argument-unclear', tool('get_books', '按书名查询馆藏图书。', { mode: text('模式') })],
  ['argument-unclear', tool('zakupki', 'Ищет закупки по слову.', { date: text('Дата.') })],
  [
    'values-contradicted',
    tool('zakupki', 'Ищет закупки.', { limit: whole('От 1 до 100.', { minimum: 1, maximum: 50 }) }),
  ],
  ['values-contradicted', tool('recettes', 'Liste les recettes.', { n: whole('10 par défaut.', { default: 20 }) })],
  [
    'example-refused',
    tool('get_animal', '名前と年齢を返します。', { id: text('番号(例: cat7)', { pattern: '^cat-[0-9]{2}$' }) }),
  ],
])('%s is found in %o', (rule, one) => {
  expect(findingsOf(rule, [one])).toHaveLength(1);
});

test.each<[RuleId, ReturnType<typeof tool>]>([
  ['description-vague', tool('get_animal', '動物を返します。')],
  ['description-vague', tool('porto_berechnen', 'Berechnet das Porto nach Gewicht.')],
  [
    'description-of-another-thing',
    tool('zustelltag', 'Sagt, ob an einem Tag in einem Gebiet die Post kommt.', { plz: text('Fünf Ziffern.') }),
  ],
  ['argument-unclear', tool('get_books', '按书名查询馆藏图书。', { date: text('日期，格式 YYYY-MM-DD。') })],
])('%s is not found in %o', (rule, one) => {
  expect(findingsOf(rule, [one])).toEqual([]);
});
