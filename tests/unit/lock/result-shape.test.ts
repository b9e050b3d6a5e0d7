import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listShapeDifferences, shapeOfValues } from '#core/reports/lock/result-shape.ts';

test('the form of results is the types of their parts, whatever the values are', () => {
  const first = { id: 'a', at: '2026-01-01', tags: ['x'], place: { lat: 1 } };
  const second = { id: 'b', at: '2026-01-02', tags: [], place: { lat: 2 }, note: null };
  expect(shapeOfValues([first, second])).toEqual({
    at: 'string',
    id: 'string',
    'note?': 'null',
    place: 'object',
    'place.lat': 'number',
    result: 'object',
    tags: 'list',
    'tags[]?': 'string',
  });
});

test('any value has the form that was made of it', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }), (values) => {
      const shape = shapeOfValues(values);
      for (const value of values) expect(listShapeDifferences(shape, shapeOfValues([value]))).toEqual([]);
    }),
  );
});

test('what is gone, new, or of another type is named, and what a list never showed is not', () => {
  const shape = shapeOfValues([{ id: 1, name: 'a', rows: [] }]);
  expect(listShapeDifferences(shape, shapeOfValues([{ id: '1', rows: [{ x: 1 }], more: true }]))).toEqual([
    '"name" is gone',
    '"id" is string now, and was number',
    '"more" is new',
  ]);
  expect(listShapeDifferences(shape, shapeOfValues(['nothing']))).toContain('"result" is string now, and was object');
});

test('keys that are data are no fields', () => {
  const shape = shapeOfValues([{ '2026-01-01': 5, '2026-01-02': 6 }]);
  expect(listShapeDifferences(shape, shapeOfValues([{ '2027-03-04': 7 }]))).toEqual([]);
  expect(listShapeDifferences(shape, shapeOfValues([{ '2027-03-04': 'seven' }]))).toEqual([
    '"*" is string now, and was number',
  ]);
});
