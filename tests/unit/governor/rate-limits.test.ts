import { describe, expect, test } from 'vitest';
import { findWaitMsInMessage, parseToldLimits, parseWaitMs } from '#core/models/governor/rate-limits.ts';

const now = Date.parse('2026-11-23T09:00:00Z');
const told = (headers: Record<string, string>, asked?: number) =>
  parseToldLimits((name) => new Headers(headers).get(name), asked, now);

describe('a wait', () => {
  test.each([
    ['1s', 1_000],
    ['6m0s', 360_000],
    ['120ms', 120],
    ['7.66s', 7_660],
    ['1h2m3s', 3_723_000],
    ['37s', 37_000],
    ['2', 2_000],
    ['0', 0],
    ['2026-11-23T09:00:07Z', 7_000],
    ['2026-11-23T08:00:00Z', 0],
    [String(now / 1_000 + 5), 5_000],
    [String(now + 5_000), 5_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseWaitMs(text, now)).toBeCloseTo(ms, 6);
  });

  test.each(['', 'soon', '-1', 'NaN', '6m0', 'Infinity', null, undefined])('cannot be read from %s', (text) => {
    expect(parseWaitMs(text, now)).toBeUndefined();
  });

  test.each([
    [
      'Rate limit reached for gpt-5.4 in organization org-x on tokens per min (TPM). Please try again in 6m0s.',
      360_000,
    ],
    ['Please retry in 37.212s.', 37_212],
    ['Please try again in 20ms. Visit https://', 20],
    ['try again later', undefined],
  ])('is found in %j', (message, ms) => {
    expect(findWaitMsInMessage(message)).toBe(ms);
  });
});

describe('the limits of an endpoint', () => {
  test('are read as OpenAI writes them', () => {
    expect(
      told({
        'x-ratelimit-limit-requests': '60',
        'x-ratelimit-limit-tokens': '150000',
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-remaining-tokens': '149984',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-reset-tokens': '6m0s',
      }),
    ).toEqual({
      requests: { limit: 60, remaining: 59, resetMs: 1_000 },
      tokens: { limit: 150_000, remaining: 149_984, resetMs: 360_000 },
    });
  });

  test('are read as Anthropic writes them', () => {
    expect(
      told({
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-11-23T09:00:12Z',
      }),
    ).toEqual({ requests: { limit: 50, remaining: 0, resetMs: 12_000 } });
  });

  test('are read as gateways write them', () => {
    const headers = {
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '3',
      'x-ratelimit-reset': String(now + 9_000),
    };
    expect(told(headers)).toEqual({ requests: { limit: 20, remaining: 3, resetMs: 9_000 } });
  });

  test('are passed over where they are incomplete or impossible', () => {
    const headers = { 'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-reset-requests': '1s' };
    expect(told({ ...headers, 'x-ratelimit-remaining-tokens': '5' })).toEqual({});
  });

  test('include a pause of at most a day', () => {
    expect(told({}, 1_500)).toEqual({ pauseMs: 1_500 });
    expect(told({}, 1e12)).toEqual({ pauseMs: 86_400_000 });
  });
});
