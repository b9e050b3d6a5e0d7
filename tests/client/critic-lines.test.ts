import { expect, test } from 'vitest';
import { selfAuditWarningLines } from '../../client/display/critic-lines.ts';

test('a critic that is the writer of the units is named, and another model is not', () => {
  const choice = (model: string) => ({ baseUrl: 'https://models.test/v1', model });
  const models = { writer: choice('a\u001b'), critic: choice('a\u001b'), agent: choice('b') };
  expect(selfAuditWarningLines({ models, criticIsWriter: true })).toEqual([
    "The critic audited its own units: a is the writer's model too.",
  ]);
  expect(selfAuditWarningLines({ models, criticIsWriter: false })).toEqual([]);
});
