import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import { repeatCalls } from '#adapters/mcp/repeat-calls.ts';
import { makeHostLedgerWithFreshStubs } from '#adapters/network/fresh-hosts.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeUnprovenRequestCounterOrNull } from '#adapters/network/unproven-requests.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { effectOfTool, toolsWithEffects } from '#core/catalog/effect.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import { listedTool } from '#core/reports/check/listed-tool.ts';
import { wantsSecondTry } from '#core/reports/watch/learnt-call.ts';
import { readSeenCall, type SeenCall } from '#core/reports/watch/seen-call.ts';
import type { Definitions, Visit } from '#core/reports/watch/state.ts';
import type { BegunVisit } from '#core/reports/watch/work.ts';
import type { Result } from '#core/values/result.ts';
import type { Services } from '../context.ts';
import { Refusal } from '../problem.ts';
import { decryptAuthOrRefuse } from '../server-auth.ts';
import { decryptServerHeaders } from '../server-headers.ts';
import { makeServerGateIfLimited } from '../server-limits.ts';
import { listRuleCategorizedTools } from '../server-tools.ts';

const openingMs = 15_000;
const callMs = 20_000;
/** The whole visit; the object gives up on it later than that. */
const visitMs = 5 * 60_000;
const maxBytes = 1024 * 1024;
/** What a server offers is kept as one record, which the platform bounds at 2 MB. */
const mostDefinitionChars = 900_000;

/** Lists a server and repeats calls of its tools that only read. A server that cannot be asked, for whatever reason, is not reached. */
export async function visitServer(services: Services, begun: BegunVisit): Promise<Visit> {
  const at = new Date().toISOString();
  try {
    return await reachServer(services, begun, at);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'unreached', at, detail: error.problem.detail ?? error.problem.code };
  }
}

async function reachServer(services: Services, begun: BegunVisit, at: string): Promise<Visit> {
  const unreached = (detail: string): Visit => ({ kind: 'unreached', at, detail });
  const connection = await services.object('workspace', begun.workspace).serverConnection(begun.server);
  if (connection === null) return unreached('the server is not registered any more');
  const { url } = connection;
  if (url === null) return unreached('the server is only described: it has no address');
  const admission = new Admission();
  const hosts = makeHostLedgerWithFreshStubs({ getByName: (host) => services.object('host', host) }, admission);
  const unproven = makeUnprovenRequestCounterOrNull(services.settings, hosts, begun.workspace);
  const reached = {
    connection,
    admission,
    url,
    headers: await decryptServerHeaders(services.settings, connection, url),
    auth: await decryptAuthOrRefuse(services, connection.auth),
    admit: unproven === null ? undefined : (to: URL): Promise<void> => unproven.admit(to),
  };
  try {
    const definitions = await listTwiceIfOther(services, reached, begun.accepted);
    if (typeof definitions === 'string') return unreached(definitions);
    const repeated = await repeatBegunCalls(services, reached, definitions, begun);
    return repeated.ok ? { kind: 'reached', at, definitions, tries: repeated.value } : unreached(repeated.problem);
  } finally {
    await unproven?.giveBackRest();
  }
}

/** How a server is reached in a visit. */
interface Reached {
  readonly connection: ServerConnection;
  readonly admission: Admission;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: ServerAuth | undefined;
  readonly admit: ((url: URL) => Promise<void>) | undefined;
}

/** Lists what a server offers, or says why not. A list that differs is believed when it comes twice. */
async function listTwiceIfOther(
  { settings }: Services,
  { connection: { name, effects }, url, headers, auth, admit, admission }: Reached,
  accepted: Definitions | null,
): Promise<Definitions | string> {
  const list = async (): Promise<Definitions | string> => {
    const address = { name, domain: name, url, headers, auth, admit };
    const listed = await listRuleCategorizedTools(address, settings, admission);
    return listed.ok ? definitionsOf(name, listed.value, effects) : listed.problem.detail;
  };
  const first = await list();
  const differs = accepted !== null && canonicalJson(accepted) !== canonicalJson(first);
  const definitions = differs && typeof first !== 'string' ? await list() : first;
  return JSON.stringify(definitions).length > mostDefinitionChars
    ? `what the server offers is longer than the ${mostDefinitionChars} characters that a watch keeps`
    : definitions;
}

/** Makes the calls of a visit whose tools still only read; each that seems unusual twice. */
async function repeatBegunCalls(
  services: Services,
  { connection: { protocolVersion, redact, limits }, admission, url, headers, auth, admit }: Reached,
  { tools }: Definitions,
  { server, calls }: BegunVisit,
): Promise<Result<SeenCall[][], string>> {
  const reading = new Set(tools.flatMap(({ name, effect }) => (effect === 'reads' ? [name] : [])));
  const gate = makeServerGateIfLimited({ services, admission }, server, limits ?? {});
  const signal = AbortSignal.timeout(visitMs);
  const { ALLOW_LOCAL_SERVERS: allowLocal } = services.settings;
  const bounds = { signal, maxBytes, allowLocal, timeoutMs: openingMs, callTimeoutMs: callMs };
  return repeatCalls(
    { admission, url, headers, auth, admit, gate, protocolVersion, redact, ...bounds },
    async (call) => {
      const tries: SeenCall[][] = [];
      for (const each of calls) {
        const make = async (): Promise<SeenCall> => readSeenCall(await call(each.tool, each.arguments));
        const first = reading.has(each.tool) && !signal.aborted ? await make() : null;
        tries.push(first === null ? [] : wantsSecondTry(each, first) ? [first, await make()] : [first]);
      }
      return tries;
    },
  );
}

function definitionsOf(
  name: string,
  listed: Extract<Awaited<ReturnType<typeof listRuleCategorizedTools>>, { ok: true }>['value'],
  effects: Parameters<typeof toolsWithEffects>[1],
): Definitions {
  const tools = toolsWithEffects(listed.tools, effects).map((tool) => ({
    ...listedTool.parse({ ...tool, name: toolNameWithoutServer(tool.name) }),
    effect: effectOfTool(tool),
  }));
  return { name, ...(listed.instructions == null ? {} : { instructions: listed.instructions }), tools };
}
