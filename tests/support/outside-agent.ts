import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { pause } from './followed-run.ts';

/** External agents as separate programs: over HTTP, with the SDK's client, and patient while the server is down. */

const attempt = z.object({
  id: z.string(),
  request: z.string(),
  mcp: z.object({ url: z.string(), headers: z.object({ Authorization: z.string() }) }),
  deadline: z.string(),
});
type ClaimedAttempt = z.infer<typeof attempt>;

const claim = z.discriminatedUnion('status', [
  z.object({ status: z.literal('claimed'), attempt }),
  z.object({ status: z.literal('wait') }),
  z.object({ status: z.literal('finished') }),
]);

/** What an agent remembers of an attempt. */
export interface MadeAttempt {
  readonly id: string;
  /** The answered calls, each with a distinct text. */
  readonly calls: { readonly text: string; readonly atMs: number }[];
  /** Whether its response counts; null if the answer was lost. */
  readonly evaluated: boolean | null;
}

export interface OutsideAgent {
  readonly url: string;
  readonly key: string;
  readonly evaluation: string;
  readonly agent: string;
  /** How long it thinks before each call and before the response. */
  readonly paceMs: number;
  /** Where it records attempts with some, but not all, of their calls. */
  readonly midway?: Set<string>;
}

/** Claims and answers until nothing is left to claim. */
export async function workOutside(about: OutsideAgent): Promise<MadeAttempt[]> {
  const made: MadeAttempt[] = [];
  for (;;) {
    const answer = await claimNext(about);
    if (answer.status === 'finished') return made;
    if (answer.status === 'wait') await pause(500);
    else made.push(await workOn(about, answer.attempt));
  }
}

/** With a separate key, so that a claim whose answer was lost is not claimed again. */
export function claimNext({
  evaluation,
  agent,
  ...to
}: Omit<OutsideAgent, 'paceMs' | 'midway'>): Promise<z.infer<typeof claim>> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  return persist(async () => claim.parse(await post(to, '/v1/attempts/claim', { evaluation, agent }, headers)));
}

async function workOn(about: OutsideAgent, { id, request, mcp }: ClaimedAttempt): Promise<MadeAttempt> {
  const client = await persist(() => connected(mcp));
  const { tools } = await persist(() => client.listTools());
  const places = [...request.matchAll(/\b(\d+)\.(\d+)\b/g)].map(([, server, tool]) => `step-${server}-${tool}`);
  const wanted = places.flatMap((place) => tools.find(({ name }) => name.endsWith(place))?.name ?? []);
  const calls: MadeAttempt['calls'] = [];
  for (const [index, name] of wanted.entries()) {
    await pause(about.paceMs);
    const text = `call ${index + 1} of ${id}`;
    await persist(() => client.callTool({ name, arguments: { text } }, undefined, { timeout: callMs }));
    calls.push({ text, atMs: Date.now() });
    if (calls.length < wanted.length) about.midway?.add(id);
    else about.midway?.delete(id);
  }
  await pause(about.paceMs);
  await client.close();
  return { id, calls, evaluated: await respond(about, id) };
}

/** Responds; returns null if the response had been accepted before and its answer was lost. */
export async function respond(to: Pick<OutsideAgent, 'url' | 'key'>, id: string): Promise<boolean | null> {
  let repeated = false;
  return persist(async () => {
    const [again, path] = [repeated, `/v1/attempts/${id}/response`];
    repeated = true;
    const answer = await post(to, path, { response: 'All of it is done.' }).catch((error: unknown) => {
      if (again && error instanceof Refused && error.status === 409) return { evaluated: null };
      throw error;
    });
    return z.object({ evaluated: z.boolean().nullable() }).parse(answer).evaluated;
  });
}

/** The SDK does not notice a stream that a crash cut off. */
const callMs = 5_000;
const patienceMs = 90_000;

async function connected({ url, headers }: ClaimedAttempt['mcp']): Promise<Client> {
  const client = new Client({ name: 'outside', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), {
    timeout: callMs,
  });
  return client;
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(`${status}: ${words}`);
    this.status = status;
  }
}

async function post(
  { url, key }: Pick<OutsideAgent, 'url' | 'key'>,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(2 * callMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(response.status, text);
  return JSON.parse(text);
}

/** Repeats something until it succeeds, across restarts of the server. */
async function persist<T>(act: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) throw error;
      await pause(200);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof Refused) return error.status >= 500;
  if (error instanceof StreamableHTTPError) return error.code === undefined || error.code >= 500;
  if (error instanceof McpError)
    return error.code === ErrorCode.RequestTimeout || error.code === ErrorCode.ConnectionClosed;
  // The two errors of fetch if nobody answers.
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}
