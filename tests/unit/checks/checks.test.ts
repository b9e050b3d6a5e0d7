import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, type Check, type Expectation, type Statement } from '#core/traces/checks/check.ts';
import {
  evaluateCheckAfterAttempt,
  decideWhetherResponseStatesValue,
  readValueThatResponseMustState,
} from '#core/traces/checks/evaluate-check.ts';
import { findBoxedValueAtPointer, isJsonPointer } from '#core/traces/checks/json-pointer.ts';
import { makeFaultIfCheckMayNotCallTool } from '#core/traces/checks/refuse-check.ts';
import type { ToolOutcome } from '#core/ports.ts';

const answer = (
  text: string,
  more: Partial<Extract<ToolOutcome, { kind: 'success' | 'error' }>> = {},
): ToolOutcome => ({
  kind: 'success',
  text,
  truncated: false,
  sha256: 'a'.repeat(64),
  ...more,
});
const broken: ToolOutcome = {
  kind: 'fault',
  fault: { where: 'server', name: 'disk', code: 'timeout', detail: 'no answer in time' },
};

type After = Extract<Check, { when: 'after' }>;
const after = (expect_: Expectation, more: Partial<After> = {}): After => ({
  when: 'after',
  tool: 'disk/read',
  arguments: {},
  expect: expect_,
  ...more,
});
const held = (expect_: Expectation, outcome: ToolOutcome, more: Partial<After> = {}): boolean | null =>
  evaluateCheckAfterAttempt(after(expect_, more), outcome).held;

describe('a check after the attempt', () => {
  it.each([
    [{ kind: 'equal', value: 'Hello' }, ' Hello\n', undefined, true],
    [{ kind: 'equal', value: 'Hello' }, 'hello', undefined, false],
    [{ kind: 'equal', value: { a: 1, b: [2] } }, '{"b":[2],"a":1}', '', true],
    [{ kind: 'equal', value: 2 }, '{"list":[1,2]}', '/list/1', true],
    [{ kind: 'equal', value: '2' }, '{"list":[1,2]}', '/list/1', false],
    [{ kind: 'contain', value: 'pend' }, 'status=pending', undefined, true],
    [{ kind: 'contain', value: { id: 7 } }, '{"open":[{"id":6},{"id":7}]}', '/open', true],
    [{ kind: 'contain', value: 'x' }, '{"open":{"x":1}}', '/open', false],
    [{ kind: 'match', pattern: '^v\\d+\\.\\d+$' }, 'v1.20', undefined, true],
    [{ kind: 'match', pattern: '^v\\d+$' }, 'v1.20', undefined, false],
    [{ kind: 'near', value: 0.2, tolerance: 0.1 }, '{"x":0.3}', '/x', true],
    [{ kind: 'near', value: 1200, tolerance: 0 }, '1,200', undefined, true],
    [{ kind: 'near', value: 1, tolerance: 5 }, 'about 1', undefined, false],
  ] as const)('decides %j of %j at %s as %s', (expected, text, at, holds) => {
    expect(held(expected, answer(text), at === undefined ? {} : { at })).toBe(holds);
  });

  it('does not hold where the result has nothing at the place', () => {
    expect(held({ kind: 'equal', value: 1 }, answer('{"a":1}'), { at: '/b' })).toBe(false);
  });

  it('reads structured content behind the texts of a result', () => {
    expect(held({ kind: 'equal', value: 5 }, answer('Found it:\n{"size":5}'), { at: '/size' })).toBe(true);
  });

  it.each([
    ['a server that gives no answer', broken],
    ['an answer of the protocol in place of the tool', answer('no such tool', { kind: 'error', code: -32602 })],
    ['an answer that violates its own schema', answer('bad', { kind: 'error', cause: 'environment' })],
    ["the tool's error, of which nobody says what it means", answer('ENOENT', { kind: 'error' })],
  ])('is unknown, not failed, for %s', (_, outcome) => {
    const result = evaluateCheckAfterAttempt(after({ kind: 'contain', value: 'x' }), outcome);
    expect(result.held).toBeNull();
    expect(result.why).not.toBe('');
  });

  it('does not hold at an error of the tool that it takes for a failure', () => {
    const missing = answer('ENOENT: no such file', { kind: 'error' });
    expect(held({ kind: 'equal', value: 'x' }, missing, { errorFails: true })).toBe(false);
    expect(held({ kind: 'equal', value: 'x' }, broken, { errorFails: true })).toBeNull();
  });

  it('takes a success whose text reports an error for an error', () => {
    expect(held({ kind: 'contain', value: 'not found' }, answer('Error: file not found'))).toBeNull();
  });

  it('is unknown where a result is cut, unless what it looks for is in the part that is there', () => {
    const cut = answer('abc', { truncated: true });
    expect(held({ kind: 'contain', value: 'b' }, cut)).toBe(true);
    expect(held({ kind: 'contain', value: 'z' }, cut)).toBeNull();
    expect(held({ kind: 'equal', value: 'abc' }, cut)).toBeNull();
  });

  it('is unknown where its pattern cannot be matched in bounded time', () => {
    expect(held({ kind: 'match', pattern: '(a)\\1' }, answer('aa'))).toBeNull();
    expect(held({ kind: 'match', pattern: '^(a+)+$' }, answer(`${'a'.repeat(5_000)}!`))).not.toBe(true);
  });

  it('never throws, whatever comes back', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (text, pointer, value) => {
        const at = isJsonPointer(pointer) ? { at: pointer } : {};
        const result = evaluateCheckAfterAttempt(after({ kind: 'contain', value }, at), answer(text));
        expect(result.why.length).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});

describe('a check before the attempt', () => {
  type Before = Extract<Check, { when: 'before' }>;
  const before = (state: Statement, at?: string): Before => ({
    when: 'before',
    tool: 'web/price',
    arguments: {},
    state,
    ...(at === undefined ? {} : { at }),
  });
  const stated = (state: Statement, text: string, response: string, at?: string): boolean | null => {
    const made = before(state, at);
    return decideWhetherResponseStatesValue(made, readValueThatResponseMustState(made, answer(text)), response).held;
  };

  it.each([
    ['Lisbon', 'It is LISBON today.', true],
    ['Lisbon', 'It is Lisbonne today.', false],
    ['12', 'It is 12.', true],
    ['12', 'It is 312.', false],
    ['12', 'It is 12.5.', false],
    ['1200', 'It costs 1,200.00 euro.', true],
    ['北京南', '车站是北京南站', true],
  ])('whose value is %j finds %j to state it: %s', (value, response, expected) => {
    expect(stated({ kind: 'contain' }, value, response)).toBe(expected);
  });

  it('allows a tolerance', () => {
    expect(stated({ kind: 'near', tolerance: 0.5 }, '{"p":20.1}', 'It is about 20.5 degrees.', '/p')).toBe(true);
    expect(stated({ kind: 'near', tolerance: 0.1 }, '{"p":20.1}', 'It is about 20.5 degrees.', '/p')).toBe(false);
    // A minus sign and narrow spaces as typesetters have them.
    expect(stated({ kind: 'near', tolerance: 0 }, '-4.17', 'It fell by \u22124.17 %.')).toBe(true);
    expect(stated({ kind: 'near', tolerance: 0 }, '4.17', 'It fell by \u22124.17 %.')).toBe(false);
    expect(stated({ kind: 'near', tolerance: 0 }, '12345', 'There are 12\u202F345.')).toBe(true);
  });

  it.each([
    ['{"p":{"q":1}}', '/p'],
    ['{"p":1}', '/q'],
    ['', undefined],
    ['not json', '/p'],
  ])('is unknown without a value to state: %j at %s', (text, at) => {
    expect(stated({ kind: 'contain' }, text, 'It is 1.', at)).toBeNull();
  });

  it('is unknown if the value for a tolerance is no number', () => {
    expect(stated({ kind: 'near', tolerance: 1 }, 'soon', 'It is 1.')).toBeNull();
  });

  it('holds for each value that a response consists of', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(stated({ kind: 'contain' }, String(value), `The value is ${value}.`)).toBe(true);
      }),
    );
  });
});

describe('a JSON Pointer', () => {
  it('finds members and items, also with escaped names, and nothing inherited', () => {
    const document = { 'a/b': [{ '~': 1 }], list: [null] };
    expect(findBoxedValueAtPointer(document, '/a~1b/0/~0')).toEqual({ value: 1 });
    expect(findBoxedValueAtPointer(document, '/list/0')).toEqual({ value: null });
    expect(findBoxedValueAtPointer(document, '/list/00')).toBeUndefined();
    expect(findBoxedValueAtPointer(document, '/list/length')).toBeUndefined();
    expect(findBoxedValueAtPointer(document, '/constructor')).toBeUndefined();
    expect(isJsonPointer('a/b')).toBe(false);
    expect(isJsonPointer('/a~2')).toBe(false);
  });
});

describe('the form of a check', () => {
  it('refuses what no result could decide', () => {
    const base = { when: 'after', tool: 'disk/read', arguments: {} };
    expect(check.safeParse({ ...base, expect: { kind: 'equal' } }).success).toBe(false);
    expect(check.safeParse({ ...base, expect: { kind: 'near', value: 1, tolerance: -1 } }).success).toBe(false);
    expect(check.safeParse({ ...base, at: 'x', expect: { kind: 'equal', value: 1 } }).success).toBe(false);
    expect(check.safeParse({ ...base, when: 'before', expect: { kind: 'equal', value: 1 } }).success).toBe(false);
    expect(check.safeParse({ ...base, expect: { kind: 'match', pattern: '(a)\\1' } }).success).toBe(false);
    expect(check.safeParse({ ...base, expect: { kind: 'equal', value: null } }).success).toBe(true);
  });
});

describe('the tool of a check', () => {
  const tool = (annotations?: Record<string, unknown>) => ({
    name: 'disk/wipe',
    server: 'disk',
    domain: 'office',
    category: 'write',
    inputSchema: {},
    ...(annotations === undefined ? {} : { annotations }),
  });

  it('is not called if it destroys, or if the benchmark lacks it', () => {
    expect(makeFaultIfCheckMayNotCallTool('disk/wipe', [tool()])).toBeNull();
    expect(
      makeFaultIfCheckMayNotCallTool('disk/wipe', [{ ...tool({ destructiveHint: true }), effect: 'reads' }]),
    ).toBeNull();
    expect(
      makeFaultIfCheckMayNotCallTool('disk/wipe', [tool({ destructiveHint: true, readOnlyHint: true })])?.kind,
    ).toBe('fault');
    expect(makeFaultIfCheckMayNotCallTool('disk/wipe', [tool({ destructiveHint: true })])?.kind).toBe('fault');
    expect(makeFaultIfCheckMayNotCallTool('disk/other', [tool()])?.kind).toBe('fault');
  });
});
