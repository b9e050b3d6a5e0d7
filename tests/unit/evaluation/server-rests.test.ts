import { describe, expect, it } from 'vitest';
import {
  restingServers,
  remainingRestOfChainMs,
  restsAfterAttempt,
  type ServerRests,
} from '#core/evaluation/server-rests.ts';

const fault = { where: 'server', name: 'slow', code: 'timeout', detail: 'no answer in time' } as const;
const late = { tool: 'slow/a', sha256: null, fault };
const answered = { tool: 'slow/b', sha256: 'f'.repeat(64), fault: null };
const elsewhere = { tool: 'fast/a', sha256: 'f'.repeat(64), fault: null };

describe('the rests of an evaluation', () => {
  it('last 2, 4, 8, 16 and then always 32 seconds while a server stays silent', () => {
    let rests: ServerRests = {};
    const lasted: number[] = [];
    for (let now = 0; lasted.length < 6; now = rests['slow']?.untilMs ?? 0) {
      rests = restsAfterAttempt(rests, [late, elsewhere], now);
      lasted.push((rests['slow']?.untilMs ?? 0) - now);
    }
    expect(lasted).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 32_000]);
  });

  it('do not grow by attempts that had begun before', () => {
    const once = restsAfterAttempt({}, [late, late], 0);
    expect(restsAfterAttempt(once, [late], 1_999)).toEqual(once);
    expect(restsAfterAttempt(once, [late], 2_000)).toEqual({ slow: { strikes: 2, untilMs: 6_000 } });
  });

  it('end with an answer, and start over if a server both answered and did not', () => {
    const rests: ServerRests = { slow: { strikes: 5, untilMs: 9_000 } };
    expect(restsAfterAttempt(rests, [answered], 1_000)).toEqual({});
    expect(restsAfterAttempt(rests, [answered, late], 1_000)).toEqual({ slow: { strikes: 1, untilMs: 3_000 } });
    expect(restsAfterAttempt(rests, [elsewhere], 1_000)).toEqual(rests);
  });

  it('do not follow from faults of a model or of our own', () => {
    const ours = { ...late, fault: { ...fault, where: 'service' as const } };
    expect(restsAfterAttempt({}, [ours], 0)).toEqual({});
  });

  it('do not follow from a server that is only described', () => {
    const described = { ...late, fault: { ...fault, code: 'not-connected' as const } };
    expect(restsAfterAttempt({}, [described], 0)).toEqual({});
  });

  it('concern the chains that call the server, until they are over', () => {
    const rests: ServerRests = { slow: { strikes: 1, untilMs: 3_000 }, lazy: { strikes: 1, untilMs: 5_000 } };
    expect(restingServers(rests, 3_000)).toEqual(['lazy']);
    expect(remainingRestOfChainMs(rests, ['fast/a', 'slow/a'], 1_000)).toBe(2_000);
    expect(remainingRestOfChainMs(rests, ['lazy/a', 'slow/a'], 1_000)).toBe(4_000);
    expect(remainingRestOfChainMs(rests, ['fast/a'], 1_000)).toBe(0);
    expect(remainingRestOfChainMs(rests, ['slow/a'], 4_000)).toBe(0);
  });
});
