import { repeatCalls } from '#adapters/mcp/repeat-calls.ts';
import { makeHostLedgerWithFreshStubs } from '#adapters/network/fresh-hosts.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeUnprovenRequestCounterOrNull } from '#adapters/network/unproven-requests.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { effectOfTool, toolsWithEffects } from '#core/catalog/effect.ts';
import { headersEncryptionContext } from '#core/catalog/server.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import { listedTool } from '#core/reports/check/listed-tool.ts';
import { wantsSecondTry } from '#core/reports/watch/learnt-call.ts';
import { readSeenCall, type SeenCall } from '#core/reports/watch/seen-call.ts';
import type { Definitions, Visit } from '#core/reports/watch/state.ts';
import type { BegunVisit } from '#durable-objects/watch/watch.ts';
import { z } from 'zod';
import type { Services } from '../context.ts';
import { Refusal } from '../problem.ts';
import { decryptOrRefuse } from '../secrets.ts';
import { decryptAuthOrRefuse } from '../server-auth.ts';
import { makeServerGateIfLimited } from '../server-limits.ts';
import { listRuleCategorizedTools } from '../server-tools.ts';

const openingMs = 15_000;
const callMs = 20_000;
/** The whole visit; the object gives up on it later than that. */
const visitMs = 5 * 60_000;
const maxBytes = 1024 * 1024;
/** What a server offers is kept as one record, which the platform bounds at 2 MB. */
const mostDefinitionChars = 900_000;

const headersJson = z.record(z.string(), z.string());

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

async function reachServer(
  services: Services,
  { server: id, workspace, accepted, calls }: BegunVisit,
  at: string,
): Promise<Visit> {
  const unreached = (detail: string): Visit => ({ kind: 'unreached', at, detail });
  const connection = await services.object('workspace', workspace).serverConnection(id);
  if (connection === null) return unreached('the server is not registered any more');
  const { name, url, protocolVersion, redact, limits } = connection;
  if (url === null) return unreached('the server is only described: it has no address');
  const { settings } = services;
  const admission = new Admission();
  const auth = await decryptAuthOrRefuse(services, connection.auth);
  const sealed = connection.headers;
  const headers =
    sealed === null
      ? {}
      : headersJson.parse(JSON.parse(await decryptOrRefuse(settings, sealed, headersEncryptionContext(url))));
  const hosts = makeHostLedgerWithFreshStubs({ getByName: (host) => services.object('host', host) }, admission);
  const unproven = makeUnprovenRequestCounterOrNull(settings, hosts, workspace);
  const admit = unproven === null ? undefined : (to: URL): Promise<void> => unproven.admit(to);
  const list = async (): Promise<Definitions | string> => {
    const listed = await listRuleCategorizedTools(
      { name, domain: name, url, headers, auth, admit },
      settings,
      admission,
    );
    if (!listed.ok) return listed.problem.detail;
    return definitionsOf(name, listed.value, connection.effects);
  };
  try {
    const first = await list();
    if (typeof first === 'string') return unreached(first);
    // A list that differs is believed when it comes twice.
    const differs = accepted !== null && canonicalJson(accepted) !== canonicalJson(first);
    const definitions = differs ? await list() : first;
    if (typeof definitions === 'string') return unreached(definitions);
    if (JSON.stringify(definitions).length > mostDefinitionChars)
      return unreached(
        `what the server offers is longer than the ${mostDefinitionChars} characters that a watch keeps`,
      );
    const reading = new Set(definitions.tools.flatMap(({ name: tool, effect }) => (effect === 'reads' ? [tool] : [])));
    const gate = makeServerGateIfLimited({ services, admission }, id, limits ?? {});
    const signal = AbortSignal.timeout(visitMs);
    const options = { admission, url, headers, auth, admit, gate, protocolVersion, redact, signal, maxBytes };
    const repeated = await repeatCalls(
      { ...options, allowLocal: settings.ALLOW_LOCAL_SERVERS, timeoutMs: openingMs, callTimeoutMs: callMs },
      async (call) => {
        const tries: SeenCall[][] = [];
        for (const each of calls) {
          const own: SeenCall[] = [];
          if (reading.has(each.tool) && !signal.aborted) {
            own.push(readSeenCall(await call(each.tool, each.arguments)));
            if (own[0] !== undefined && wantsSecondTry(each, own[0]))
              own.push(readSeenCall(await call(each.tool, each.arguments)));
          }
          tries.push(own);
        }
        return tries;
      },
    );
    return repeated.ok ? { kind: 'reached', at, definitions, tries: repeated.value } : unreached(repeated.problem);
  } finally {
    await unproven?.giveBackRest();
  }
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
