import { expect, test } from 'vitest';
import { parseEndpointError } from '#adapters/model/endpoint-error.ts';
import { listRefusedFunctionPlaces } from '#adapters/model/adapt-request.ts';

const sent = ['files__read', 'files__write', 'calc__add', 'git__log'];
const find = (body: unknown): number[] => listRefusedFunctionPlaces(parseEndpointError(body), sent);

test.each([
  [
    'OpenAI, by name before place',
    {
      error: {
        message: "Invalid schema for function 'calc__add': schema must have type 'object' and not have 'oneOf'",
        param: 'tools[0].function.parameters',
        code: 'invalid_function_parameters',
      },
    },
    [2],
  ],
  ['OpenAI, by place', { error: { message: 'Invalid schema.', param: 'tools[1].parameters' } }, [1]],
  [
    'Anthropic',
    {
      type: 'error',
      error: {
        message: 'tools.3.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
      },
    },
    [3],
  ],
  [
    'Gemini, of several',
    [
      {
        error: {
          message:
            "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[url].format: only 'enum'\n* GenerateContentRequest.tools[0].function_declarations[3].parameters.properties[url].format: only",
        },
      },
    ],
    [1, 3],
  ],
  [
    'Gemini, with tools of one function each',
    [{ error: { message: "Invalid value at 'tools[2].function_declarations[0].parameters' " } }],
    [2],
  ],
  [
    'Vertex AI',
    {
      error: {
        message:
          'Unable to submit request because `git__log` functionDeclaration `parameters.x` schema specified other fields alongside any_of.',
      },
    },
    [3],
  ],
  [
    'Mistral',
    { detail: [{ type: 'x', loc: ['body', 'tools', 2, 'function', 'parameters'], msg: 'Input should be valid' }] },
    [2],
  ],
])('%s', (_who, body, places) => {
  expect(find(body)).toEqual(places);
});

test.each([
  ['names none', { error: { message: 'Invalid schema.', param: 'tools' } }],
  ['names a place beyond the list', { error: { message: 'tools.9.custom.input_schema: invalid' } }],
  ['names a function that was not sent', { error: { message: "Invalid schema for function 'other'" } }],
  [
    'is of a call of the model',
    {
      error: {
        message: "tool call validation failed: parameters for tool 'calc__add' did not match schema",
        code: 'tool_use_failed',
      },
    },
  ],
  [
    'is of a message',
    { error: { message: 'messages.3.content.0.tool_use.name: String should match pattern', param: 'messages[3]' } },
  ],
])('a refusal that %s sets nothing aside', (_what, body) => {
  expect(find(body)).toEqual([]);
});
