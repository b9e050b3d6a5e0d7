import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answered, listen, type Handler } from './http-control.ts';

/** What a host publishes: TXT records, perhaps of another name that this one is an alias of, and a file. */
export const published = z.object({
  host: z.string(),
  texts: z.array(z.string()).default([]),
  alias: z.string().optional(),
  /** The code of the resolver's answers (RFC 1035, 4.1.1), in place of records. */
  code: z.int().default(0),
  file: z.object({ status: z.int().default(200), type: z.string().default('text/plain'), body: z.string() }).optional(),
});
type Published = z.infer<typeof published>;

/**
 * What owners of hosts publish. `POST /hosts` says it; `/dns-query` is a resolver that takes queries as RFC 8484 has them and refuses
 * others; `/files/<host>/...` has the files that the hosts would serve; `GET /asked/<host>` says how often they were asked for.
 */
export async function startHostOwner(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const hosts = new Map<string, Published>();
  const asked = new Map<string, number>();
  const handler: Handler = async ({ method, path, body, request, response }) => {
    const [root, host = '', ...rest] = path;
    if (root === 'hosts' && method === 'POST') {
      const said = published.parse(body);
      hosts.set(said.host, said);
      return null;
    }
    if (root === 'asked') return asked.get(host) ?? 0;
    if (root === 'dns-query') answerQuery(hosts, request, response);
    else if (root === 'files') {
      asked.set(host, (asked.get(host) ?? 0) + 1);
      serveFile(rest.join('/') === '.well-known/sextant.txt' ? hosts.get(host)?.file : undefined, response);
    } else throw new Error(`nothing is at ${path.join('/')}`);
    return answered;
  };
  return listen(handler);
}

function serveFile(file: Published['file'], response: ServerResponse): void {
  if (file === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  else if (file.status >= 300 && file.status < 400) response.writeHead(file.status, { location: file.body }).end();
  else response.writeHead(file.status, { 'content-type': file.type }).end(file.body);
}

/** RFC 8484, 4.1: the query in base64url without padding, its type in `Accept`; a query has one question, and id 0 is best for caches. */
function answerQuery(hosts: ReadonlyMap<string, Published>, request: IncomingMessage, response: ServerResponse): void {
  const encoded = new URL(request.url ?? '', 'http://resolver.test').searchParams.get('dns') ?? '';
  const query = Buffer.from(encoded, 'base64url');
  const isWanted = request.method === 'GET' && request.headers.accept === 'application/dns-message';
  const name = isWanted && /^[\w-]+$/.test(encoded) ? readQuestion(query) : null;
  if (name === null) {
    response.writeHead(400).end('no DNS query');
    return;
  }
  const said = name.startsWith('_sextant.') ? hosts.get(name.slice('_sextant.'.length)) : undefined;
  response
    .writeHead(200, { 'content-type': 'application/dns-message' })
    .end(makeAnswer(query, said === undefined ? { texts: [], code: 3 } : said));
}

/** Returns the name that a query asks TXT records of; null if it is no such query. */
function readQuestion(query: Buffer): string | null {
  const isQuery = query.length > 12 && query.readUInt16BE(2) === 0x0100 && query.readUInt16BE(4) === 1;
  if (!isQuery || query.readUInt16BE(0) !== 0) return null;
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    if (length > 63) return null;
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  const rest = query.subarray(at);
  return rest.length === 5 && rest.readUInt16BE(1) === 16 && rest.readUInt16BE(3) === 1 ? labels.join('.') : null;
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

/** Repeats the question, and answers as resolvers do: names are pointers to it, an alias comes before its records, texts are cut into parts of 255 bytes. */
function makeAnswer(query: Buffer, { texts, alias, code }: Pick<Published, 'texts' | 'alias' | 'code'>): Buffer {
  const toQuestion = Buffer.from([0xc0, 12]);
  const aliased = alias === undefined ? [] : [makeRecord(toQuestion, 5, encodeName(alias))];
  const owner = alias === undefined ? toQuestion : encodeName(alias);
  const records = [...aliased, ...texts.map((text) => makeRecord(owner, 16, encodeText(text)))];
  const header = Buffer.alloc(12);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12), ...records]);
}

function makeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(300, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

/** Parts are short here, so that every text has several. */
function encodeText(text: string): Buffer {
  const parts = text.match(/[\s\S]{1,20}/g) ?? [''];
  return Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part)])));
}
