import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { answered, listen } from '../support/http-control.ts';

/**
 * A model that speaks Messages, Responses, Chat Completions and Gemini's API, with a script: it searches for tools where it is offered
 * none of a server, calls one of a server once, and answers. It proves that a program works over its wire, not how good it is.
 */
export interface StandInModel {
  /** With the version, behind which clients add the rest. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** What it says for each request; each wire counts them in its own form. */
const usage = { prompt: 2_000, cached: 500, completion: 40 };
export const finalAnswer = 'The tool was called, and this is the answer.';

export async function startStandInModel(): Promise<StandInModel> {
  const { url, close } = await listen(async ({ path, body, response }) => {
    const at = path.join('/');
    if (at.endsWith('/count_tokens')) return { input_tokens: usage.prompt };
    const wire = Object.entries(wires).find(([end]) => at.includes(end))?.[1];
    if (wire === undefined) {
      response.writeHead(404, json).end(JSON.stringify({ error: { message: `nothing is at ${at}` } }));
      return answered;
    }
    wire(body, response);
    return answered;
  });
  return { baseUrl: `${url}/v1`, close };
}

/** What the model does next: a call of a function, in the namespace where the client offers it in one, or the answer. */
type Turn = { readonly name: string; readonly namespace?: string; readonly args: object } | null;

/** Functions of tools of the stub servers. */
const isOfServer = (name: string): boolean => /(?:^|_)step[-_]/.test(name);

interface Offered {
  readonly name: string;
  readonly namespace?: string;
}

function nextTurn(offered: readonly Offered[], called: readonly string[]): Turn {
  if (called.some(isOfServer)) return null;
  const found = offered.find(({ name }) => isOfServer(name));
  if (found !== undefined) return { ...found, args: { text: 'K1' } };
  const search = offered.find(({ name }) => name === 'tool_search');
  return search === undefined || called.includes('tool_search')
    ? null
    : { name: 'tool_search', args: { query: 'step' } };
}

const json = { 'content-type': 'application/json' };
const named = z.looseObject({ name: z.string() });

/** Sends the events of an answer, or its last form where the client wants no stream. */
function sendEvents(
  response: ServerResponse,
  events: readonly (readonly [name: string | null, data: unknown])[],
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events)
    response.write(
      `${name === null ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
  response.end();
}

const sendJson = (response: ServerResponse, value: unknown): void =>
  void response.writeHead(200, json).end(JSON.stringify(value));

let ids = 0;
const newId = (kind: string): string => `${kind}_${(ids += 1).toString().padStart(8, '0')}`;

const messagesBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  tools: z.array(named).default([]),
  messages: z.array(
    z.looseObject({
      content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), name: z.string().optional() }))]),
    }),
  ),
});

function answerMessages(body: unknown, response: ServerResponse): void {
  const { model, stream, tools, messages } = messagesBody.parse(body);
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const turn = nextTurn(
    tools,
    blocks.flatMap(({ type, name }) => (type === 'tool_use' && name !== undefined ? [name] : [])),
  );
  const counted = {
    input_tokens: usage.prompt - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
  };
  const whole = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    stop_sequence: null,
    stop_reason: turn === null ? 'end_turn' : 'tool_use',
    content: [
      turn === null
        ? { type: 'text', text: finalAnswer }
        : { type: 'tool_use', id: newId('toolu'), name: turn.name, input: turn.args },
    ],
    usage: { ...counted, output_tokens: usage.completion },
  };
  if (!stream) return sendJson(response, whole);
  const [block] = whole.content;
  sendEvents(response, [
    [
      'message_start',
      {
        type: 'message_start',
        message: { ...whole, content: [], stop_reason: null, usage: { ...counted, output_tokens: 1 } },
      },
    ],
    [
      'content_block_start',
      {
        type: 'content_block_start',
        index: 0,
        content_block: turn === null ? { type: 'text', text: '' } : { ...block, input: {} },
      },
    ],
    [
      'content_block_delta',
      {
        type: 'content_block_delta',
        index: 0,
        delta:
          turn === null
            ? { type: 'text_delta', text: finalAnswer }
            : { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) },
      },
    ],
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
    [
      'message_delta',
      {
        type: 'message_delta',
        delta: { stop_reason: whole.stop_reason, stop_sequence: null },
        usage: { output_tokens: usage.completion },
      },
    ],
    ['message_stop', { type: 'message_stop' }],
  ]);
}

const chatBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  tools: z.array(z.looseObject({ function: named })).default([]),
  messages: z.array(z.looseObject({ tool_calls: z.array(z.looseObject({ function: named })).nullish() })),
});

function answerChat(body: unknown, response: ServerResponse): void {
  const { model, stream, tools, messages } = chatBody.parse(body);
  const turn = nextTurn(
    tools.map((tool) => tool.function),
    messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map((call) => call.function.name)),
  );
  const said =
    turn === null
      ? { content: finalAnswer }
      : {
          content: null,
          tool_calls: [
            {
              index: 0,
              id: newId('call'),
              type: 'function',
              function: { name: turn.name, arguments: JSON.stringify(turn.args) },
            },
          ],
        };
  const finish_reason = turn === null ? 'stop' : 'tool_calls';
  const counted = {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
  const common = { id: newId('chatcmpl'), created: 0, model };
  if (!stream)
    return sendJson(response, {
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason }],
      usage: counted,
    });
  const chunk = { ...common, object: 'chat.completion.chunk' };
  sendEvents(response, [
    [null, { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...said }, finish_reason: null }] }],
    [null, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] }],
    [null, { ...chunk, choices: [], usage: counted }],
    [null, '[DONE]'],
  ]);
}

const responsesBody = z.looseObject({
  model: z.string(),
  tools: z
    .array(z.looseObject({ type: z.string(), name: z.string().optional(), tools: z.array(named).optional() }))
    .default([]),
  input: z.array(z.looseObject({ type: z.string().optional(), name: z.string().optional() })),
});

function answerResponses(body: unknown, response: ServerResponse): void {
  const { model, tools, input } = responsesBody.parse(body);
  const offered = tools.flatMap(({ type, name, tools: inside = [] }): Offered[] =>
    type === 'namespace' && name !== undefined
      ? inside.map((tool) => ({ name: tool.name, namespace: name }))
      : name === undefined
        ? []
        : [{ name }],
  );
  const turn = nextTurn(
    offered,
    input.flatMap(({ type, name }) => (type === 'function_call' && name !== undefined ? [name] : [])),
  );
  const item =
    turn === null
      ? {
          type: 'message',
          id: newId('msg'),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: finalAnswer, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: newId('fc'),
          call_id: newId('call'),
          status: 'completed',
          name: turn.name,
          ...(turn.namespace === undefined ? {} : { namespace: turn.namespace }),
          arguments: JSON.stringify(turn.args),
        };
  const whole = {
    id: newId('resp'),
    object: 'response',
    created_at: 0,
    model,
    status: 'completed',
    output: [item],
    usage: {
      input_tokens: usage.prompt,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.completion,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.prompt + usage.completion,
    },
  };
  sendEvents(response, [
    ['response.created', { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }],
    ['response.output_item.added', { type: 'response.output_item.added', output_index: 0, item }],
    ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
    ['response.completed', { type: 'response.completed', response: whole }],
  ]);
}

const geminiBody = z.looseObject({
  tools: z.array(z.looseObject({ functionDeclarations: z.array(named).default([]) })).default([]),
  contents: z.array(z.looseObject({ parts: z.array(z.looseObject({ functionCall: named.optional() })).default([]) })),
});

function answerGemini(body: unknown, response: ServerResponse): void {
  const { tools, contents } = geminiBody.parse(body);
  const turn = nextTurn(
    tools.flatMap((tool) => tool.functionDeclarations),
    contents.flatMap(({ parts }) => parts.flatMap(({ functionCall }) => functionCall?.name ?? [])),
  );
  const part = turn === null ? { text: finalAnswer } : { functionCall: { name: turn.name, args: turn.args } };
  sendEvents(response, [
    [
      null,
      {
        candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: usage.prompt,
          cachedContentTokenCount: usage.cached,
          candidatesTokenCount: usage.completion,
          totalTokenCount: usage.prompt + usage.completion,
        },
      },
    ],
  ]);
}

/** By a part of the path. */
const wires: Readonly<Record<string, (body: unknown, response: ServerResponse) => void>> = {
  '/messages': answerMessages,
  '/chat/completions': answerChat,
  '/responses': answerResponses,
  ':streamGenerateContent': answerGemini,
};
