import { describe, expect, test } from 'vitest';
import {
  findInheritance,
  findKnots,
  findUpwardImports,
  foldersWithoutKnots,
  importsInside,
  readImports,
} from '../../scripts/structure.ts';

const imports = readImports();

describe('the plan of the house holds', () => {
  test('a room of the core imports only the rooms below it', () => {
    expect(findUpwardImports(imports)).toEqual([]);
  });

  test('no file imports itself through others, types included', () => {
    expect(findKnots(imports)).toEqual([]);
  });

  test.each(foldersWithoutKnots)('the folders in %s form no knot', (folder) => {
    expect(findKnots(importsInside(imports, folder))).toEqual([]);
  });

  test('no class extends a class of ours, errors excepted', () => {
    expect(findInheritance(imports.keys())).toEqual([]);
  });
});

describe('a breach of the plan is named', () => {
  test('an import that leads upwards, with both files', () => {
    const breach = new Map([
      ['src/core/values/random.ts', ['src/core/units/unit.ts']],
      ['src/core/units/unit.ts', ['src/core/values/random.ts']],
    ]);
    expect(findUpwardImports(breach)).toEqual(['src/core/values/random.ts -> src/core/units/unit.ts']);
    expect(findUpwardImports(new Map([['src/core/lost.ts', ['src/core/ports.ts']]]))).toEqual([
      'src/core/lost.ts -> src/core/ports.ts',
    ]);
  });

  test('a knot, with all of its files', () => {
    const knotted = new Map([
      ['a/1.ts', ['b/2.ts']],
      ['b/2.ts', ['c/3.ts', 'd/4.ts']],
      ['c/3.ts', ['a/1.ts']],
      ['d/4.ts', []],
    ]);
    expect(findKnots(knotted)).toEqual([['a/1.ts', 'b/2.ts', 'c/3.ts']]);
    expect(findKnots(importsInside(knotted, '.'))).toEqual([['a', 'b', 'c']]);
  });
});
