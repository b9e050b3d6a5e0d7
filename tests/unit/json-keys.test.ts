import { expect, test } from 'vitest';
import { findDuplicateKey } from '#core/values/json-keys.ts';

test.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', null],
  ['{"a":"b","b":"a","c":"a:\\"a\\":{"}', null],
  ['[1,2,"a","a",{"a":"a"}]', null],
  ['"a"', null],
  ['{"a":1,"a":1}', 'a'],
  ['{"a":{"b":[{"c":1 , "d":2,\n"c" : 3}]}}', 'c'],
  ['{"name":"Evil","n\\u0061me":"real"}', 'name'],
  ['{"":1,"":2}', ''],
  ['{"a\\"b":1,"x":{},"a\\"b":2}', 'a"b'],
])('the first duplicate key of %s is %s', (json, key) => {
  JSON.parse(json);
  expect(findDuplicateKey(json)).toBe(key);
});
