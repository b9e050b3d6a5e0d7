import { describe, expect, it } from 'vitest';
import { scoreChainCompletion } from '#core/scoring/chain.ts';
import type { ArgumentOrigin } from '#core/units/answers.ts';
import { traceOf } from './steps.ts';

const chain = ['s/a', 's/b', 's/c'];
/** A step takes a value from an earlier one. */
const passed = (from: number, to: number): ArgumentOrigin => ({
  step: to,
  argument: 'x',
  source: { kind: 'field', step: from, field: 'y' },
});
const stated: ArgumentOrigin = { step: 2, argument: 'x', source: { kind: 'span', text: 'seven' } };
const score = (origins: readonly ArgumentOrigin[], ...trace: readonly string[]) =>
  scoreChainCompletion(chain, origins, traceOf(...trace).steps);

describe('the chain', () => {
  it.each([
    { name: 'the order of the chain', trace: ['s/a', 's/b', 's/c'], value: 1 },
    { name: 'another order where no value passes', trace: ['s/c', 's/a', 's/b'], value: 1 },
    { name: 'an order in which the value cannot have passed', trace: ['s/b', 's/a', 's/c'], value: 0 },
    { name: 'a second call after the value was there', trace: ['s/b', 's/a', 's/c', 's/b'], value: 1 },
    { name: 'detours and a failure that was repaired', trace: ['s/x', 's/a', 's/b!', 's/c', 's/y', 's/b'], value: 1 },
    { name: 'a value of a call that failed', trace: ['s/a!', 's/b', 's/c'], value: 0 },
    { name: 'a tool that only failed', trace: ['s/a', 's/b', 's/c!'], value: 0 },
    { name: 'nothing', trace: [], value: 0 },
  ])('gives $value for $name', ({ trace, value }) => {
    expect(score([passed(1, 2), stated], ...trace).value).toBe(value);
  });

  it('is 0 for the expected calls with empty arguments, which servers refuse', () => {
    expect(score([], 's/a!', 's/b!', 's/c!')).toMatchObject({ value: 0, parts: { succeeded: 0, expected: 3 } });
  });

  it('counts a step whose source did not succeed as not succeeded', () => {
    expect(score([passed(1, 2), passed(2, 3)], 's/b', 's/c', 's/a')).toMatchObject({
      value: 0,
      parts: { succeeded: 1, expected: 3 },
    });
  });

  it('wants as many successes of a tool as the chain has', () => {
    const twice = ['s/find', 's/open', 's/find'];
    const origins = [passed(1, 2), passed(2, 3)];
    const of = (...trace: readonly string[]) => scoreChainCompletion(twice, origins, traceOf(...trace).steps).value;
    expect(of('s/find', 's/open', 's/find')).toBe(1);
    expect(of('s/find', 's/open')).toBe(0);
    expect(of('s/find', 's/find', 's/open')).toBe(0);
  });

  it('gives the earlier of two calls of a tool to the step that others depend on', () => {
    const pair = ['s/find', 's/find', 's/open'];
    expect(scoreChainCompletion(pair, [passed(2, 3)], traceOf('s/find', 's/open', 's/find').steps).value).toBe(1);
  });

  it('ignores a source that does not precede its step', () => {
    expect(score([passed(3, 2), passed(2, 2)], 's/a', 's/b', 's/c').value).toBe(1);
  });

  it('is unscored for a unit that expects nothing', () => {
    expect(scoreChainCompletion([], [], traceOf('s/a').steps)).toMatchObject({ value: null, reason: 'no-chain' });
  });
});
