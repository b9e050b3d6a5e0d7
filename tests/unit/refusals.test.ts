import { describe, expect, test } from 'vitest';
import { readEndpointError } from '#adapters/model/endpoint-error.ts';
import { classifyRefusal } from '#adapters/model/refusals.ts';

describe('a refusal by an endpoint', () => {
  test.each([
    [{ code: 'array_above_max_length', param: 'tools', message: "Invalid 'tools': array too long." }],
    [{ message: "Invalid 'tools': array too long. Expected an array with maximum length 128, but got 129." }],
    [{ code: 400, message: 'The number of function declarations exceeds the limit.' }],
    [{ message: 'Too many tools: 200' }],
    [{ message: 'At most 64 tools may be given.' }],
  ])('that counts functions is a cap: %j', (said) => {
    expect(classifyRefusal(400, readEndpointError(said))).toBe('function-cap');
  });

  test.each([
    [{ code: 'context_length_exceeded' }],
    [{ message: "This model's maximum context length is 8192 tokens, of which tools take 9000." }],
    [{ message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    [{ message: 'The input token count (1100000) exceeds the maximum number of tokens allowed.' }],
  ])('that measures the conversation is an overflow: %j', (said) => {
    expect(classifyRefusal(400, readEndpointError(said))).toBe('context-overflow');
  });

  test.each([
    [400, { message: "Invalid schema for function 'find': 'maximum' is not permitted" }],
    [400, { code: 'array_above_max_length', param: 'messages', message: 'array too long' }],
    [400, { message: 'tools are not supported by this model' }],
    [429, { message: 'too many tools' }],
    [undefined, { message: 'too many tools' }],
    [500, {}],
  ])('of status %s for anything else is none of these: %j', (status, said) => {
    expect(classifyRefusal(status, readEndpointError(said))).toBeUndefined();
  });
});
