import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { answered, listen, type Handler } from './http-control.ts';
import { eventsOf, type WholeCompletion } from './completion-events.ts';
import { isRequestWithinShare, nextCall, sensibleAnswer, vectorOf, type AgentFunction } from './model-rules.ts';
import { script, type AskedQuestion, type Behaviour } from './script.ts';

const textContent = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
const completionRequest = z.looseObject({
  model: z.string(),
  seed: z.number().nullish(),
  messages: z.array(z.looseObject({ role: z.string(), content: textContent })),
  response_format: z.looseObject({ json_schema: z.looseObject({ name: z.string() }) }).optional(),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({
          name: z.string(),
          parameters: z.looseObject({ required: z.array(z.string()).default([]) }),
        }),
      }),
    )
    .default([]),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});
type CompletionRequest = z.infer<typeof completionRequest>;

const embeddingsRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
});

/** The response of an answer, and its requested form. */
interface Outlet {
  readonly response: ServerResponse;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

interface ScriptedModel {
  rules: { left: number; rule: z.infer<typeof script>[number] }[];
  readonly asked: AskedQuestion[];
}

/**
 * An OpenAI-compatible endpoint whose models do what a test tells them. `POST /models` with a script makes a model with the base
 * url `/models/<id>/v1`; `POST /models/<id>/script` tells it something else; `GET /models/<id>` says what it was asked. The
 * model `deployment` is there from the start.
 */
export async function startModelServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const models = new Map<string, ScriptedModel>([['deployment', { rules: [], asked: [] }]]);
  const handler: Handler = async ({ method, path, body, request, response }) => {
    const [root, id = '', verb] = path;
    if (root !== 'models') throw new Error(`nothing is at ${path.join('/')}`);
    if (method === 'POST' && id === '') {
      const made = `m${models.size}`;
      models.set(made, { rules: rulesOf(body), asked: [] });
      return { id: made, url: `http://${request.headers.host}/models/${made}/v1` };
    }
    const model = models.get(id);
    if (model === undefined) throw new Error(`there is no model ${id}`);
    if (method === 'GET' && verb === 'v1') {
      list(model, response);
      return answered;
    }
    if (method === 'GET') return model.asked;
    if (verb === 'script') {
      model.rules = rulesOf(body);
      return null;
    }
    const answer = path.at(-1) === 'embeddings' ? embed : complete;
    answer(model, body, request.headers.authorization ?? '', response);
    return answered;
  };
  return listen(handler);
}

const rulesOf = (body: unknown): ScriptedModel['rules'] =>
  script.parse(body).map((rule) => ({ left: rule.times ?? Infinity, rule }));

function complete(model: ScriptedModel, body: unknown, authorization: string, response: ServerResponse): void {
  const request = completionRequest.parse(body);
  const problem = streamProblem(request);
  if (problem !== null) return void response.writeHead(400, json).end(JSON.stringify({ error: problem }));
  const question: AskedQuestion = {
    form: request.response_format?.json_schema.name ?? 'turn',
    model: request.model,
    seed: request.seed ?? null,
    authorization,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    functions: request.tools.map((tool) => tool.function.name),
  };
  const functions = request.tools.map(({ function: { name, parameters } }) => ({
    name,
    required: parameters.required,
  }));
  const stream = request.stream === true;
  const includeUsage = request.stream_options?.include_usage === true;
  if (isTest(question)) return answerTest(model, question, functions, { response, stream, includeUsage });
  model.asked.push(question);
  behave(behaviourFor(model, question), question, functions, { response, stream, includeUsage });
}

/** Test questions before a run are no part of what a test scripts or counts, unless it has a rule for the form `preflight`. */
const isTest = ({ messages }: AskedQuestion): boolean =>
  messages.some(({ content }) => content.includes('This only tests the connection'));

function answerTest(
  model: ScriptedModel,
  asked: AskedQuestion,
  functions: readonly AgentFunction[],
  outlet: Outlet,
): void {
  const question = { ...asked, form: 'preflight' };
  const rules = model.rules.filter(({ rule }) => rule.form === 'preflight');
  const does = behaviourFor({ ...model, rules }, question);
  const [first] = functions;
  if (does.kind !== 'normal') return behave(does, question, functions, outlet);
  if (first !== undefined) return sendCall(outlet, first.name, '{}');
  const answer = { ready: true, sample: { kind: 'word', word: 'chart' }, remarks: [] };
  send(outlet, { content: JSON.stringify(answer) }, 'stop');
}

/** What OpenAI refuses in the requested form of an answer. */
function streamProblem({ stream, stream_options: options }: CompletionRequest) {
  if (stream === true || options === null || options === undefined) return null;
  const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  return { message, type: 'invalid_request_error', param: 'stream_options', code: null };
}

/** Answers a request for the list of models, which exists only if a rule with the form `models` says so. */
function list(model: ScriptedModel, response: ServerResponse): void {
  const question = { form: 'models', model: '', seed: null, authorization: '', messages: [], functions: [] };
  const does = behaviourFor(model, question);
  if (does.kind !== 'content')
    return does.kind === 'normal' ? void response.writeHead(404).end() : behave(does, question, [], whole(response));
  const data = does.content.split(' ').map((id) => ({ id, object: 'model' }));
  response.writeHead(200, json).end(JSON.stringify({ object: 'list', data }));
}

/** Answers a request for vectors, according to rules with the form `embeddings`. */
function embed(model: ScriptedModel, body: unknown, authorization: string, response: ServerResponse): void {
  const request = embeddingsRequest.parse(body);
  const texts = typeof request.input === 'string' ? [request.input] : request.input;
  const question: AskedQuestion = {
    form: 'embeddings',
    model: request.model,
    seed: null,
    authorization,
    messages: texts.map((content) => ({ role: 'user', content })),
    functions: [],
  };
  if (!isTest(question)) model.asked.push(question);
  const rules = model.rules.filter(({ rule }) => !isTest(question) || rule.form === 'preflight');
  const does = behaviourFor({ ...model, rules }, isTest(question) ? { ...question, form: 'preflight' } : question);
  if (does.kind !== 'normal' && does.kind !== 'vectors') return behave(does, question, [], whole(response));
  const made = (text: string): number[] =>
    does.kind === 'vectors' ? Array.from({ length: does.dimension }, () => 1) : vectorOf(text);
  const encoded = (vector: readonly number[]): readonly number[] | string =>
    request.encoding_format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: encoded(made(text)) }));
  const usage = { prompt_tokens: 20, total_tokens: 20 };
  response.writeHead(200, json).end(JSON.stringify({ object: 'list', model: request.model, data, usage }));
}

function behaviourFor(model: ScriptedModel, question: AskedQuestion): Behaviour {
  const text = question.messages.map(({ content }) => content).join('\n');
  const found = model.rules.find(
    ({ left, rule }) =>
      left > 0 &&
      (rule.form ?? question.form) === question.form &&
      (rule.model ?? question.model) === question.model &&
      (rule.contains === undefined || text.includes(rule.contains)),
  );
  if (found === undefined) return { kind: 'normal' };
  found.left -= 1;
  return found.rule.behaviour;
}

function behave(does: Behaviour, question: AskedQuestion, functions: readonly AgentFunction[], outlet: Outlet): void {
  const { response, stream } = outlet;
  const type = stream ? events : json;
  switch (does.kind) {
    case 'hang':
      return;
    case 'status':
      return void response
        .writeHead(does.status, { ...json, ...does.headers })
        .end(JSON.stringify({ error: { message: 'secret of the endpoint', code: does.code, param: does.param } }));
    case 'cut':
      if (does.when === 'before-headers') return void response.destroy();
      response.writeHead(200, type).write(stream ? firstEvents : '{"choi');
      return void setTimeout(() => response.destroy(), 20);
    case 'html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    case 'broken-json':
      return void response.writeHead(200, type).end(stream ? 'data: {"choices": [\n\n' : '{"choices": [');
    case 'no-choices':
      return void response.writeHead(200, type).end(stream ? 'data: [DONE]\n\n' : '{"choices": []}');
    case 'call':
      return sendCall(outlet, does.name, does.arguments);
    case 'confuses': {
      const call = nextCall(question, functions);
      if (call?.name !== does.instead || !isRequestWithinShare(question, does.share))
        return normal(question, functions, outlet);
      return sendCall(outlet, does.calls, JSON.stringify(call.arguments));
    }
    case 'slow':
      return void setTimeout(() => behave({ kind: 'normal' }, question, functions, outlet), does.ms);
    case 'refusal':
      return send(outlet, { refusal: 'I would rather not.', content: null }, 'stop');
    case 'truncated':
      return send(outlet, { content: '{"scenario": {"request": "An err' }, 'length');
    case 'content':
      return send(outlet, { content: does.content }, 'stop');
    case 'huge':
      return send(outlet, { content: 'x'.repeat(does.bytes) }, 'stop');
    case 'none':
      return send(outlet, { content: JSON.stringify({ scenario: null, pair: null, why: 'they do not fit' }) }, 'stop');
    case 'grades': {
      const { kind: _, ...grades } = does;
      return send(outlet, { content: JSON.stringify({ ...grades, issues: [], suggestions: [], facts: [] }) }, 'stop');
    }
    case 'vectors':
    case 'normal':
      return normal(question, functions, outlet);
  }
}

function normal(question: AskedQuestion, functions: readonly AgentFunction[], outlet: Outlet): void {
  if (question.form !== 'turn') return send(outlet, { content: JSON.stringify(sensibleAnswer(question)) }, 'stop');
  const call = nextCall(question, functions);
  if (call === null) return send(outlet, { content: 'It is done.' }, 'stop');
  sendCall(outlet, call.name, JSON.stringify(call.arguments));
}

function sendCall(outlet: Outlet, name: string, argumentsText: string): void {
  const call = { id: 'call-1', type: 'function', function: { name, arguments: argumentsText } };
  send(outlet, { content: null, tool_calls: [call] }, 'tool_calls');
}

function send({ response, stream, includeUsage }: Outlet, message: WholeCompletion['message'], finish: string): void {
  const usage = { prompt_tokens: 2_000, completion_tokens: 200, total_tokens: 2_200 };
  if (stream) {
    response.writeHead(200, events).write(': the model is at work\n\n');
    for (const event of eventsOf({ message, finish, usage }, includeUsage)) response.write(event);
    return void response.end();
  }
  const body = {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage,
  };
  response.writeHead(200, json).end(JSON.stringify(body));
}

/** For behaviour that is never streamed. */
const whole = (response: ServerResponse): Outlet => ({ response, stream: false, includeUsage: false });

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const firstEvents = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"An err"}}]}\n\ndata: {"choi';
