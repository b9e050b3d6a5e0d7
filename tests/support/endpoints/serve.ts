import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { answered, listen } from '../http-control.ts';
import { answerPlainly } from './plain-answer.ts';
import {
  requestBody,
  type Answer,
  type Answerer,
  type ChatRequest,
  type Failure,
  type Profile,
  type Refused,
} from './profile.ts';

/** A stand-in that runs, and what it was asked. */
export interface ServedProfile {
  readonly url: string;
  /** Sends what is meant for `baseUrl` to the stand-in. */
  fetchFor(baseUrl: string): FetchLike;
  readonly refusals: readonly Refused[];
  readonly accepted: readonly ChatRequest[];
  /** The bodies that it took over other wires than chat completions. */
  readonly others: readonly unknown[];
  close(): Promise<void>;
}

/** Serves a stand-in over HTTP. */
export async function serveProfile(profile: Profile, answer: Answerer = answerPlainly): Promise<ServedProfile> {
  const refusals: Refused[] = [];
  const accepted: ChatRequest[] = [];
  const others: unknown[] = [];
  let taken = 0;
  const server = await listen(async ({ body, request, response }) => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const wire = Object.entries(profile.otherWires ?? {}).find(([path]) => url.pathname.endsWith(path))?.[1];
    if (wire !== undefined) {
      const said = wire(body, readHeaders(request.headers), answer);
      const isRefused = 'status' in said;
      if (isRefused) refusals.push(said);
      else others.push(body);
      response.writeHead(isRefused ? said.status : 200, isRefused ? json : events);
      response.end(isRefused ? JSON.stringify(profile.writeRefusal(said)) : writeEvents(said));
      return answered;
    }
    const asked = readRequest(profile, readHeaders(request.headers), url, body);
    const refusal = 'status' in asked ? asked : findRefusal(profile, asked);
    if (refusal !== null || 'status' in asked) {
      const said = refusal ?? { status: 400, message: 'unreadable' };
      refusals.push(said);
      response.writeHead(said.status, json).end(JSON.stringify(profile.writeRefusal(said)));
      return answered;
    }
    const failure = profile.fail?.(taken, asked) ?? null;
    taken += 1;
    if (failure !== null) {
      if (failure.kind === 'refusal') refusals.push(failure.refused);
      sendFailure(response, profile, failure);
      return answered;
    }
    accepted.push(asked);
    const { messages, tools, response_format: format } = asked.body;
    const plain = { ...answer({ messages, tools, form: format?.json_schema?.name }), usage };
    send(response, asked, profile, profile.adorn?.(plain, asked) ?? plain);
    return answered;
  });
  return {
    url: server.url,
    refusals,
    accepted,
    others,
    fetchFor: (baseUrl) => {
      const published = new URL(baseUrl);
      return async (input, init) => {
        const url = new URL(input);
        if (url.host !== published.host) throw new Error(`nothing is expected at ${url.href}`);
        return fetch(`${server.url}${url.pathname}${url.search}`, init);
      };
    },
    close: () => server.close(),
  };
}

function readRequest({ isWithoutChat }: Profile, headers: Headers, url: URL, body: unknown): ChatRequest | Refused {
  if (isWithoutChat === true || !url.pathname.endsWith('/chat/completions'))
    return { status: 404, message: `nothing is at ${url.pathname}` };
  const read = requestBody.safeParse(body);
  if (!read.success) return { status: 400, message: read.error.message };
  const fields = Object.keys(typeof body === 'object' && body !== null ? body : {});
  return { headers, url, fields, body: read.data, sent: body };
}

const readHeaders = (headers: NodeJS.Dict<string | string[]>): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));

const named = z.looseObject({ type: z.string() });

/** Anthropic's events have names, which say what their data says. */
const writeEvents = (all: readonly unknown[]): string =>
  all.map((event) => `event: ${named.parse(event).type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const findRefusal = ({ rules }: Profile, request: ChatRequest): Refused | null =>
  rules.map((rule) => rule(request)).find((refusal) => refusal !== null) ?? null;

function sendFailure(response: ServerResponse, { writeRefusal }: Profile, failure: Failure): void {
  switch (failure.kind) {
    case 'refusal':
      response.writeHead(failure.refused.status, { ...json, ...failure.headers });
      response.end(JSON.stringify(writeRefusal(failure.refused)));
      return;
    case 'event':
      response.writeHead(200, events).write(': PROCESSING\n\n');
      response.end(`data: ${JSON.stringify(failure.event)}\n\n`);
      return;
    case 'silence':
      // The asker closes the connection.
      response.writeHead(200, events).write(': PROCESSING\n\n');
  }
}

const usage = { prompt_tokens: 2_000, completion_tokens: 200, total_tokens: 2_200 };

function send(response: ServerResponse, { body }: ChatRequest, profile: Profile, answer: Answer): void {
  const { content, calls, others = {} } = answer;
  const finish = calls.length > 0 ? 'tool_calls' : 'stop';
  if (body.stream !== true) {
    const tool_calls = calls.map((call) => ({
      ...writeCall(call),
      function: { name: call.name, arguments: call.arguments },
    }));
    const message = { role: 'assistant', content, ...others, ...(calls.length > 0 ? { tool_calls } : {}) };
    const whole = {
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: answer.usage,
    };
    return void response.writeHead(200, json).end(JSON.stringify(whole));
  }
  const hasUsage = profile.writesUsageUnasked === true || body.stream_options?.include_usage === true;
  response.writeHead(200, events);
  const write = (delta: unknown, finish_reason: string | null = null): void =>
    void response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  write({ role: 'assistant', content: '' });
  for (const [name, value] of Object.entries(others)) for (const piece of inPieces(value)) write({ [name]: piece });
  for (const piece of inPieces(content)) write({ content: piece });
  for (const [index, call] of calls.entries()) {
    write({ tool_calls: [{ index, ...writeCall(call), function: { name: call.name, arguments: '' } }] });
    for (const piece of inPieces(call.arguments)) write({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  write({}, finish);
  if (hasUsage) response.write(`data: ${JSON.stringify({ id: 'c', choices: [], usage: answer.usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

const writeCall = ({ id, others = {} }: Answer['calls'][number]) => ({ id, type: 'function', ...others });

/** Texts and lists come in pieces, anything else at once. */
function inPieces(value: unknown): unknown[] {
  if (typeof value === 'string')
    return value === '' ? [] : [value.slice(0, 9), value.slice(9)].filter((piece) => piece !== '');
  return Array.isArray(value) ? value.map((each) => [each]) : [value];
}

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
