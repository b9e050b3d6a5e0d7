import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const capitals = /^\s*(?:export )?const [A-Z][A-Z0-9]*_?[A-Z0-9_]+\b.*$/gm;

test('constants of the product are written in camel case', () => {
  const files = globSync('{src,durable-objects,workflows,client}/**/*.ts');
  expect(files.length).toBeGreaterThan(400);
  const found = files.flatMap((file) => readFileSync(file, 'utf8').match(capitals) ?? []);
  expect(found).toEqual([]);
});
