import { describe, expect, test } from 'vitest';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { Admission } from '#adapters/network/admission.ts';
import { findPlatformError, isObjectUnavailable, PlatformError } from '#adapters/network/platform-errors.ts';

const quoted = [
  'Too many subrequests.',
  'Too many subrequests by single Worker invocation. To configure this limit, refer to the documentation',
  'Response closed due to connection limit',
  'Worker exceeded CPU time limit.',
  'Durable Object exceeded its CPU time limit and was reset.',
  "Durable Object's isolate exceeded its memory limit and was reset.",
  'Aborting engine: Grace period complete',
  'Aborting engine: User called pause',
  'Durable Object reset because its code was updated.',
  'Internal error in Durable Object storage caused object to be reset.',
  'Durable Object storage operation exceeded timeout which caused object to be reset.',
  'Durable Object connection closed because the object was reset.',
  'Connection closed: this Durable Object instance is no longer active. Reconnect or retry the request.',
  'Cannot resolve Durable Object due to transient issue on remote node.',
  'Durable Object is overloaded. Too many requests queued.',
  'Your account is generating too much load on Durable Objects. Please back off and try again later.',
  'Cannot perform I/O on behalf of a different request.',
  'database or disk is full: SQLITE_FULL',
];
const servers = [
  'fetch failed',
  'Network connection lost.',
  'The operation was aborted due to timeout',
  'internal error; reference = q1w2e3',
];

describe('an error of the platform', () => {
  test.each(quoted)('is recognized by its text: %s', (text) => {
    expect(findPlatformError(new Error(text))).toBeInstanceOf(PlatformError);
    expect(findPlatformError(new TypeError('wrapped', { cause: new Error(text) }))?.message).toBe(text);
    expect(isObjectUnavailable(new Error(text))).toBe(true);
  });

  test.each(servers)('is not confused with an error of a server: %s', (text) => {
    expect(findPlatformError(new Error(text))).toBeUndefined();
    expect(findPlatformError(Object.assign(new Error(text), { retryable: true }))).toBeUndefined();
  });

  test('is recognized by the flag of a reset object', () => {
    expect(findPlatformError(Object.assign(new Error('x'), { durableObjectReset: true }))).toBeInstanceOf(
      PlatformError,
    );
    expect(findPlatformError(Object.assign(new Error('x'), { durableObjectReset: false }))).toBeUndefined();
  });

  test('keeps its text, which identifies it after a call that passes on nothing else', () => {
    const first = findPlatformError(new Error('Too many subrequests.'));
    expect(findPlatformError(first)).toBe(first);
    expect(findPlatformError(new Error(first?.message))).toBeInstanceOf(PlatformError);
  });

  test.each(['retryable', 'overloaded', 'durableObjectReset'])('makes an object unavailable: %s', (flag) => {
    expect(isObjectUnavailable(Object.assign(new Error('x'), { [flag]: true }))).toBe(true);
    expect(isObjectUnavailable(Object.assign(new Error('x'), { [flag]: false }))).toBe(false);
  });

  test('is never thrown by an object itself', () => {
    expect(isObjectUnavailable(new Error('there is no model agent a'))).toBe(false);
    expect(isObjectUnavailable('Too many subrequests.')).toBe(false);
    expect(isObjectUnavailable(new Error('Network connection lost.'))).toBe(true);
    expect(isObjectUnavailable(new Error('internal error; reference = q1w2e3'))).toBe(true);
  });
});

describe('a guarded request', () => {
  const options = { allowLocal: false, maxBytes: 100 };
  const thrown = () => Promise.reject(new Error('Too many subrequests.'));

  test("rejects with the platform's error and frees its place", async () => {
    const guarded = makeGuardedFetch({ ...options, admission: new Admission(), fetch: thrown });
    for (let i = 0; i < 20; i += 1) await expect(guarded('https://a.com/')).rejects.toBeInstanceOf(PlatformError);
  });

  test("rejects with the platform's error when its body is stopped", async () => {
    for (const type of ['text/plain', 'text/event-stream']) {
      const fetch = async () => {
        const pull = (controller: ReadableStreamDefaultController): void =>
          controller.error(new Error('Aborting engine: Grace period complete'));
        return new Response(new ReadableStream({ pull }), { headers: { 'content-type': type } });
      };
      const guarded = makeGuardedFetch({ ...options, admission: new Admission(), fetch });
      const read = guarded('https://a.com/').then((response) => response.text());
      await expect(read).rejects.toBeInstanceOf(PlatformError);
    }
  });
});
