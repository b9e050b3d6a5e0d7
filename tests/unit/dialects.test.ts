import { describe, expect, test } from 'vitest';
import { composeChatCompletionRequest } from '#adapters/model/compose-request.ts';
import { parseEndpointError } from '#adapters/model/endpoint-error.ts';
import { asksForResponsesApi, learnDialectFromRefusal } from '#adapters/model/learn-dialect.ts';
import {
  findCompletionTokensThatFit,
  findContextWindow,
  cutCompletionTokensToWindow,
} from '#adapters/model/completion-room.ts';
import { listDifferencesOfTwoDialects, dialectOfModel } from '#core/models/dialect.ts';

const standard = dialectOfModel({ baseUrl: 'https://models.example.com/v1', model: 'm' });
const settings = { address: 'https://models.example.com/v1 m', model: 'm', maxCompletionTokens: 1_000 };
const question = {
  messages: [{ role: 'user' as const, content: 'go' }],
  seed: 7,
  functions: [{ name: 'a', description: 'does a', parameters: { type: 'object' } }],
};

describe('a dialect', () => {
  test('is what the client sets, then what is published about the host, then the standard', () => {
    const mistral = { baseUrl: 'https://api.mistral.ai/v1', model: 'm' };
    expect(dialectOfModel(mistral)).toMatchObject({
      tokenLimit: 'max_tokens',
      seed: 'random_seed',
      parallelFlag: true,
    });
    expect(dialectOfModel(mistral, { seed: 'none', effort: undefined })).toMatchObject({
      tokenLimit: 'max_tokens',
      seed: 'none',
      effort: null,
    });
    expect(dialectOfModel({ baseUrl: 'https://api.mistral.ai.example.com/v1', model: 'm' })).toEqual(standard);
  });

  test('depends on the model where the host has rows for some', () => {
    const at = (model: string) =>
      listDifferencesOfTwoDialects(standard, dialectOfModel({ baseUrl: 'https://api.openai.com/v1', model }));
    expect(at('gpt-5.4')).toEqual(['functionSchemas: openai', 'mostFunctions: 128']);
    expect(at('o4-mini')).toContain('parallelFlag: false');
    expect(at('gpt-5.6-sol')).toContain('wire: responses');
    expect(at('gpt-6-sol')).toContain('wire: responses');
  });

  test('gives the fields of a request their names, or leaves them out', () => {
    expect(composeChatCompletionRequest(question, settings, standard)).toMatchObject({
      seed: 7,
      max_completion_tokens: 1_000,
      parallel_tool_calls: false,
    });
    const other = {
      ...standard,
      seed: 'random_seed',
      tokenLimit: 'max_tokens',
      mostCompletionTokens: 300,
      parallelFlag: false,
      streamUsage: false,
    } as const;
    const request = composeChatCompletionRequest({ ...question, room: 2 }, settings, {
      ...other,
      extraBody: { thinking: { type: 'disabled' } },
    });
    expect(request).toMatchObject({ random_seed: 7, max_tokens: 300, thinking: { type: 'disabled' } });
    expect(Object.keys(request)).not.toEqual(expect.arrayContaining(['seed']));
    expect(Object.keys(request).toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'random_seed',
      'stream',
      'thinking',
      'tools',
    ]);
  });

  test('has an effort of its own for requests with functions', () => {
    const dialect = { ...standard, effort: 'high', effortWithFunctions: 'none' };
    expect(composeChatCompletionRequest(question, settings, dialect)).toMatchObject({ reasoning_effort: 'none' });
    expect(composeChatCompletionRequest({ ...question, functions: [] }, settings, dialect)).toMatchObject({
      reasoning_effort: 'high',
    });
  });

  test('cuts descriptions that are too long, with a mark', () => {
    const functions = [{ name: 'a', description: 'x'.repeat(50), parameters: {} }];
    const { tools } = composeChatCompletionRequest({ ...question, functions }, settings, {
      ...standard,
      longestDescription: 20,
    });
    expect(JSON.stringify(tools)).toContain(`"${'x'.repeat(14)} [cut]"`);
  });
});

describe('a message that goes back', () => {
  const call = { id: 'c', name: 'a', argumentsText: '{"x":1}' };
  const own = { address: settings.address, message: { reasoning_content: 'hm' }, calls: [{ extra_content: { s: 1 } }] };
  const writeSaid = (toolCalls: readonly (typeof call)[], address = settings.address) =>
    composeChatCompletionRequest(
      { ...question, messages: [{ role: 'assistant', content: '', toolCalls, own }] },
      { ...settings, address },
      standard,
    )['messages'];

  test('has what the same endpoint wrote, and nothing of what another did', () => {
    const plain = { id: 'c', type: 'function', function: { name: 'a', arguments: '{"x":1}' } };
    expect(writeSaid([call])).toEqual([
      { role: 'assistant', content: '', reasoning_content: 'hm', tool_calls: [{ ...plain, extra_content: { s: 1 } }] },
    ]);
    expect(writeSaid([call], 'another')).toEqual([{ role: 'assistant', content: '', tool_calls: [plain] }]);
  });

  test.each([
    [{ name: 'files/read' }, { name: 'invalid_name', arguments: '{"x":1}' }],
    [{ name: 'a'.repeat(65) }, { name: 'invalid_name', arguments: '{"x":1}' }],
    [{ argumentsText: '{"x":' }, { name: 'a', arguments: '{}' }],
    [{ argumentsText: '[1]' }, { name: 'a', arguments: '{}' }],
    [{ argumentsText: '' }, { name: 'a', arguments: '{}' }],
  ])('has a valid call instead of %j', (wrong, expected) => {
    expect(writeSaid([{ ...call, ...wrong }])).toMatchObject([{ tool_calls: [{ id: 'c', function: expected }] }]);
  });
});

describe('a refusal', () => {
  const learn = (body: unknown, setting = {}, known = standard) => {
    const next = learnDialectFromRefusal(
      known,
      parseEndpointError(body),
      composeChatCompletionRequest(question, settings, known),
      setting,
    );
    return next === null ? null : listDifferencesOfTwoDialects(known, next);
  };

  test.each([
    [
      'OpenAI',
      {
        error: {
          message: "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
          param: 'parallel_tool_calls',
          code: 'unsupported_parameter',
        },
      },
      ['parallelFlag: false'],
    ],
    [
      'Gemini, of two fields at once',
      [
        {
          error: {
            message:
              'Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.\nInvalid JSON payload received. Unknown name "seed": Cannot find field.',
          },
        },
      ],
      ['seed: none', 'parallelFlag: false'],
    ],
    [
      'Mistral',
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs are not permitted' },
        ],
      },
      ['tokenLimit: max_tokens'],
    ],
    [
      'Mistral, as text',
      {
        object: 'error',
        message: JSON.stringify({
          detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }],
        }),
      },
      ['seed: none'],
    ],
    [
      'vLLM, flat',
      {
        object: 'error',
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted'}]",
        code: 400,
      },
      ['tokenLimit: max_tokens'],
    ],
    [
      'an endpoint behind OpenRouter',
      {
        error: {
          code: 400,
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"Unrecognized request argument supplied: seed"}}' },
        },
      },
      ['seed: none'],
    ],
    [
      'OpenAI, of the schema of a function',
      {
        error: {
          message:
            "Invalid schema for function 'a': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
          param: 'tools[0].function.parameters',
        },
      },
      ['functionSchemas: openai'],
    ],
    [
      'Anthropic, of the schema of a function',
      { error: { message: "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-z]$'" } },
      ['functionSchemas: anthropic'],
    ],
    [
      'Gemini, of the schema of a function',
      {
        error: {
          message: `Unknown name "$schema" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
        },
      },
      ['functionSchemas: gemini'],
    ],
    ['Ollama', { error: 'stream_options is not supported' }, ['streamUsage: false']],
    [
      'a bound of OpenAI',
      {
        error: {
          message: 'max_tokens is too large: 16000. This model supports at most 4096 completion tokens.',
          param: 'max_tokens',
        },
      },
      ['mostCompletionTokens: 4096'],
    ],
    [
      'a bound of Anthropic',
      {
        type: 'error',
        error: { message: 'max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for claude' },
      },
      ['mostCompletionTokens: 8192'],
    ],
    [
      'a bound of DeepSeek',
      { error: { message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]' } },
      ['mostCompletionTokens: 8192'],
    ],
    [
      'a bound of Groq',
      {
        error: {
          message:
            '`max_completion_tokens` must be less than or equal to `8192`, the maximum value for `max_completion_tokens`',
        },
      },
      ['mostCompletionTokens: 8192'],
    ],
  ])('teaches what %s says', (_who, body, expected) => {
    expect(learn(body)).toEqual(expected);
  });

  test.each([
    [
      'of something else',
      { error: { message: "Invalid value for 'messages': seed words are not allowed", param: 'messages' } },
    ],
    ['without words', {}],
    ['of a field that was not sent', { error: { message: "Unsupported parameter: 'random_seed'" } }],
    [
      'of a missing field',
      { error: { message: 'Missing `reasoning_content` field in the assistant message at message index 2' } },
    ],
  ])('%s teaches nothing', (_what, body) => {
    expect(learn(body)).toBeNull();
  });

  test('never takes away what the client has set', () => {
    const said = { error: { message: "Unknown parameter: 'seed'", param: 'seed' } };
    expect(learn(said, { seed: 'seed' })).toBeNull();
    const schema = { error: { message: `Unknown name "$schema" at 'tools[0].function_declarations[0]'` } };
    expect(learn(schema, { functionSchemas: 'any' })).toBeNull();
  });

  test.each([
    [
      "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      true,
    ],
    ['This model is only supported in v1/responses and not in v1/chat/completions.', true],
    ['There is nothing at /v1/responses.', false],
  ])('asks for the Responses API if it says to use it: %s', (message, asked) => {
    expect(asksForResponsesApi({ codes: [], params: [], message })).toBe(asked);
  });

  test.each([
    [
      "This model's maximum context length is 16384 tokens. However, you requested 26384 tokens (10384 in the messages, 16000 in the completion).",
      5_936,
    ],
    [
      "'max_tokens' is too large: 16000. This model's maximum context length is 32768 tokens and your request has 20000 input tokens (16000 > 32768 - 20000).",
      12_704,
    ],
    [
      "This model's maximum context length is 32768 tokens. However, you requested 16000 output tokens and your prompt contains at least 16769 input tokens, for a total of at least 32769 tokens.",
      8_000,
    ],
    ['input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease input length', 9_936],
  ])('for a limit beyond the window leaves room: %s', (message, room) => {
    expect(findCompletionTokensThatFit({ codes: [], params: [], message }, 16_000)).toBe(room);
  });

  test.each([
    "This model's maximum context length is 8192 tokens, of which tools take 9000.",
    "This model's maximum context length is 16384 tokens. However, you requested 32384 tokens (16384 in the messages, 16000 in the completion).",
    'the request exceeds the available context size, try increasing it',
    'prompt is too long: 210000 tokens > 200000 maximum',
  ])('for a conversation beyond the window leaves none: %s', (message) => {
    expect(findCompletionTokensThatFit({ codes: [], params: [], message }, 16_000)).toBeUndefined();
  });

  test('whose prompt and completion exceed the window together teaches the window', () => {
    const message =
      "This model's maximum context length is 16384 tokens. However, you requested 26384 tokens (10384 in the messages, 16000 in the completion).";
    expect(findContextWindow({ codes: [], params: [], message })).toBe(16_384);
    expect(
      findContextWindow({ codes: [], params: [], message: 'the request exceeds the available context size' }),
    ).toBeUndefined();
  });
});

describe('within a window that is known', () => {
  const body = { messages: [{ role: 'user', content: 'x'.repeat(40_000) }] };

  test('a request asks for what its prompt leaves', () => {
    expect(cutCompletionTokensToWindow({ ...standard, window: 32_768 }, body, 32_000)).toBe(20_690);
    expect(cutCompletionTokensToWindow({ ...standard, window: 32_768 }, body, 4_000)).toBe(4_000);
  });

  test('a request whose prompt leaves too little is made as it is, so that the endpoint says so', () => {
    expect(cutCompletionTokensToWindow({ ...standard, window: 12_000 }, body, 4_000)).toBe(4_000);
  });

  test('nothing changes for an endpoint whose window is unknown', () => {
    expect(cutCompletionTokensToWindow(standard, body, 100_000)).toBe(100_000);
  });
});
