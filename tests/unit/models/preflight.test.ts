import { describe, expect, test } from 'vitest';
import type { FaultCode } from '#core/models/faults.ts';
import {
  addLeftOutFunctionsToCheck,
  modelCheckText,
  findNearestNames,
  verdictAndDetailOfTrial,
  type ModelCheck,
  type Trial,
} from '#core/models/preflight.ts';
import { providerWordsWithoutSecretsOrNull } from '#core/models/quote-provider.ts';
import { noUsage } from '#core/models/usage.ts';

const fault = (code: FaultCode, status?: number): Trial => ({
  kind: 'fault',
  fault: { where: 'model', name: 'agent', code, detail: 'it broke', ...(status === undefined ? {} : { status }) },
  tooManyFunctions: false,
  quoted: null,
});
const nothing = { offered: 0, tooMany: null };

describe('a test question', () => {
  test.each([
    ['http-status', 400, 'refused'],
    ['http-status', 401, 'refused'],
    ['http-status', 404, 'refused'],
    ['out-of-credit', 429, 'refused'],
    ['malformed-protocol', undefined, 'refused'],
    ['address-forbidden', undefined, 'refused'],
    ['unreachable', undefined, 'unreachable'],
    ['rate-limited', 429, 'unclear'],
    ['http-status', 503, 'unclear'],
    ['timeout', undefined, 'unclear'],
  ] as const)('that ended with %s and status %j says that the model is %s', (code, status, verdict) => {
    expect(verdictAndDetailOfTrial(fault(code, status), nothing).verdict).toBe(verdict);
  });

  test('that was answered without the call that it asked for works, and says so', () => {
    const answered = { kind: 'answered', called: false } as const;
    expect(verdictAndDetailOfTrial(answered, { offered: 3, tooMany: null })).toEqual({
      verdict: 'works',
      detail: 'it was asked to call a function, and called none',
    });
    expect(verdictAndDetailOfTrial(answered, nothing).detail).toBeNull();
    expect(verdictAndDetailOfTrial(answered, { offered: 0, tooMany: 'fall-back' }).detail).toContain(
      'prompted-calling',
    );
  });

  test('that did not fit into the window is no reason to refuse: it is what attempts will come to', () => {
    expect(verdictAndDetailOfTrial({ kind: 'overflowed' }, { offered: 90, tooMany: null })).toEqual({
      verdict: 'works',
      detail: 'its window is too small for the longest list of tools, with 90',
    });
  });
});

test('a refusal names the roles, the model, the host, the reason and the nearest listed names', () => {
  const check: ModelCheck = {
    roles: ['the writer', 'the critic'],
    kind: 'form',
    model: 'gpt-5.5-mni',
    host: 'api.openai.com',
    wire: 'chat',
    verdict: 'refused',
    detail: 'HTTP status 404',
    structuredOutput: null,
    functions: null,
    adaptations: [],
    listed: false,
    nearest: findNearestNames('gpt-5.5-mni', ['whisper-1', 'gpt-5.5', 'gpt-5.5-mini', 'o4']).slice(0, 2),
    priced: false,
    usage: noUsage,
  };
  expect(modelCheckText(check)).toBe(
    'the writer, the critic: gpt-5.5-mni at api.openai.com cannot be used: HTTP status 404. Its endpoint does not list it, but gpt-5.5-mini, gpt-5.5.',
  );
});

describe("a provider's words", () => {
  test.each([
    ['Incorrect API key provided: sk-proj-abc*****wxyz.', 'Incorrect API key provided: [hidden]'],
    ['key my-own-secret is revoked', 'key [hidden] is revoked'],
    ['in organization org-AbCdEf123 on tokens', 'in organization [hidden] on tokens'],
    ['at https://x.example/v1?key=AAA&b=1', 'at https://x.example/v1?key=[hidden]&b=1'],
    ['Bearer eyJhbGciOi is expired', '[hidden] is expired'],
    ['The model `gpt-5.4-mini-2026-03-05` does not exist', 'The model `gpt-5.4-mini-2026-03-05` does not exist'],
    ["Invalid 'tools': array too long.\n Expected 128", "Invalid 'tools': array too long. Expected 128"],
  ])('%s are shown as %s', (words, shown) => {
    expect(providerWordsWithoutSecretsOrNull(words, 'my-own-secret')).toBe(shown);
  });

  test('are one line of at most 300 characters, or nothing', () => {
    expect(providerWordsWithoutSecretsOrNull('word '.repeat(1_000), '')?.length).toBe(303);
    expect(providerWordsWithoutSecretsOrNull(' \n\t', 'k')).toBeNull();
    expect(providerWordsWithoutSecretsOrNull(undefined, 'k')).toBeNull();
  });
});

test('functions that a model is not offered are counted, and five of them named', () => {
  const leftOut = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (name) => ({ name, reason: 'keyword', pointer: '/anyOf' }) as const,
  );
  const works = { verdict: 'works', detail: null } as const;
  expect(addLeftOutFunctionsToCheck(works, leftOut, 20).detail).toBe(
    'it does not take 6 of 20 tools as functions, which are left out: a, b, c, d, e, ...',
  );
  expect(addLeftOutFunctionsToCheck({ ...works, detail: 'slow' }, leftOut.slice(0, 1), 2).detail).toMatch(
    /^slow; .*: a$/,
  );
  expect(addLeftOutFunctionsToCheck(works, [], 2)).toEqual(works);
});
