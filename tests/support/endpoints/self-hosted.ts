import type { Profile, Rule } from './profile.ts';
import { countTokens, ordersToolMessages, refused, wantsArgumentsAsJson } from './rules.ts';

/** vllm-project/vllm#20409, #42474: prompt and asked completion together must fit the window. */
const fitsWindow =
  (window: number): Rule =>
  (request) => {
    const { max_tokens: limit = 0, max_completion_tokens: asked = limit } = request.body;
    const prompt = countTokens(request);
    return prompt + asked <= window
      ? null
      : refused(
          `This model's maximum context length is ${window} tokens. However, you requested ${prompt + asked} tokens (${prompt} in the messages, ${asked} in the completion). Please reduce the length of the messages or completion.`,
        );
  };

export const vllm: Profile = {
  name: 'vLLM (32k window, thinks aloud)',
  baseUrl: 'https://vllm.example.com/v1',
  model: 'Qwen/Qwen3-32B',
  rules: [
    fitsWindow(32_768),
    // vllm-project/vllm#43995.
    wantsArgumentsAsJson('Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'),
    ordersToolMessages,
  ],
  // Flat, and the code is a number.
  writeRefusal: ({ status, message }) => ({
    object: 'error',
    message,
    type: 'BadRequestError',
    param: null,
    code: status,
  }),
  // Without a reasoning parser the thoughts stand before the answer.
  adorn: (answer) =>
    typeof answer.content === 'string' && answer.content !== ''
      ? { ...answer, content: `<think>\nIs it {"n": 1}? No.\n</think>\n\n${answer.content}` }
      : answer,
};

/** ggml-org/llama.cpp#15780: the prompt alone must fit; `exceed_context_size_error` has both counts. */
const fitsContext =
  (window: number): Rule =>
  (request) =>
    countTokens(request) <= window
      ? null
      : refused(
          'the request exceeds the available context size, try increasing it',
          undefined,
          'exceed_context_size_error',
        );

export const llamaCpp: Profile = {
  name: 'llama.cpp',
  baseUrl: 'https://llama.example.com/v1',
  model: 'gpt-oss-20b',
  rules: [fitsContext(32_768), wantsArgumentsAsJson('Failed to parse tool call arguments as JSON'), ordersToolMessages],
  writeRefusal: ({ status, message, code = 'invalid_request_error' }) => ({
    error: {
      code: status,
      message,
      type: code,
      ...(code === 'exceed_context_size_error' ? { n_prompt_tokens: 40_000, n_ctx: 32_768 } : {}),
    },
  }),
  adorn: (answer) => ({ ...answer, others: { reasoning_content: 'Hm.' } }),
};

export const ollama: Profile = {
  name: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  model: 'qwen3:8b',
  // openai/openai.go of ollama/ollama parses the arguments of earlier calls; fields that it does not know are passed over.
  rules: [wantsArgumentsAsJson('invalid tool call arguments')],
  writeRefusal: ({ message }) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  adorn: (answer) => ({ ...answer, others: { reasoning: 'Hm.' } }),
};
