import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answered, listen, type Handler } from './http-control.ts';
import { indexScript, indexSpec, type IndexBehaviour, type IndexRequest } from './index-script.ts';
import { Refusal, upstashIndex } from './upstash-index.ts';

interface ServedIndex {
  readonly token: string;
  readonly index: ReturnType<typeof upstashIndex>;
  rules: { left: number; rule: z.infer<typeof indexScript>[number] }[];
  readonly requests: IndexRequest[];
}

/**
 * Indexes that speak the protocol of Upstash Vector. `POST /indexes` with a spec makes one; its address is
 * `/indexes/<id>/rest`, `POST /indexes/<id>/script` tells it to misbehave, `GET /indexes/<id>` says what it was asked.
 */
export async function startUpstashServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const indexes = new Map<string, ServedIndex>();
  const handler: Handler = async ({ method, path, body, request, response }) => {
    const [root, id = '', verb, ...rest] = path;
    if (root !== 'indexes') throw new Error(`nothing is at ${path.join('/')}`);
    if (method === 'POST' && id === '') {
      const spec = indexSpec.parse(body);
      const made = `i${indexes.size}`;
      indexes.set(made, { token: spec.token, index: upstashIndex(spec), rules: [], requests: [] });
      return { id: made, url: `http://${request.headers.host}/indexes/${made}/rest` };
    }
    const served = indexes.get(id);
    if (served === undefined) throw new Error(`there is no index ${id}`);
    if (method === 'GET') return served.requests;
    if (verb === 'script') {
      served.rules = indexScript.parse(body).map((rule) => ({ left: rule.times ?? Infinity, rule }));
      return null;
    }
    serve(served, rest, body, request, response);
    return answered;
  };
  return listen(handler);
}

function serve(
  served: ServedIndex,
  [operation = '', namespace = '']: readonly string[],
  body: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method = '', headers, url = '' } = request;
  served.requests.push({ method, path: url.slice(url.indexOf('/rest') + '/rest'.length), headers, body });
  const answer = () => {
    if (method !== 'POST') return send(response, 405, { error: 'Method Not Allowed', status: 405 });
    if (headers.authorization !== `Bearer ${served.token}`)
      return send(response, 401, { error: 'Unauthorized: Invalid auth token', status: 401 });
    const { status, ...rest } = outcome(() =>
      served.index.run(operation, decodeURIComponent(namespace), url.endsWith('?all'), body),
    );
    send(response, status, rest);
  };
  const found = served.rules.find(({ left, rule }) => left > 0 && (rule.operation ?? operation) === operation);
  if (found === undefined) return answer();
  found.left -= 1;
  misbehave(found.rule.behaviour, response, answer);
}

function outcome(run: () => unknown): { readonly status: number; result?: unknown; error?: string } {
  try {
    return { status: 200, result: run() };
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, error: error.message };
    if (error instanceof z.ZodError) return { status: 400, error: z.prettifyError(error) };
    throw error;
  }
}

function misbehave(does: IndexBehaviour, response: ServerResponse, answer: () => void): void {
  switch (does.kind) {
    case 'hang':
      return;
    case 'slow':
      return void setTimeout(answer, does.ms);
    case 'status':
      return send(response, does.status, { error: does.error, status: does.status }, does.headers);
    case 'cut':
      if (does.when === 'before-headers') return void response.destroy();
      response.writeHead(200, json).write('{"result": [');
      return void setTimeout(() => response.destroy(), 20);
    case 'html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    case 'broken-json':
      return void response.writeHead(200, json).end('{"result": [');
    case 'redirect':
      return void response.writeHead(307, { location: does.to }).end();
    case 'huge':
      return send(response, 200, { result: 'x'.repeat(does.bytes) });
    case 'body':
      return send(response, 200, does.body);
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body));
}

const json = { 'content-type': 'application/json' };
