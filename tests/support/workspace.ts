import { env, exports } from 'cloudflare:workers';
import { z } from 'zod';
import type { Scope } from '#core/access/access.ts';
import { catalogRecord, serverRecord, type CatalogRecord, type ServerRecord } from '#core/catalog/server.ts';
import { hashApiKey } from '#adapters/secrets/keys.ts';

/** A workspace of its own for each test, and its API over HTTP. For tests inside workerd. */

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON where it is JSON, else as text. */
  readonly body: unknown;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly raw?: BodyInit;
  /** Where the Worker is called; without it at an address to which nobody can be sent back. */
  readonly origin?: string;
}

let made = 0;
export const unique = (prefix: string): string => {
  made += 1;
  return `${prefix}-${made}-${crypto.randomUUID().slice(0, 8)}`;
};

/** Calls the Worker. A body that is no string is sent as JSON. */
export async function call(
  key: string | null,
  method: string,
  path: string,
  body?: unknown,
  { headers = {}, raw, origin = 'http://sextant.test' }: CallOptions = {},
): Promise<Answer> {
  const sent = new Headers(headers);
  if (key !== null) sent.set('authorization', `Bearer ${key}`);
  if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json');
  const payload = raw ?? (body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body));
  const response = await exports.default.fetch(
    new Request(`${origin}${path}`, { method, headers: sent, body: payload }),
  );
  return read(response);
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.split(';')[0]?.endsWith('json') === true && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Puts a key into the directory that belongs to a workspace. */
export async function keyFor(workspace: string, ...scopes: Scope[]): Promise<string> {
  const key = unique('sxt_test');
  const stub = env.DIRECTORY.getByName('directory');
  await stub.addKey({
    id: unique('key'),
    hash: await hashApiKey(key),
    workspace,
    name: 'of a test',
    scopes,
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  return key;
}

export interface TestWorkspace {
  readonly id: string;
  readonly key: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  remove(path: string): Promise<Answer>;
  /** Registers a server and expects it to be taken. */
  server(name: string, url: string, more?: Record<string, unknown>): Promise<ServerRecord>;
  catalog(...servers: readonly ServerRecord[]): Promise<CatalogRecord>;
}

export async function newWorkspace(): Promise<TestWorkspace> {
  const id = unique('ws');
  const key = await keyFor(id, 'admin');
  const post: TestWorkspace['post'] = (path, body, options) => call(key, 'POST', path, body, options);
  return {
    id,
    key,
    get: (path) => call(key, 'GET', path),
    post,
    remove: (path) => call(key, 'DELETE', path),
    async server(name, url, more = {}) {
      return serverRecord.parse(
        expectStatus(
          await post('/v1/servers', {
            name,
            domain: 'testing',
            url,
            allows: 'destroys',
            isolation: { kind: 'session' },
            ...more,
          }),
          201,
        ),
      );
    },
    async catalog(...servers) {
      return catalogRecord.parse(
        expectStatus(await post('/v1/catalogs', { servers: servers.map((each) => each.id) }), 201),
      );
    },
  };
}

/** The body of an answer that has to have this status. */
export function expectStatus(answer: Answer, status: number): unknown {
  if (answer.status === status) return answer.body;
  throw new Error(`status ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
}

const problem = z.looseObject({ code: z.string(), status: z.int() });

/** Status and code of a problem; the code is the answer's own words where it is no problem. */
export function problemOf(answer: Answer): readonly [number, string] {
  const parsed = problem.safeParse(answer.body);
  const isProblem = answer.headers.get('content-type') === 'application/problem+json';
  return [
    answer.status,
    isProblem && parsed.success ? parsed.data.code : `no problem document: ${JSON.stringify(answer.body)}`,
  ];
}

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });
