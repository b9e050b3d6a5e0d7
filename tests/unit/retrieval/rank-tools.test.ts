import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fitByProductOfCosines,
  listBestFittingTools,
  computeRecallOrNull,
  fitByToolCosine,
} from '#core/similarity/retrieval/rank-tools.ts';

const maps = [1, 0, 0];
const files = [0, 1, 0];
const tools = [
  { name: 'maps/route', server: maps, tool: [0.8, 0, 0.6] },
  { name: 'files/route', server: files, tool: [0.9, 0.1, 0] },
  { name: 'files/read', server: files, tool: [0, 1, 0] },
];

const same = (vector: readonly number[]) => ({ server: vector, tool: vector });

describe('ranking of tools', () => {
  it('lets the server count besides the tool in the product', () => {
    const query = same([1, 0, 0]);
    expect(listBestFittingTools(query, tools, 2, fitByToolCosine).map(({ name }) => name)).toEqual([
      'files/route',
      'maps/route',
    ]);
    expect(listBestFittingTools(query, tools, 2, fitByProductOfCosines).map(({ name }) => name)).toEqual([
      'maps/route',
      'files/route',
    ]);
  });

  it('computes the product of both cosines and the larger one', () => {
    expect(fitByProductOfCosines(0.5, 0.8)).toBeCloseTo(0.32);
    expect(fitByProductOfCosines(0.8, 0.5)).toBeCloseTo(0.32);
  });

  it('gives a tool a negative product wherever a cosine is negative', () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true }).filter((value) => Math.abs(value) > 1e-3);
    fc.assert(
      fc.property(cosine, cosine, (one, other) => {
        expect(fitByProductOfCosines(one, other) < 0).toBe(one < 0 || other < 0);
      }),
    );
  });

  it('compares servers and tools with their own part of the query', () => {
    const query = { server: files, tool: [1, 0, 0] };
    expect(listBestFittingTools(query, tools, 1, fitByProductOfCosines).map(({ name }) => name)).toEqual([
      'files/route',
    ]);
  });

  it('leaves out tools that cannot be compared with the query', () => {
    expect(listBestFittingTools(same([1, 0]), tools, 5, fitByToolCosine)).toEqual([]);
    expect(listBestFittingTools(same([0, 0, 0]), tools, 5, fitByToolCosine)).toEqual([]);
  });
});

describe('recall', () => {
  it('is the share of the wanted tools among those found', () => {
    expect(computeRecallOrNull(new Set(['a', 'b']), new Set(['b', 'c']))).toBe(0.5);
  });

  it('is unknown where no tool is wanted', () => {
    expect(computeRecallOrNull(new Set(), new Set(['a']))).toBeNull();
  });
});
