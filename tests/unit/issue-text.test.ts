import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueText } from '#core/values/issue-text.ts';

test.each([
  [z.int().min(1), 0, 'give a number of at least 1'],
  [z.int().max(5), 6, 'give a number of at most 5'],
  [z.number().gt(0), 0, 'give a number of more than 0'],
  [z.number().lt(1), 1, 'give a number of less than 1'],
  [z.string().min(1), '', 'give at least 1 character'],
  [z.string().max(3), 'four', 'give at most 3 characters'],
  [z.array(z.int()).min(2), [1], 'give at least 2 items'],
  [z.int(), 1.5, 'give a whole number'],
  [z.string(), 7, 'give a text'],
  [z.boolean(), 7, 'give true or false'],
  [z.object({ name: z.string() }), {}, 'is missing'],
  [z.enum(['a', 'b']), 'c', 'give one of "a", "b"'],
  [z.literal('a'), 'c', 'give "a"'],
  [z.strictObject({}), { nonsense: 1 }, 'there is no "nonsense"'],
  [z.string().min(3, 'a name has three letters'), 'x', 'a name has three letters'],
])('what is wrong with a value is said in our words: %#', (schema, value, words) => {
  const { error } = schema.safeParse(value);
  expect(error?.issues.map(issueText)).toEqual([words]);
});
