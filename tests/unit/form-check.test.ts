import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { evaluationCase } from '#core/evaluation/case.ts';
import { compileSchemaCheck } from '#core/values/form-check.ts';
import { syntheticCase, syntheticUnit } from '../../bench/results/synthetic.ts';
import { begun, chain, finished } from './evaluation/cases.ts';

const others: readonly unknown[] = [undefined, null, true, '', 'other', 0, -1, 1.5, Number.NaN, 2 ** 60, [], [1], {}];

/** A value with each part of it, however deep, replaced by each of the others. */
function* spoilt(value: unknown): Generator {
  yield* others;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value))
    for (const part of spoilt(Reflect.get(value, key))) {
      const copy: unknown = structuredClone(value);
      if (typeof copy === 'object' && copy !== null) Reflect.set(copy, key, part);
      yield copy;
    }
}

const cases = [
  begun(),
  finished({ unit: 'u', agent: 'a', trial: 2 }, { tools: chain }, { tools: null }),
  syntheticCase(syntheticUnit(1), 'agent', 1, 20),
];

describe('the form check', () => {
  it.each(cases)('accepts case $id, and of its mutations exactly those that the schema accepts', (each) => {
    const isCase = compileSchemaCheck(evaluationCase);
    expect(isCase(each)).toBe(true);
    const tried = [...spoilt(each)].map((value) => ({ value, taken: evaluationCase.safeParse(value).success }));
    expect(tried.filter(({ taken }) => !taken).length).toBeGreaterThan(100);
    expect(tried.filter(({ value, taken }) => isCase(value) !== taken)).toEqual([]);
  });

  it.each([
    ['a bound', z.number().min(1)],
    ['a length', z.array(z.number()).max(1)],
    ['no unknown key', z.strictObject({ a: z.number() })],
    ['an optional key', z.object({ a: z.string().optional() })],
    ['an optional literal', z.object({ a: z.literal(true).optional() })],
    ['an optional bound', z.object({ a: z.int().min(2).optional() })],
    ['a format', z.object({ a: z.email() })],
    ['a narrow integer', z.int32()],
    ['one of several forms', z.union([z.array(z.literal(1)), z.object({ a: z.boolean() })])],
    ['values of any key', z.record(z.string(), z.number())],
    ['values of keys of a form', z.record(z.string().regex(/^a$/), z.number())],
  ])('validates a value against %s', (_, schema) => {
    const holds = compileSchemaCheck<unknown>(schema);
    const values = [...others, { a: 1 }, { a: true }, { a: 'x' }, { a: 'x@example.org' }, { a: 1, b: 2 }, [1, 1]];
    expect(values.map(holds)).toEqual(values.map((value) => schema.safeParse(value).success));
    expect(new Set(values.map(holds)).size).toBe(2);
  });
});
