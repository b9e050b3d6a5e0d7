import { expect, test } from 'vitest';
import { criticLines } from '../../client/display/critic-lines.ts';

test('a critic that is the writer of the units is named, and another model is not', () => {
  const choice = (model: string) => ({ baseUrl: 'https://models.test/v1', model });
  const models = { writer: choice('a\u001b'), critic: choice('a\u001b'), agent: choice('b') };
  expect(criticLines({ models, criticIsWriter: true })).toEqual([
    "The critic audited its own units: a is the writer's model too.",
  ]);
  expect(criticLines({ models, criticIsWriter: false })).toEqual([]);
});
