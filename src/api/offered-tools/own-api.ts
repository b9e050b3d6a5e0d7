import type { z } from '@hono/zod-openapi';
import { problemDocument } from '../problem.ts';

/** A problem document of the API, which a tool returns as its error. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly problem: z.infer<typeof problemDocument>;

  constructor(problem: z.infer<typeof problemDocument>) {
    super(problem.code);
    this.problem = problem;
  }
}

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks the API itself with the caller's key, so that a tool has the rights, limits and answers of the key. */
export interface OwnApi {
  /** Returns the answer to a request; throws a `ToolRefusal` with the API's problem. */
  ask<T>(path: string, answer: z.ZodType<T>, asked?: Asked): Promise<T>;
}

/** `send` passes a request to the API; `outer` is the client's request, whose key and address each request has. */
export function makeOwnApi(outer: Request, send: (request: Request) => Promise<Response>, signal: AbortSignal): OwnApi {
  return {
    async ask(path, answer, { method = 'GET', query = {}, body, headers = {} } = {}) {
      const url = new URL(path, outer.url);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value));
      const sent = new Headers({ ...headers });
      for (const name of ['authorization', 'cf-connecting-ip']) {
        const value = outer.headers.get(name);
        if (value !== null) sent.set(name, value);
      }
      if (body !== undefined) sent.set('content-type', 'application/json');
      const init = { method, headers: sent, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await send(new Request(url, init));
      const read: unknown = await response.json();
      if (!response.ok) throw new ToolRefusal(problemDocument.parse(read));
      return answer.parse(read);
    },
  };
}

/** Returns an id as a part of a path. */
export const encodeIdForPath = (id: string): string => encodeURIComponent(id);
