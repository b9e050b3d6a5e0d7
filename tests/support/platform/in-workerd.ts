import { afterAll, expect } from 'vitest';
import { allowStraying } from './invocation.ts';
import { callPartsThroughObjects } from './parts.ts';
import { forget, seen } from './ledger.ts';

allowStraying();
callPartsThroughObjects();

// For every test file: the Worker and its tests share an isolate, and so the record of broken rules.
afterAll(() => {
  const { breaches } = seen();
  forget();
  expect(breaches).toEqual([]);
});
