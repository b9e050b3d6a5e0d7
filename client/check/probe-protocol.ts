import { modernVersion } from '#core/catalog/protocol-version.ts';
import type { CheckFinding } from '#core/reports/check/finding.ts';
import {
  askedVersion,
  listedCapabilities,
  neverVersion,
  resultOf,
  type Exchange,
  type ProtocolRecord,
} from '#core/reports/check/protocol/exchange.ts';
import { judgeProtocol } from '#core/reports/check/protocol/judge-protocol.ts';
import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import type { HttpEntry, ServerEntry, StdioEntry } from '../serve/server-file.ts';
import { isLoopback, openHttpWire, statusOfForeignOrigin } from './wires/http-wire.ts';
import { startStdioWire } from './wires/stdio-wire.ts';
import type { Wire, WireRequest } from './wires/wire.ts';

/** How long a server may take to start. */
const startMs = 20_000;
/** How long the first request after the start may take, while a server may still load what it needs. */
const firstMs = 10_000;
const answerMs = 3_000;
const listMs = 10_000;
const endMs = 8_000;
const mostPages = 20;

const clientInfo = { name: 'sextant-check', version: '1' };
const initialize = (protocolVersion: string): Omit<WireRequest, 'id'> => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo },
  timeoutMs: startMs,
});
/** What each request holds from 2026-07-28 on. */
const modernParams = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

const discover: Omit<WireRequest, 'id'> = { method: 'server/discover', params: modernParams, timeoutMs: firstMs };

/**
 * Returns what a server does against the specification of MCP. A local server gets processes of its own, and raw lines; one at
 * an address gets raw HTTP. Calls no tool that exists. Finds nothing about a server that does not start, or that asks for
 * authorization. Never rejects.
 */
export async function probeProtocol(entry: ServerEntry): Promise<CheckFinding[]> {
  const record = await recordProtocol(entry);
  return record === null ? [] : judgeProtocol(entry.name, record);
}

/** Returns what a server answers to the requests of the probe; null if it takes part in no conversation. Never rejects. */
export const recordProtocol = (entry: ServerEntry): Promise<ProtocolRecord | null> =>
  entry.kind === 'stdio' ? recordProcess(entry) : recordAddress(entry);

async function recordProcess(entry: StdioEntry): Promise<ProtocolRecord | null> {
  const wire = startStdioWire(entry);
  const second = startStdioWire(entry);
  try {
    const [record, unknownVersion] = await Promise.all([
      converse(wire, () => undefined),
      second.request({ id: 1, ...initialize(neverVersion) }),
    ]);
    if (record === null) return null;
    const isAlive = record.afterMalformed?.reply.kind === 'message';
    return {
      ...record,
      // A second process may be refused for other reasons, such as a file that the first one holds.
      unknownVersion: unknownVersion.reply.kind === 'message' && record.era === 'legacy' ? unknownVersion : null,
      staysAfterEnd: isAlive && !(await wire.end(endMs)),
    };
  } finally {
    await Promise.all([wire.kill(), second.kill()]);
  }
}

async function recordAddress(entry: HttpEntry): Promise<ProtocolRecord | null> {
  const wire = openHttpWire(entry);
  try {
    const record = await converse(wire, (version) => wire.agreeOn(version));
    if (record === null) return null;
    const [request, version] =
      record.era === 'modern' ? [discover, modernVersion] : [initialize(askedVersion), askedVersion];
    const foreignOriginStatus = isLoopback(entry.url)
      ? await statusOfForeignOrigin(entry, { id: 1, ...request, timeoutMs: answerMs }, version)
      : null;
    if (record.era === 'modern') return { ...record, foreignOriginStatus };
    return {
      ...record,
      unknownVersion: await askForUnknownVersion(entry),
      unknownSession: wire.session === null ? null : await askInUnknownSession(entry),
      foreignOriginStatus,
    };
  } finally {
    await wire.close();
  }
}

async function askForUnknownVersion(entry: HttpEntry): Promise<Exchange> {
  const wire = openHttpWire(entry);
  const exchange = await wire.request({ id: 1, ...initialize(neverVersion), timeoutMs: answerMs });
  await wire.close();
  return exchange;
}

/** The session is not ended afterwards: there is none. */
async function askInUnknownSession(entry: HttpEntry): Promise<Exchange> {
  const wire = openHttpWire(entry);
  wire.agreeOn(askedVersion);
  wire.useSession('00000000-0000-4000-8000-000000000000');
  return wire.request({ id: 1, method: 'ping', timeoutMs: answerMs });
}

/** Makes all requests of a conversation. Null if the server takes part in none. */
async function converse(wire: Wire, agreeOn: (version: string) => void): Promise<ProtocolRecord | null> {
  const opened = await open(wire, agreeOn);
  if (opened === null) return null;
  const { era, greeting } = opened;
  const result = resultOf(greeting) ?? {};
  const capabilities = isJsonObject(result['capabilities']) ? result['capabilities'] : {};
  let id = 100;
  const ask = (method: string, timeoutMs: number, params?: JsonObject, given?: string): Promise<Exchange> => {
    const all = era === 'modern' ? { ...params, ...modernParams } : params;
    id += 1;
    return wire.request({ id: given ?? id, method, timeoutMs, ...(all === undefined ? {} : { params: all }) });
  };
  /** The request that shows whether a server is alive; `ping` is gone from 2026-07-28 on. */
  const life = era === 'legacy' ? 'ping' : 'server/discover';
  const ping = era === 'legacy' ? await ask('ping', firstMs) : null;
  const unknownMethod = await ask('sextant/no-such-method', answerMs, {});
  const textId = await ask(life, answerMs, undefined, 'text-id-1');
  const lists: Partial<Record<(typeof listedCapabilities)[number], readonly Exchange[]>> = {};
  for (const capability of listedCapabilities)
    if (isJsonObject(capabilities[capability])) lists[capability] = await askForPages(capability, ask);
  const hasLogging = era === 'legacy' && isJsonObject(capabilities['logging']);
  const setLevel = hasLogging ? await ask('logging/setLevel', answerMs, { level: 'info' }) : null;
  const hasTools = isJsonObject(capabilities['tools']);
  const unknownTool = hasTools ? await ask('tools/call', answerMs, { name: 'no_such_tool_zz', arguments: {} }) : null;
  await wire.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/sextant/no-such-notification' }));
  const afterNotification = await ask(life, firstMs);
  await wire.send('{"jsonrpc": "2.0", "id": 77,');
  const afterMalformed = await ask(life, firstMs);
  const settle = (exchange: Exchange | null): Exchange | null => (exchange === null ? null : wire.settle(exchange));
  return {
    era,
    greeting,
    ping: settle(ping),
    unknownMethod: settle(unknownMethod),
    textId: settle(textId),
    lists,
    setLevel,
    unknownTool,
    afterNotification: settle(afterNotification),
    afterMalformed,
    unknownVersion: null,
    staysAfterEnd: false,
    unknownSession: null,
    foreignOriginStatus: null,
  };
}

/** Greets a server in the way of one of the two generations of the protocol that it knows; null if it knows none. */
async function open(
  wire: Wire,
  agreeOn: (version: string) => void,
): Promise<Pick<ProtocolRecord, 'era' | 'greeting'> | null> {
  const greeting = await wire.request({ id: 1, ...initialize(askedVersion) });
  const result = resultOf(greeting);
  if (result !== null) {
    agreeOn(typeof result['protocolVersion'] === 'string' ? result['protocolVersion'] : askedVersion);
    await wire.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return { era: 'legacy', greeting };
  }
  if (greeting.reply.kind === 'silence' || greeting.reply.kind === 'ended') return null;
  agreeOn(modernVersion);
  const discovered = await wire.request({ id: 2, ...discover });
  return resultOf(discovered) === null ? null : { era: 'modern', greeting: discovered };
}

/** Asks for all pages of a list; only the first one counts if a cursor comes back, because its items come back too. */
async function askForPages(
  capability: string,
  ask: (method: string, timeoutMs: number, params?: JsonObject) => Promise<Exchange>,
): Promise<Exchange[]> {
  const pages: Exchange[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  while (pages.length < mostPages) {
    const page = await ask(`${capability}/list`, listMs, cursor === undefined ? {} : { cursor });
    pages.push(page);
    cursor = resultOf(page)?.['nextCursor'];
    if (typeof cursor !== 'string' || cursor === '') return pages;
    if (seen.has(cursor)) break;
    seen.add(cursor);
  }
  return pages.slice(0, 1);
}
