import { describe, expect, it } from 'vitest';
import {
  admitShare,
  findRunOfUnverifiedShareTokenOrNull,
  parseShareText,
  shareText,
} from '#core/access/share/shared-run.ts';

const endsAt = 1_800_000_000;
const share = { workspace: 'main', run: 'evl_01abc', endsAt, revocations: 2 };
const before = endsAt * 1_000 - 1;

const admit = (path: string, { method = 'GET', nowMs = before, run = share.run } = {}) =>
  admitShare({ ...share, run }, { method, path }, nowMs);

describe('what a share says', () => {
  it('cannot be read as another share', () => {
    expect(parseShareText(shareText(share))).toEqual(share);
    for (const text of [
      'main.evl_1',
      'main.evl_1.zz',
      'main.evl_1.0x10.0',
      'main.evl_1.-5.0',
      'main.evl_1.zz.-1',
      'main.evl_1.zz.x!',
      'main.bm_1.zz.0',
      'main.evl_1.zz.0.evl_2',
      'main.evl_1/x.zz.0',
      'main.evl_1.Z.0',
    ])
      expect(parseShareText(text), text).toBeNull();
  });
});

describe('a share', () => {
  it.each(['', '/events', '/cases', '/cases/u.a.01', '/tools', '/results', '/results/units', '/compare'])(
    'reads %s of its evaluation',
    (part) => {
      expect(admit(`/v1/evaluations/evl_01abc${part}`)).toEqual({
        ok: true,
        value: {
          workspace: 'main',
          key: 'share-evl_01abc',
          scopes: ['read'],
          shared: { run: 'evl_01abc', revocations: 2 },
        },
      });
    },
  );

  it.each(['', '/events', '/units', '/units/r0001-u01', '/tools', '/transitions', '/richness'])(
    'reads %s of its exploration',
    (part) => {
      expect(admit(`/v1/explorations/exp_1${part}`, { run: 'exp_1' }).ok).toBe(true);
    },
  );

  it.each([
    '/v1/evaluations',
    '/v1/evaluations/evl_02',
    '/v1/evaluations/evl_01abcd',
    '/v1/explorations/evl_01abc',
    '/v1/evaluations/evl_01abc/export',
    '/v1/evaluations/evl_01abc/inspect-log',
    '/v1/evaluations/evl_01abc/traces',
    '/v1/evaluations/evl_01abc/labels',
    '/v1/evaluations/evl_01abc/writes',
    '/v1/evaluations/evl_01abc/report',
    '/v1/servers',
    '/v1/keys',
    '/v1/benchmarks/bm_1/units',
    '/v2/evaluations/evl_01abc',
    '/evaluations/evl_01abc',
    '//v1/evaluations/evl_01abc',
  ])('does not read %s', (path) => {
    expect(admit(path)).toEqual({
      ok: false,
      problem: { code: 'forbidden', detail: 'the link shows evl_01abc and can do nothing else' },
    });
  });

  it.each(['POST', 'DELETE', 'PATCH', 'HEAD', 'PUT'])('cannot %s', (method) => {
    expect(admit('/v1/evaluations/evl_01abc', { method }).ok).toBe(false);
  });

  it('ends at its time, and says when that was', () => {
    expect(admit('/v1/evaluations/evl_01abc', { nowMs: endsAt * 1_000 })).toEqual({
      ok: false,
      problem: { code: 'unauthorized', detail: 'the link ended at 2027-01-15T08:00:00.000Z; ask for a new one' },
    });
  });
});

it('the token of a share names its run, and no key does', () => {
  expect(findRunOfUnverifiedShareTokenOrNull('sxs_main.exp_01abc.tf3k2p.0.c2ln')).toBe('exp_01abc');
  for (const key of ['', 'sxt_0123', 'sxs_main', 'main.exp_1.a.b', 'sxs_main.bm_1.a.b'])
    expect(findRunOfUnverifiedShareTokenOrNull(key)).toBeNull();
});
