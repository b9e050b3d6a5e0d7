import { describe, expect, it } from 'vitest';

import { listCallsWithSuccessFlag, listCalledTools, valuePassingTransitions } from '#core/traces/tool-sequence.ts';
import { type Step, step } from '#core/traces/trace.ts';
import { makeStep } from '../../support/traces.ts';
import { distinctTransitions, transitionsOfSuccessfulCalls } from '#core/traces/transitions.ts';

let turns = 0;
/** A call in a turn of its own, or in the given one. */
const call = (
  tool: string,
  args: Record<string, unknown>,
  text: string,
  outcome: Step['outcome'] = 'success',
  turn = ++turns,
): Step =>
  step.parse(
    makeStep(tool, {
      arguments: args,
      outcome,
      text,
      sha256: 'a'.repeat(64),
      failure: outcome === 'failure' ? { source: 'undecided' } : null,
      turn,
    }),
  );

describe('the tool sequence and transitions of a trace', () => {
  const steps = [
    call('s/a', {}, ''),
    call('s/a', {}, ''),
    call('s/x', {}, '', 'failure'),
    call('s/b', {}, ''),
    call('nowhere', {}, '', 'failure'),
    call('s/a', {}, ''),
    call('s/b', {}, ''),
    call('s/c', {}, '', 'fault'),
  ];

  it('skip failed calls and repetitions of a tool, and list each transition once', () => {
    expect(distinctTransitions(transitionsOfSuccessfulCalls(listCallsWithSuccessFlag({ steps })))).toEqual([
      ['s/a', 's/b'],
      ['s/b', 's/a'],
    ]);
  });

  it('keep all calls in order of issue', () => {
    expect(listCalledTools({ steps })).toEqual(['s/a', 's/a', 's/x', 's/b', 'nowhere', 's/a', 's/b', 's/c']);
    expect(listCallsWithSuccessFlag({ steps }).map(({ ok }) => ok)).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('the transitions of calls that were issued together', () => {
  const issued = (...turns: string[][]) =>
    turns.flatMap((tools, index) => tools.map((tool) => ({ tool, ok: !tool.startsWith('!'), turn: index + 1 })));
  const pairsOf = (...turns: string[][]) =>
    transitionsOfSuccessfulCalls(issued(...turns)).map((pair) => pair.join(' '));

  it('are none among the calls of one turn', () => {
    expect(pairsOf(['a', 'b', 'c'])).toEqual([]);
  });

  it('lead from each call of a turn to each call of the next', () => {
    expect(pairsOf(['a'], ['b', 'c'], ['d'])).toEqual(['a b', 'a c', 'b d', 'c d']);
    expect(pairsOf(['a', 'b'], ['b', 'c'])).toEqual(['a b', 'a c', 'b c']);
  });

  it('do not depend on the order in which the calls of a turn were written', () => {
    expect(pairsOf(['b', 'a'], ['d', 'c']).toSorted()).toEqual(pairsOf(['a', 'b'], ['c', 'd']).toSorted());
  });

  it('skip failed calls, and turns in which every call failed', () => {
    expect(pairsOf(['a', '!x'], ['!y', '!z'], ['b'])).toEqual(['a b']);
  });

  it('are the neighbours if every turn has one call, or no turn is known', () => {
    expect(pairsOf(['a'], ['b'], ['c'])).toEqual(['a b', 'b c']);
    expect(transitionsOfSuccessfulCalls(['a', 'b', 'c'].map((tool) => ({ tool, ok: true })))).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });

  it('pass only values that were known when they were issued', () => {
    const steps = [
      call('s/find', {}, 'id: alpha7', 'success', 1),
      call('s/list', {}, 'id: beta8', 'success', 1),
      call('s/read', { id: 'alpha7' }, 'text: gamma9', 'success', 2),
      call('s/copy', { text: 'gamma9' }, '', 'success', 2),
      call('s/send', { id: 'alpha7' }, '', 'success', 3),
    ];
    expect(valuePassingTransitions({ steps }, 'do it')).toEqual([
      ['s/find', 's/read'],
      ['s/read', 's/send'],
      ['s/copy', 's/send'],
    ]);
  });
});

describe('the values passed in a trace', () => {
  const passes = (value: unknown, result: string, request = 'do it'): boolean =>
    valuePassingTransitions({ steps: [call('s/a', {}, result), call('s/b', { x: value }, '')] }, request).length > 0;

  it.each([
    { name: 'a word of the result', value: 'alpha7', result: 'id: alpha7.', passed: true },
    { name: 'in other letter case', value: 'ALPHA7', result: 'id: alpha7', passed: true },
    { name: 'nested', value: { deep: [{ id: 'alpha7' }] }, result: '{"id":"alpha7"}', passed: true },
    { name: 'a number', value: 42.5, result: '{"mean":42.5}', passed: true },
    { name: 'a number in a list', value: 42, result: '[41,42,43]', passed: true },
    { name: 'a part of a word', value: 'alpha', result: 'alphabet', passed: false },
    { name: 'a part of a number', value: 42, result: '142', passed: false },
    { name: 'the whole part of a number', value: 42, result: '42.5', passed: false },
    { name: 'the fraction of a number', value: 42, result: '0.42', passed: false },
    { name: 'a number at the end of a sentence', value: 42, result: 'It is 42.', passed: true },
    { name: 'a later occurrence that stands alone', value: 'alpha', result: 'alphabet, alpha', passed: true },
    { name: 'a single character', value: 'a', result: 'a', passed: false },
    { name: 'a digit', value: 7, result: '7', passed: false },
    { name: 'a boolean', value: true, result: 'true', passed: false },
    { name: 'null', value: null, result: 'null', passed: false },
    { name: 'text with quotes inside JSON', value: '<a b="c">\n', result: '{"svg":"<a b=\\"c\\">"}', passed: true },
    { name: 'a Chinese name inside a sentence', value: '红烧肉', result: '今天做红烧肉吃', passed: true },
    { name: 'a phrase', value: 'two words', result: 'here: two words!', passed: true },
  ])('are found for $name: $passed', ({ value, result, passed }) => {
    expect(passes(value, result)).toBe(passed);
  });

  it('exclude values of the request', () => {
    expect(passes('Paris', '{"city":"Paris"}', 'Weather in paris, please')).toBe(false);
    expect(passes('Paris', '{"city":"Paris"}', 'Weather for parisians')).toBe(true);
  });

  it('come from any earlier success, but not from a failure, the call itself or a later call', () => {
    const steps = [
      call('s/a', {}, 'token-99'),
      call('s/b', {}, 'nothing'),
      call('s/broken', {}, 'token-77', 'failure'),
      call('s/c', { x: 'token-99' }, 'token-55'),
      call('s/d', { x: 'token-77', y: 'token-33' }, 'token-33'),
      call('s/d', { x: 'token-55' }, ''),
    ];
    expect(valuePassingTransitions({ steps }, '')).toEqual([['s/b', 's/c']]);
  });

  it('work with calls whose arguments are not an object', () => {
    const odd = { ...call('s/b', {}, ''), arguments: null };
    expect(valuePassingTransitions({ steps: [call('s/a', {}, 'x1'), odd] }, '')).toEqual([]);
  });
});
