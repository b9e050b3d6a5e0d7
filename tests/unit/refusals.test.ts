import { describe, expect, test } from 'vitest';
import { parseEndpointError } from '#adapters/model/endpoint-error.ts';
import { classifyRefusal } from '#adapters/model/refusals.ts';

describe('a refusal by an endpoint', () => {
  test.each([
    [{ code: 'array_above_max_length', param: 'tools', message: "Invalid 'tools': array too long." }],
    [{ message: "Invalid 'tools': array too long. Expected an array with maximum length 128, but got 129." }],
    [{ code: 400, message: 'The number of function declarations exceeds the limit.' }],
    [{ message: 'Too many tools: 200' }],
    [{ message: 'At most 64 tools may be given.' }],
  ])('that counts functions is a cap: %j', (said) => {
    expect(classifyRefusal(400, parseEndpointError(said))).toBe('function-cap');
  });

  test.each([
    [{ code: 'context_length_exceeded' }],
    [{ message: "This model's maximum context length is 8192 tokens, of which tools take 9000." }],
    [{ message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    [{ message: 'The input token count (1100000) exceeds the maximum number of tokens allowed.' }],
    [{ error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' } }],
    [
      {
        object: 'error',
        message: "This model's maximum context length is 32768 tokens. However, your request has 40000 input tokens.",
        code: 400,
      },
    ],
    [
      [
        {
          error: {
            code: 400,
            message: 'The input token count exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    [
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000',
        },
      },
    ],
    [
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
        },
      },
    ],
    [{ error: 'prompt too long; exceeded max context length by 12 tokens' }],
    [
      {
        error: {
          message:
            "This endpoint's maximum context length is 128000 tokens. However, you requested about 190000 tokens.",
          code: 400,
        },
      },
    ],
    [
      {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
    ],
    [{ message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." }],
    [
      {
        message:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens',
      },
    ],
    [{ message: "The input (40000 tokens) is longer than the model's context length (32768 tokens)." }],
  ])('that measures the conversation is an overflow: %j', (said) => {
    expect(classifyRefusal(400, parseEndpointError(said))).toBe('context-overflow');
  });

  test.each([
    [400, { message: "Invalid schema for function 'find': 'maximum' is not permitted" }],
    [400, { code: 'array_above_max_length', param: 'messages', message: 'array too long' }],
    [400, { message: 'tools are not supported by this model' }],
    [429, { message: 'too many tools' }],
    [undefined, { message: 'too many tools' }],
    [500, {}],
  ])('of status %s for anything else is none of these: %j', (status, said) => {
    expect(classifyRefusal(status, parseEndpointError(said))).toBeUndefined();
  });
});
