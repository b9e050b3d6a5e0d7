import { describe, expect, it } from 'vitest';
import { scoreCallSuccess } from '#core/scoring/call-success.ts';
import { scoreDependencies } from '#core/scoring/dependencies.ts';
import { scoreValidArguments } from '#core/scoring/valid-arguments.ts';
import { scoreValidNames } from '#core/scoring/valid-names.ts';
import type { Step } from '#core/traces/trace.ts';
import { stepFrom } from './steps.ts';

const formed = (form: NonNullable<Step['form']>, written = 's/a'): Step => ({ ...stepFrom(written), form });

describe('the validity of names', () => {
  it('is the share of calls that named a mounted tool', () => {
    const steps = [formed('fits'), formed('violates', 's/a!'), formed('no-tool', 'none!'), formed('unchecked')];
    expect(scoreValidNames(steps)).toMatchObject({ value: 0.75, parts: { named: 3, calls: 4 } });
  });

  it('is unknown without calls, and for traces of releases that did not note it', () => {
    expect(scoreValidNames([])).toMatchObject({ value: null, reason: 'no-calls' });
    expect(scoreValidNames([formed('fits'), stepFrom('s/a')])).toMatchObject({
      value: null,
      reason: 'earlier-release',
    });
  });
});

describe('the validity of arguments', () => {
  it('is the share of calls of mounted tools that satisfy the schema; what could not be checked counts as valid', () => {
    const steps = [formed('fits'), formed('violates'), formed('unchecked'), formed('fits'), formed('no-tool', 'x!')];
    expect(scoreValidArguments(steps)).toMatchObject({ value: 0.75, parts: { violations: 1, unchecked: 1 } });
  });

  it('is unknown where no call named a mounted tool', () => {
    expect(scoreValidArguments([formed('no-tool', 'x!')])).toMatchObject({ value: null, reason: 'no-calls' });
    expect(scoreValidArguments([stepFrom('s/a')])).toMatchObject({ value: null, reason: 'earlier-release' });
  });
});

describe('the success of calls', () => {
  it('is what the fault density leaves', () => {
    const steps = ['s/a', 's/b!', 's/c~', 's/d', 's/e?'].map((written) => stepFrom(written));
    expect(scoreCallSuccess({ steps })).toMatchObject({ value: 0.5, parts: { succeeded: 2 } });
    expect(scoreCallSuccess({ steps: [] })).toMatchObject({ value: null, reason: 'no-calls' });
  });
});

describe('compliance with dependencies', () => {
  const chain = ['s/find', 's/open'];
  const origins = [{ step: 2, argument: 'id', source: { kind: 'field', step: 1, field: 'id' } } as const];
  const find = { ...stepFrom('s/find', 1), text: '{"id": "K-77", "n": 7}' };
  const open = (id: unknown, turn = 2): Step => ({ ...stepFrom('s/open', turn), arguments: { id } });
  const score = (...steps: Step[]) => scoreDependencies(chain, origins, steps);

  it('is kept by a value that an earlier call returned', () => {
    expect(score(find, open('k-77'))).toMatchObject({ value: 1, parts: { kept: 1, decided: 1 } });
    expect(score(find, open(7))).toMatchObject({ value: 1 });
    expect(score(find, open('K-99'), open('K-77', 3))).toMatchObject({ value: 1 });
  });

  it('is broken by another value, by a call of the same turn, by a failed giver and by no call at all', () => {
    expect(score(find, open('K-7'))).toMatchObject({ value: 0 });
    expect(score(find, open('K-77', 1))).toMatchObject({ value: 0 });
    expect(score({ ...stepFrom('s/find!', 1), text: 'no K-77' }, open('K-77'))).toMatchObject({ value: 0 });
    expect(score(find)).toMatchObject({ value: 0, parts: { decided: 1 } });
  });

  it('is undecided where the trace does not keep the whole result, and where texts show no value', () => {
    expect(score({ ...find, truncated: true }, open('K-99'))).toMatchObject({ value: null, reason: 'no-dependencies' });
    expect(score(find, open(true))).toMatchObject({ value: null, reason: 'no-dependencies' });
  });

  it('is unscored where the unit states none', () => {
    expect(scoreDependencies(chain, [], [find, open('K-77')])).toMatchObject({
      value: null,
      reason: 'no-dependencies',
    });
  });

  it('finds the argument by the beginning of its path', () => {
    const deep = origins.map((origin) => ({ ...origin, argument: 'items[].id' }));
    const call = { ...stepFrom('s/open', 2), arguments: { items: [{ id: 'K-77' }] } };
    expect(scoreDependencies(chain, deep, [find, call])).toMatchObject({ value: 1 });
  });
});
