import { err, ok, type Result } from '#core/values/result.ts';
import { ProtocolErrorCode, type Client, type ProtocolEra } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Admission } from '#adapters/network/admission.ts';
import { parseParamHeadersOfSchema } from '#core/catalog/param-headers.ts';
import { pickSelfDescription, type LeftOutTool, type ServerSelfDescription } from '#core/catalog/server-description.ts';
import { longestPauseMs } from '#core/models/governor/rate-limits.ts';
import { isTooDeep, maxJsonDepth } from '#core/values/json-depth.ts';
import { checkAddress } from '#adapters/network/address-guard.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { probeServerToExplainProblem } from './explain-status.ts';
import { makeFetchWithTokensIfAuth, type ServerAuth } from './oauth/tokens.ts';
import { toMcpProblemOrRethrowPlatformError, type McpProblem } from './problems.ts';
import { inputSchemaProblem, outputSchemaProblem } from './schema-check.ts';
import { openSession, awaitWithTimeoutOrClose, type OpenedSession, type SessionOptions } from './session.ts';

const fields = z.record(z.string(), z.unknown());

/** Some servers write what they do not have as null. */
const schemaReadingNullAsAbsent = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => value ?? undefined, schema.optional());

/** A tool as a server lists it: the fields that we read are checked, all others are kept. */
const listedTool = z.looseObject({
  name: z.string(),
  title: schemaReadingNullAsAbsent(z.string()),
  description: schemaReadingNullAsAbsent(z.string()),
  inputSchema: fields,
  outputSchema: schemaReadingNullAsAbsent(fields),
  annotations: schemaReadingNullAsAbsent(fields),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
});
export type ListedTool = z.infer<typeof listedTool>;

/** A server's tools, and what it says about itself. */
export interface ListedServer extends ServerSelfDescription {
  readonly tools: readonly ListedTool[];
  /** Tools with a broken schema or of another form, in the order of the list; at most 100. */
  readonly leftOut: readonly LeftOutTool[];
  /** Whether it gave the connection a session. */
  readonly keepsSessions: boolean;
}

export interface DiscoveryOptions {
  readonly admission: Admission;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How its requests are authorized, besides by headers. */
  readonly auth?: ServerAuth | undefined;
  readonly allowLocal: boolean;
  /** Time limit for the whole discovery. */
  readonly timeoutMs?: number;
  readonly maxTools?: number;
  readonly maxPages?: number;
  /** Maximum size of the list, all pages together. */
  readonly maxBytes?: number;
  /** Counts its requests; rejects if their host gets no more. */
  readonly admit?: ((url: URL) => Promise<void>) | undefined;
  /** The underlying fetch, for tests. */
  readonly fetch?: FetchLike;
}

export interface DiscoveryFailure {
  readonly reason:
    | 'unreachable'
    | 'timeout'
    | 'not-mcp'
    | 'no-tools'
    | 'duplicate-tool'
    | 'broken-schema'
    | 'too-many-tools'
    | 'too-large'
    | 'address-forbidden'
    | 'unauthorized'
    | 'rate-limited'
    | 'not-proven';
  /** One line for a person, without secrets. */
  readonly detail: string;
  /** How long a busy server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/**
 * Connects to a server and reads its whole list of tools and what it says about itself. Tools that are broken are left out and
 * named, and so are later ones of the same name; a list without any other is refused. Rejects only with PlatformErrors.
 */
export async function discoverTools(options: DiscoveryOptions): Promise<Result<ListedServer, DiscoveryFailure>> {
  if (!URL.canParse(options.url)) return makeListRefusal('address-forbidden', noUrl);
  const address = checkAddress(options.url, options);
  if (!address.ok) return makeListRefusal('address-forbidden', address.problem.detail);
  return options.admission.runHoldingPlace(() => discoverToolsAt(address.value, options));
}

const noUrl =
  'the address is no URL, such as https://example.com/mcp; a server that is started by a command gets one from `npm start -- --servers FILE`';

async function discoverToolsAt(url: URL, options: DiscoveryOptions): Promise<Result<ListedServer, DiscoveryFailure>> {
  const timeoutMs = options.timeoutMs ?? 15_000;
  const maxBytes = options.maxBytes ?? 4 * 1024 * 1024;
  const { admission, allowLocal, headers, fetch, admit } = options;
  const bounds = { admission, allowLocal, maxBytes, admit };
  const guarded = makeFetchWithTokensIfAuth(
    options.auth,
    makeGuardedFetch({ ...bounds, ...(fetch === undefined ? {} : { fetch }) }),
    { admission, connectMs: timeoutMs },
  );
  const start = performance.now();
  const opened = await openSessionOfUnknownEra({ url, headers, fetch: guarded, timeoutMs });
  if (!opened.ok)
    return convertProblemToRefusal(
      await probeServerToExplainProblem(opened.problem, {
        url,
        headers,
        fetch: guarded,
        isAuthorized: options.auth !== undefined,
      }),
    );
  const { client, protocolVersion, handle, end } = opened.value;
  const keepsSessions = handle !== null;
  try {
    const left = Math.max(1, timeoutMs - (performance.now() - start));
    const limits = { maxTools: options.maxTools ?? 2_000, maxPages: options.maxPages ?? 200, maxBytes };
    const read = await awaitWithTimeoutOrClose(left, client, readAllToolPagesLeavingOutBroken(client, limits));
    if (!read.ok) return convertProblemToRefusal(read.problem);
    const self = pickSelfDescription(client.getServerVersion(), client.getInstructions());
    return read.value.ok ? ok({ ...self, protocolVersion, keepsSessions, ...read.value.value }) : read.value;
  } finally {
    await end(1_000);
  }
}

/** Some servers that know only `initialize` break at the question which versions they speak: they are asked again, with `initialize`. */
async function openSessionOfUnknownEra(options: Omit<SessionOptions, 'beginning'>): Promise<OpenedSession> {
  const opened = await openSession({ ...options, beginning: 'negotiate' });
  if (opened.ok || opened.problem.kind !== 'fault') return opened;
  const { code, status = 0, retryAfterMs } = opened.problem;
  const mayKnowInitialize = code === 'malformed-protocol' || (status >= 500 && retryAfterMs === undefined);
  return mayKnowInitialize ? openSession({ ...options, beginning: 'initialize' }) : opened;
}

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

async function readAllToolPagesLeavingOutBroken(
  client: Client,
  limits: { readonly maxTools: number; readonly maxPages: number; readonly maxBytes: number },
): Promise<Result<Pick<ListedServer, 'tools' | 'leftOut'>, DiscoveryFailure>> {
  const tools = new Map<string, ListedTool>();
  const broken: BrokenTool[] = [];
  const cursors = new Set<string>();
  const takesTasks = client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
  let cursor: string | undefined;
  let bytes = 0;
  for (let pages = 1; ; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await requestOneToolPage(client, params);
    if (!answer.ok) return answer;
    const { tools: listed, nextCursor } = answer.value;
    if (tools.size + broken.length + listed.length > limits.maxTools) {
      return makeListRefusal('too-many-tools', `more than ${limits.maxTools} tools`);
    }
    for (const each of listed) {
      const place = tools.size + broken.length + 1;
      const checked = refuseToolIfParamHeadersAreWrong(
        checkListedTool(each, place, takesTasks),
        client.getProtocolEra(),
      );
      if (!checked.ok) broken.push({ tool: nameOrPlaceOfTool(each, place), refusal: checked });
      else if (tools.has(checked.value.name))
        broken.push({ tool: checked.value.name, refusal: makeDuplicateRefusal(checked.value.name) });
      else tools.set(checked.value.name, checked.value);
    }
    bytes += countJsonBytes(listed);
    if (bytes > limits.maxBytes)
      return makeListRefusal('too-large', `the list is larger than ${limits.maxBytes} bytes`);
    if (nextCursor === undefined || nextCursor === '') break;
    if (cursors.has(nextCursor)) return makeListRefusal('not-mcp', 'tools/list gave the same cursor twice');
    if (pages === limits.maxPages)
      return makeListRefusal('too-large', `the list has more than ${limits.maxPages} pages`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  const [first] = broken;
  if (tools.size === 0) return first?.refusal ?? makeListRefusal('no-tools', 'the server lists no tools');
  const leftOut = broken
    .slice(0, mostLeftOut)
    .map(({ tool, refusal: { problem } }) => ({ tool, problem: problem.detail }));
  return ok({ tools: [...tools.values()], leftOut });
}

/** Names of broken tools that are kept. */
const mostLeftOut = 100;

type Refusal = { readonly ok: false; readonly problem: DiscoveryFailure };

interface BrokenTool {
  readonly tool: string;
  readonly refusal: Refusal;
}

async function requestOneToolPage(
  client: Client,
  params: { cursor?: string },
): Promise<Result<z.infer<typeof page>, DiscoveryFailure>> {
  try {
    // Bounds the time of the whole discovery; setTimeout takes at most 31 bits.
    const answer = await client.request({ method: 'tools/list', params }, page, { timeout: 2 ** 31 - 1 });
    return ok(answer);
  } catch (error) {
    const problem = toMcpProblemOrRethrowPlatformError(error);
    if (problem.kind === 'answer' && problem.code === ProtocolErrorCode.MethodNotFound) {
      return makeListRefusal('no-tools', 'the server does not offer tools');
    }
    if (problem.kind === 'fault') throw error;
    return convertProblemToRefusal(problem);
  }
}

/** A tool must fit into a row of storage and a line of a benchmark's file. */
const maxToolBytes = 512 * 1024;

/**
 * Checks the tools of a server that is only described as those of a connected one; refuses with the first problem. `rest`
 * is awaited after each tool, by its place from 1.
 */
export async function checkDescribedTools(
  described: readonly unknown[],
  rest: (place: number) => Promise<void>,
): Promise<Result<ListedTool[], DiscoveryFailure>> {
  const tools = new Map<string, ListedTool>();
  for (const [index, each] of described.entries()) {
    if (index > 0) await rest(index);
    const checked = checkListedTool(each, index + 1);
    if (!checked.ok) return checked;
    if (tools.has(checked.value.name)) return makeDuplicateRefusal(checked.value.name);
    tools.set(checked.value.name, checked.value);
  }
  return tools.size === 0 ? makeListRefusal('no-tools', 'it has no tools') : ok([...tools.values()]);
}

/**
 * Checks a tool of a list, by its place from 1. What it says about tasks (`execution`) counts only if its server takes them, as revision
 * 2025-11-25 demands.
 */
function checkListedTool(
  each: unknown,
  place: number,
  takesTasks = false,
): { readonly ok: true; readonly value: ListedTool } | Refusal {
  const parsed = listedTool.safeParse(each);
  if (!parsed.success) return malformedToolRefusal(each, place, parsed.error);
  const { name, inputSchema, outputSchema } = parsed.data;
  if (isTooDeep(parsed.data))
    return makeListRefusal('broken-schema', `tool ${place} is nested deeper than ${maxJsonDepth} levels`);
  if (!isToolName(name))
    return makeListRefusal('not-mcp', `the name of tool ${place} is not 1 to 128 printable characters`);
  const input = inputSchemaProblem(inputSchema);
  if (input !== undefined) return makeListRefusal('broken-schema', `${name}, input schema: ${input}`);
  const output = outputSchema === undefined ? undefined : outputSchemaProblem(outputSchema);
  if (output !== undefined) return makeListRefusal('broken-schema', `${name}, output schema: ${output}`);
  if (countJsonBytes(parsed.data) > maxToolBytes)
    return makeListRefusal('too-large', `${name} is larger than ${maxToolBytes} bytes`);
  const { execution, ...listed } = parsed.data;
  const tasks = takesTasks && execution !== undefined ? { execution } : {};
  return ok({ ...listed, ...tasks, inputSchema: { ...inputSchema, type: 'object' } });
}

/** In the era without sessions a client must leave out tools that want arguments in headers and say so wrongly. */
function refuseToolIfParamHeadersAreWrong(
  checked: ReturnType<typeof checkListedTool>,
  era: ProtocolEra | undefined,
): typeof checked {
  if (!checked.ok || era !== 'modern') return checked;
  const headers = parseParamHeadersOfSchema(checked.value.inputSchema);
  return headers.ok ? checked : makeListRefusal('broken-schema', `${checked.value.name}, ${headers.problem}`);
}

const makeDuplicateRefusal = (name: string): Refusal => makeListRefusal('duplicate-tool', `${name} is listed twice`);

/** Returns the name of a tool that is broken, or its place where the name cannot be shown. */
function nameOrPlaceOfTool(each: unknown, place: number): string {
  const parsed = named.safeParse(each);
  return parsed.success && isToolName(parsed.data.name) ? parsed.data.name : `tool ${place}`;
}

const named = z.looseObject({ name: z.string().max(128) });

function malformedToolRefusal(each: unknown, place: number, error: z.ZodError): Refusal {
  const which = nameOrPlaceOfTool(each, place);
  const path = error.issues[0]?.path.map(String).join('.') ?? '';
  const inSchema = path.startsWith('inputSchema') || path.startsWith('outputSchema');
  return makeListRefusal(
    inSchema ? 'broken-schema' : 'not-mcp',
    `${which}: ${path || 'the entry'} is not of the required form`,
  );
}

const countJsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const isToolName = (name: string): boolean => name.length >= 1 && name.length <= 128 && !/\p{Cc}/u.test(name);

function convertProblemToRefusal(problem: McpProblem): Result<never, DiscoveryFailure> {
  if (problem.kind === 'too-large') return makeListRefusal('too-large', 'an answer is larger than allowed');
  if (problem.kind === 'answer')
    return makeListRefusal('not-mcp', `the server answered with the error ${problem.code}`);
  const { code, status, detail, retryAfterMs } = problem;
  if (code === 'rate-limited' || retryAfterMs !== undefined) return makeBusyRefusal(detail, retryAfterMs);
  if (code === 'address-forbidden' || code === 'timeout' || code === 'not-proven') return makeListRefusal(code, detail);
  if (status === 401 || status === 403) return makeListRefusal('unauthorized', detail);
  const speaks = code === 'malformed-protocol' || (status !== undefined && status < 500);
  return makeListRefusal(speaks ? 'not-mcp' : 'unreachable', detail);
}

function makeBusyRefusal(detail: string, askedMs: number | undefined): Refusal {
  if (askedMs === undefined) return makeListRefusal('rate-limited', `${detail}; the server does not say until when`);
  const retryAfterMs = Math.min(longestPauseMs, askedMs);
  const until = new Date(Date.now() + retryAfterMs).toISOString();
  const refused = makeListRefusal('rate-limited', `rate-limited until ${until} (${detail})`);
  return err({ ...refused.problem, retryAfterMs });
}

/** Names in a detail come from the server, so their length is bounded. */
const makeListRefusal = (reason: DiscoveryFailure['reason'], detail: string): Refusal =>
  err({ reason, detail: detail.slice(0, 500) });
