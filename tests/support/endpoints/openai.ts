import type { Profile, Refused, Rule } from './profile.ts';
import { takesOpenAiSchemas } from './function-schema-rules.ts';
import { answerResponseRequest } from './responses.ts';
import {
  namesFunctionsWithin,
  objectsIn,
  ordersToolMessages,
  refused,
  takesFunctionsUpTo,
  takesOnly,
  wantsKey,
} from './rules.ts';

/** CreateChatCompletionRequest of openai/openai-openapi. */
const chatFields = (
  'messages model store reasoning_effort metadata frequency_penalty logit_bias logprobs ' +
  'top_logprobs max_tokens max_completion_tokens n modalities verbosity prediction audio ' +
  'presence_penalty response_format seed service_tier stop stream stream_options temperature ' +
  'top_p tools tool_choice parallel_tool_calls user function_call functions prompt_cache_key ' +
  'safety_identifier web_search_options'
).split(' ');

export const writeOpenAiRefusal = ({
  message,
  param = null,
  code = null,
}: {
  message: string;
  param?: string | null;
  code?: string | null;
}) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

const unknownField = (name: string): Refused => refused(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');

/** Reasoning models: web-infra-dev/midscene#791 (`max_tokens`), ServiceNow/AgentLab#251 (`temperature`). */
const takesReasoningFieldsOnly: Rule = ({ fields }) => {
  if (fields.includes('max_tokens')) {
    const words =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    return refused(words, 'max_tokens', 'unsupported_parameter');
  }
  return fields.includes('temperature')
    ? refused(
        "Unsupported value: 'temperature' does not support this value with this model.",
        'temperature',
        'unsupported_value',
      )
    : null;
};

/** Structured outputs, "Supported schemas": every object closed, every field required. */
const closesStrictSchemas: Rule = ({ body: { response_format: format } }) => {
  if (format?.type !== 'json_schema' || format.json_schema?.strict !== true) return null;
  for (const [node, path] of objectsIn(format.json_schema.schema)) {
    if (node['type'] !== 'object' && typeof node['properties'] !== 'object') continue;
    const names = Object.keys(Object.fromEntries(Object.entries(node['properties'] ?? {})));
    const required = Array.isArray(node['required']) ? node['required'] : [];
    if (node['additionalProperties'] !== false || names.some((name) => !required.includes(name)))
      return refused(
        `Invalid schema for response_format: in context=(${path}), 'required' is required to be supplied and 'additionalProperties' is required to be false.`,
        'response_format',
      );
  }
  return null;
};

const common: readonly Rule[] = [
  wantsKey('authorization', /^Bearer sk-/),
  takesOnly(chatFields, unknownField),
  takesReasoningFieldsOnly,
  closesStrictSchemas,
  takesOpenAiSchemas,
  takesFunctionsUpTo(128),
  namesFunctionsWithin(/^[a-zA-Z0-9_-]{1,64}$/),
  ordersToolMessages,
];

/** run-llama/llama_index#20865, evalstate/fast-agent#279: no value of it is taken. */
const takesNoParallelFlag: Rule = ({ fields }) =>
  fields.includes('parallel_tool_calls')
    ? refused(
        "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
        'parallel_tool_calls',
        'unsupported_parameter',
      )
    : null;

/** BerriAI/litellm#34569 with the raw answers, GoogleChromeLabs/webmcp-tools#417: refused even without the parameter. */
const takesFunctionsWithoutReasoningOnly: Rule = ({ body: { tools, reasoning_effort: effort, model } }) =>
  tools.length > 0 && effort !== 'none'
    ? refused(
        `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
        'reasoning_effort',
      )
    : null;

const openAi = { baseUrl: 'https://api.openai.com/v1', writeRefusal: writeOpenAiRefusal } as const;

export const gpt54: Profile = { ...openAi, name: 'OpenAI gpt-5.4', model: 'gpt-5.4', rules: common };
export const o4: Profile = {
  ...openAi,
  name: 'OpenAI o4-mini',
  model: 'o4-mini',
  rules: [...common, takesNoParallelFlag],
};
export const gpt56: Profile = {
  ...openAi,
  name: 'OpenAI gpt-5.6',
  otherWires: { '/responses': answerResponseRequest },
  model: 'gpt-5.6-terra',
  rules: [...common, takesFunctionsWithoutReasoningOnly],
};

/** learn.microsoft.com, Azure OpenAI REST API reference: the key in `api-key`, the version in the query. */
const wantsVersion: Rule = ({ url }) =>
  /^\d{4}-\d{2}-\d{2}/.test(url.searchParams.get('api-version') ?? '')
    ? null
    : refused('Resource not found', undefined, '404', 404);

/** Azure's models keep the old limit of descriptions; reports for api.openai.com itself conflict. */
const takesShortDescriptions: Rule = ({ body: { tools } }) => {
  const at = tools.findIndex((tool) => tool.function.description.length > 1_024);
  const param = `tools[${at}].function.description`;
  return at < 0
    ? null
    : refused(
        `Invalid '${param}': string too long. Expected a string with maximum length 1024, but got a string with length ${tools[at]?.function.description.length} instead.`,
        param,
        'string_above_max_length',
      );
};

export const azure: Profile = {
  name: 'Azure OpenAI',
  baseUrl: 'https://example.openai.azure.com/openai/deployments/gpt-5-4?api-version=2025-04-01-preview',
  model: 'gpt-5-4',
  writeRefusal: writeOpenAiRefusal,
  rules: [wantsVersion, wantsKey('api-key', /^sk-/), takesShortDescriptions, ...common.slice(1)],
};

/** A gateway before the same model that has chat completions only. */
export const gpt56WithoutResponses: Profile = {
  ...gpt56,
  model: 'gpt-5.6-luna',
  name: 'OpenAI gpt-5.6 without the Responses API',
  otherWires: {},
};
