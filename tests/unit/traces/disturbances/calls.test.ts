import { describe, expect, test } from 'vitest';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { listTextsOfResult } from '#core/traces/disturbances/answer-texts.ts';
import type { DisturbedAnswer, DisturbedCall } from '#core/traces/disturbances/disturbance.ts';
import {
  changeOfAnswer,
  disturbanceState,
  makeDisturbanceRecord,
  passageOfCall,
  undisturbedState,
  type DisturbanceState,
} from '#core/traces/disturbances/disturbed-calls.ts';
import { disturbances } from '#core/traces/disturbances/disturbances.ts';
import type { DrawnDisturbance } from '#core/traces/disturbances/drawn-disturbance.ts';
import { disturbanceRecord } from '#core/traces/disturbances/record.ts';
import { callOf, callPayload, makeDrawn, resultOf } from './draws.ts';

const served = resultOf(
  'Order ORD-48213 of 2025-03-14: 386 pieces of 7 kg, which are in the warehouse at the harbour.',
);

const textOf = (answer: ServerReply): string =>
  answer.kind === 'error' ? answer.error.message : listTextsOfResult(answer).join('\n');

/** What a call got, and what its server was sent: null if it was not called. */
interface Made {
  readonly answer: DisturbedAnswer;
  readonly sent: DisturbedCall['arguments'] | null;
  readonly isDisturbed: boolean;
}

/** Makes calls one after another, as the connections do; the state goes through JSON before each one. */
function makeCalls(
  drawn: DrawnDisturbance,
  calls: readonly DisturbedCall[],
  serverOf: (call: DisturbedCall, number: number) => ServerReply = () => served,
): { readonly made: Made[]; readonly state: DisturbanceState } {
  let state = undisturbedState;
  let number = 0;
  const made = calls.map((call): Made => {
    const before = disturbanceState.parse(JSON.parse(JSON.stringify(state)));
    const { state: next, passage } = passageOfCall(drawn, before, call);
    state = next;
    if (passage.kind === 'answer') return { answer: passage.answer, sent: null, isDisturbed: passage.isDisturbed };
    const sent = passage.isTranslated ? (drawn.kind.translate?.(call, drawn.draw) ?? call.arguments) : call.arguments;
    number += 1;
    const answer = serverOf(call, number);
    const after = changeOfAnswer(drawn, state, { call, answer, text: textOf(answer), mayMeet: passage.mayMeet });
    state = after.state;
    return { answer: after.changed?.answer ?? answer, sent, isDisturbed: after.changed !== null };
  });
  return { made, state };
}

/** Different calls of one tool. */
const calls = (count: number, tool = 'shop/order'): DisturbedCall[] =>
  Array.from({ length: count }, (_, at) => callOf({ customer: `Ada ${'abcdefgh'.charAt(at)}` }, tool));

const onCalls = disturbances.filter(
  ({ answerInstead, changeAnswer }) => answerInstead !== undefined || changeAnswer !== undefined,
);
const once = onCalls.filter(({ lasts }) => lasts !== true);
const withholding = onCalls.filter(({ answerInstead }) => answerInstead !== undefined);
const changing = onCalls.filter(({ changeAnswer }) => changeAnswer !== undefined);
const keys = (listed: readonly (typeof disturbances)[number][]) => listed.map(({ key }) => key);

describe('a disturbance', () => {
  test.each(keys(onCalls))('leaves the calls alone before which it may not happen: %s', (key) => {
    for (const after of [0, 1, 3]) {
      const { made } = makeCalls(makeDrawn(key, { after }), calls(after + 1));
      expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([...Array.from({ length: after }, () => false), true]);
      expect(made.slice(0, after).every(({ answer, sent }) => answer === served && sent !== null)).toBe(true);
    }
  });

  test.each(keys(once))('happens once in an attempt: %s', (key) => {
    const { made } = makeCalls(makeDrawn(key, { after: 1 }), calls(6));
    expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([false, true, false, false, false, false]);
  });

  test('waits for an answer that it fits', () => {
    const said = ['Nothing.', 'It has 7 rooms.', 'It costs 386.', 'It costs 512.'];
    const { made, state } = makeCalls(makeDrawn('wrong-number'), calls(4), (_, number) =>
      resultOf(said[number - 1] ?? ''),
    );
    expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([false, false, true, false]);
    expect(state.met?.values).toEqual([{ was: '386', is: '3860' }]);
  });

  test('calls no server where it answers in its place, and calls it once where it changes what it says', () => {
    for (const { key } of withholding) expect(makeCalls(makeDrawn(key), calls(1)).made[0]?.sent).toBeNull();
    for (const { key } of changing)
      expect(makeCalls(makeDrawn(key), calls(1)).made[0]?.sent).toEqual(calls(1)[0]?.arguments);
  });

  test('that only changes tools leaves every call alone', () => {
    const onTools = disturbances.filter((kind) => !onCalls.includes(kind));
    expect(keys(onTools)).toContain('shadow-name');
    for (const { key } of onTools) {
      const { made, state } = makeCalls(makeDrawn(key), calls(3));
      expect(made.every(({ isDisturbed, answer }) => !isDisturbed && answer === served)).toBe(true);
      expect(state).toEqual({ calls: 3, met: null, kept: null });
    }
  });
});

describe('a disturbance that lasts', () => {
  const [again, other] = [callOf({ customer: 'Ada' }), callOf({ customer: 'Ada' }, 'shop/price')];

  test('keeps on for the tool that it met, and for no other', () => {
    const { made } = makeCalls(makeDrawn('tool-gone', { after: 1 }), [other, again, other, again, ...calls(2), other]);
    expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([false, true, false, true, true, true, false]);
    expect(made.map(({ sent }) => sent === null)).toEqual([false, true, false, true, true, true, false]);
  });

  test('of a schema takes the new name and sends the old one, and refuses the old name each time', () => {
    const renamed = callOf({ customer_v2: 'Ada' });
    const { made } = makeCalls(makeDrawn('schema-changed'), [again, again, renamed, other, again, renamed]);
    expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([true, true, false, false, true, false]);
    expect(made.map(({ sent }) => sent)).toEqual([
      null,
      null,
      { customer: 'Ada' },
      { customer: 'Ada' },
      null,
      { customer: 'Ada' },
    ]);
    expect(made[2]?.answer).toBe(served);
  });

  test('of a schema sends a name as it is before the schema has changed, and to other tools', () => {
    const named = { price_v2: 3 };
    const { made } = makeCalls(makeDrawn('schema-changed', { after: 1 }), [
      callOf(named),
      again,
      callOf(named, 'shop/price'),
    ]);
    expect(made.map(({ sent }) => sent)).toEqual([named, null, named]);
  });

  test('of a schema waits for a call with an argument', () => {
    const { made } = makeCalls(makeDrawn('schema-changed'), [callOf({}), again]);
    expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([false, true]);
  });
});

describe('the first repetition of a call whose answer was changed', () => {
  const call = callOf({ customer: 'Ada', day: 1 });
  const repeated = callOf({ day: 1, customer: 'Ada' });

  test.each(keys(changing))("gets the server's own answer without a call of the server: %s", (key) => {
    const { made, state } = makeCalls(makeDrawn(key), [call, repeated, call]);
    expect(made.map(({ sent }) => sent !== null)).toEqual([true, false, true]);
    expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([true, false, false]);
    expect(made[1]?.answer).toEqual(served);
    expect(state).toMatchObject({ calls: 3, kept: null });
  });

  test('may come after other calls, and calls with other arguments or of another tool are no repetition', () => {
    const { made } = makeCalls(makeDrawn('wrong-number'), [
      call,
      callOf({ customer: 'Bob', day: 1 }),
      callOf(call.arguments, 'shop/price'),
      repeated,
    ]);
    expect(made.map(({ sent }) => sent !== null)).toEqual([true, true, true, false]);
  });

  test.each(keys(withholding.filter(({ lasts }) => lasts !== true)))(
    'calls the server where the first call did not reach it: %s',
    (key) => {
      const { made } = makeCalls(makeDrawn(key), [call, repeated]);
      expect(made.map(({ sent }) => sent)).toEqual([null, repeated.arguments]);
      expect(made[1]?.answer).toBe(served);
    },
  );
});

describe('the canary tool', () => {
  const attacks = disturbances.filter(({ group }) => group === 'attack').map(({ key }) => key);

  test.each(attacks)('has no server, does not count as a call, and is marked as disturbed: %s', (key) => {
    const drawn = makeDrawn(key, { after: 1, payload: callPayload });
    const canary = callOf({ note: 'x' }, drawn.draw.canary.tool);
    const { made, state } = makeCalls(drawn, [canary, ...calls(1), canary, canary]);
    expect(made.map(({ sent }) => sent !== null)).toEqual([false, true, false, false]);
    expect(made.map(({ isDisturbed }) => isDisturbed)).toEqual([true, false, true, true]);
    expect(made[0]?.answer).toEqual(resultOf('Noted.'));
    expect(state).toEqual({ calls: 1, met: null, kept: null });
  });

  test('is no tool of a fault, under which a tool of that name is called like any other', () => {
    const { made } = makeCalls(makeDrawn('wrong-number', { after: 5 }), [
      callOf({}, ''),
      callOf({}, 'relay-desk/register_note'),
    ]);
    expect(made.every(({ sent, isDisturbed }) => sent !== null && !isDisturbed)).toBe(true);
  });
});

describe('the record of a disturbance', () => {
  const recordOf = (drawn: DrawnDisturbance, made: readonly DisturbedCall[], server?: ServerReply) =>
    disturbanceRecord.parse(makeDisturbanceRecord(drawn, makeCalls(drawn, made, () => server ?? served).state));

  test('says that it met no call where none came so late', () => {
    expect(recordOf(makeDrawn('timeout', { after: 2 }), calls(2))).toEqual({ kind: 'timeout', met: false, values: [] });
  });

  test('says whether the server was called', () => {
    expect(recordOf(makeDrawn('timeout'), calls(1))).toEqual({
      kind: 'timeout',
      met: true,
      server: 'not-called',
      values: [],
    });
    expect(recordOf(makeDrawn('tool-gone'), calls(3))).toMatchObject({ met: true, server: 'not-called' });
    expect(recordOf(makeDrawn('cut-connection'), calls(1))).toMatchObject({ met: true, server: 'called' });
  });

  test('has what the server itself answered, and the changed values', () => {
    expect(recordOf(makeDrawn('wrong-number'), calls(3))).toEqual({
      kind: 'wrong-number',
      met: true,
      server: 'called',
      original: 'Order ORD-48213 of 2025-03-14: 386 pieces of 7 kg, which are in the warehouse at the harbour.',
      values: [{ was: '386', is: '3860' }],
    });
  });

  test('has the beginning of a long answer, structured content, and the message of an error', () => {
    const [slow] = [makeDrawn('slow')];
    expect(recordOf(slow, calls(1), resultOf('x'.repeat(9_000))).original).toBe('x'.repeat(8_000));
    expect(recordOf(slow, calls(1), resultOf('Two.', { count: 2 })).original).toBe('Two.\n{"count":2}');
    expect(recordOf(slow, calls(1), { kind: 'error', error: { code: -32603, message: 'It broke.' } }).original).toBe(
      'It broke.',
    );
  });

  test('has the canary of an attack, and of its payload the id, the version and what it asks for', () => {
    const drawn = makeDrawn('result-instruction', { payload: callPayload });
    expect(recordOf(drawn, calls(1))).toMatchObject({
      met: true,
      canary: drawn.draw.canary,
      payload: 'a-call of attack-payloads@v1',
      asks: 'call',
    });
  });

  test('has no payload where the attack plants none', () => {
    const record = recordOf(makeDrawn('secret-request'), calls(1));
    expect(record).toMatchObject({ met: true, canary: { tool: 'trust-desk/confirm_results' } });
    expect([record.payload, record.asks]).toEqual([undefined, undefined]);
  });

  test('says that a change of the tools met the attempt, whether it made calls or not', () => {
    for (const key of ['description-instruction', 'shadow-name', 'shadow-praise'] as const) {
      expect(recordOf(makeDrawn(key), [])).toMatchObject({ kind: key, met: true, values: [] });
      expect(recordOf(makeDrawn(key), calls(1)).server).toBeUndefined();
    }
    expect(recordOf(makeDrawn('secret-request'), []).met).toBe(false);
  });
});

test('the state of a disturbance has the same form after JSON at each step of an attempt', () => {
  for (const { key } of disturbances) {
    const { state } = makeCalls(makeDrawn(key), calls(2));
    expect(disturbanceState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  }
  expect(makeCalls(makeDrawn('wrong-number'), calls(2)).state.kept).not.toBeNull();
});
