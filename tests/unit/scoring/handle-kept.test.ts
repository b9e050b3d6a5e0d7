import { describe, expect, it } from 'vitest';
import { scoreHandleKept } from '#core/scoring/handle-kept.ts';
import type { Step } from '#core/traces/trace.ts';
import { stepFrom } from './steps.ts';

const call = (written: string, turn: number, args: Step['arguments'], text = ''): Step => ({
  ...stepFrom(written, turn),
  arguments: args,
  text,
});

const create = call('shop/create_basket', 1, {}, '{"basket_id": "b-4711", "items": []}');
const add = (turn: number, basket: unknown, written = 'shop/add_item'): Step =>
  call(written, turn, { basket_id: basket, item: 'tea' }, 'added');

const score = (steps: readonly Step[], request?: string) => scoreHandleKept(steps, request);

describe('the handles of an attempt', () => {
  it('are kept by calls that pass what an earlier call returned', () => {
    expect(score([create, add(2, 'b-4711'), add(3, 'b-4711')])).toMatchObject({
      value: 1,
      parts: { kept: 2, invented: 0, stale: 0 },
    });
  });

  it('are invented where neither a result nor the request has them, whether the server takes the call or not', () => {
    const steps = [create, add(2, 'b-4711'), add(3, 'basket-1'), add(4, 'b-1', 'shop/add_item!')];
    expect(score(steps)).toMatchObject({ value: 1 / 3, parts: { kept: 1, invented: 2 } });
  });

  it('say nothing if the request names them', () => {
    const steps = [create, add(2, 'b-0815')];
    expect(score(steps, 'Put tea into basket B-0815.')).toMatchObject({ value: null, reason: 'no-handles' });
  });

  it('cannot be known by a call of the same turn, by one before, or from a call that failed', () => {
    const failed = call('shop/create_basket!', 1, {}, 'basket_id: b-4711 exists');
    for (const steps of [
      [add(1, 'b-1'), create],
      [create, add(1, 'b-1')],
      [failed, add(2, 'b-1')],
    ])
      expect(score(steps)).toMatchObject({ value: null, reason: 'no-handles' });
  });

  it('belong to the server that returned them', () => {
    expect(score([create, add(2, 'b-1', 'other/add_item')])).toMatchObject({ value: null });
  });

  it('are undecided where a result was cut, unless the part that was kept has them', () => {
    const cut = { ...create, truncated: true };
    expect(score([cut, add(2, 'b-9')])).toMatchObject({ value: null, reason: 'no-handles' });
    expect(score([cut, add(2, 'b-4711')])).toMatchObject({ value: 1 });
  });

  it('are undecided where they were redacted', () => {
    expect(score([create, add(2, '[redacted]')])).toMatchObject({ value: null });
  });

  it('are all to be kept where a call passes several', () => {
    const list = call('shop/list_items', 1, {}, '[{"item_id": 71}, {"item_id": 72}]');
    const remove = (...ids: number[]) => call('shop/remove_items', 2, { itemIds: ids }, 'removed');
    expect(score([list, remove(71, 72)])).toMatchObject({ value: 1 });
    expect(score([list, remove(71, 73)])).toMatchObject({ value: 0, parts: { invented: 1 } });
  });

  it('are stale if the server replaced them and refuses the old one', () => {
    const renew = call('shop/renew_basket', 2, { basket_id: 'b-4711' }, '{"basket_id": "b-4712"}');
    const parts = { kept: 1, invented: 0, stale: 1 };
    expect(score([create, renew, add(3, 'b-4711', 'shop/add_item!')])).toMatchObject({ value: 0.5, parts });
    expect(score([create, renew, add(3, 'b-4711')])).toMatchObject({ value: 1 });
    expect(score([create, renew, add(3, 'b-4712', 'shop/add_item!')])).toMatchObject({ value: 1 });
  });
});

describe('the name of a handle', () => {
  const kept = (giver: Step, taker: Step) => score([giver, taker]).value;

  it.each([
    ['basketId', '{"basket_id": "b-4711"}'],
    ['basket-id', 'Your basketId is ready: basketId=b-4711.'],
    ['basket_id', '{\\"basket_id\\": \\"b-4711\\"}'],
    ['basket_id', 'basket_id: `b-4711`'],
  ])('may be written in any way: %s for %s', (name, text) => {
    const giver = call('shop/create', 1, {}, text);
    expect(kept(giver, call('shop/add', 2, { [name]: 'b-4711' }))).toBe(1);
    expect(kept(giver, call('shop/add', 2, { [name]: 'b-1' }))).toBe(0);
  });

  it('may leave to the tool what it is of, on either side', () => {
    const bare = call('shop/create_basket', 1, {}, '{"id": "b-4711"}');
    expect(kept(bare, call('shop/add', 2, { basket_id: 'b-1' }))).toBe(0);
    expect(kept(create, call('shop/get_basket', 2, { id: 'b-1' }))).toBe(0);
    expect(kept(bare, call('shop/get', 2, { id: 'b-1' }))).toBe(0);
    expect(kept(bare, call('shop/get_user', 2, { user_id: 'u-1' }))).toBeNull();
    expect(kept(create, call('shop/get_user', 2, { id: 'u-1' }))).toBeNull();
  });

  it('is none for other arguments', () => {
    expect(kept(create, call('shop/add', 2, { basket: 'b-1', valid: 'b-2' }))).toBeNull();
  });
});

describe('a short handle', () => {
  const three = call('shop/create_basket', 1, {}, '3 baskets; basket_id: 7');

  it('counts only under the name of a handle, because numbers stand in texts by chance', () => {
    expect(score([three, add(2, 7)])).toMatchObject({ value: 1 });
    expect(score([three, add(2, 3)])).toMatchObject({ value: 0 });
  });

  it('of four characters or more counts anywhere in a result of the server', () => {
    const told = call('shop/create_basket', 1, {}, 'basket_id: b-4711 replaces the basket b-0815');
    expect(score([told, add(2, 'b-0815')])).toMatchObject({ value: 1 });
  });
});

it('a text of the most that a trace keeps is read in no time, however it repeats', () => {
  const texts = ['a'.repeat(8_000), 'id: '.repeat(2_000), '"'.repeat(8_000), 'x_id'.repeat(2_000)];
  const begun = performance.now();
  for (const text of texts) score([call('shop/create', 1, {}, text), add(2, 'b-1')]);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
