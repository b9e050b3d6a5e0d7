import {
  type Dialect,
  type DialectSetting,
  dialectWithChange,
  listDifferencesOfTwoDialects,
  mostSetAside,
} from '#core/models/dialect.ts';
import { makeChatExchange } from './chat-exchange.ts';
import type { Clients } from './clients.ts';
import type { Completion } from './completion.ts';
import { cutCompletionTokensToWindow, findCompletionTokensThatFit, findContextWindow } from './completion-room.ts';
import { composeAnthropicMessagesRequest } from './compose-messages-request.ts';
import { composeResponsesApiRequest } from './compose-response-request.ts';
import {
  type Question,
  type RequestSettings,
  chooseCompletionTokenLimit,
  composeChatCompletionRequest,
} from './compose-request.ts';
import type { EndpointAnswer, Exchange, Exchanged } from './exchange.ts';
import { queuePatienceMs } from './governed-requests.ts';
import { asksForResponsesApi, learnDialectFromRefusal } from './learn-dialect.ts';
import { statusesOfContent } from './refusals.ts';
import type { Broken } from './send-request.ts';
import type { FunctionDefinition } from '#core/ports.ts';
import type { LeftOutFunction, ModelRole } from '#core/models/model-call.ts';
import type { EndpointError } from './endpoint-error.ts';
import { sha256Hex } from '#core/values/canonical.ts';
import { convertFunctionSchemaForProfile } from '#core/models/function-schemas/write-function-schema.ts';

/** The functions of a request as its endpoint takes them, and those that it does not take. */
interface ChosenFunctions {
  readonly sent: readonly FunctionDefinition[];
  readonly leftOut: readonly LeftOutFunction[];
}

/** Writes functions for an endpoint. Those that it has refused, and those whose schema cannot be written for it, are left out. */
async function convertFunctionsForEndpoint(
  functions: readonly FunctionDefinition[],
  { functionSchemas, functionsSetAside }: Dialect,
): Promise<ChosenFunctions> {
  const refused = new Set(functionsSetAside);
  const sent: FunctionDefinition[] = [];
  const leftOut: LeftOutFunction[] = [];
  for (const each of functions) {
    const written = convertFunctionSchemaForProfile(each.parameters, functionSchemas);
    if (refused.size > 0 && refused.has(await nameAndDigestOfFunction(each)))
      leftOut.push({ name: each.name, reason: 'refused', pointer: null });
    else if (written.ok) sent.push({ ...each, parameters: written.schema });
    else leftOut.push({ name: each.name, ...written.refusal });
  }
  return { sent, leftOut };
}

/** Returns the dialect without some functions. The latest of those that are set aside are remembered. */
async function dialectWithFunctionsSetAside(
  dialect: Dialect,
  functions: readonly FunctionDefinition[],
): Promise<Dialect> {
  const added = await Promise.all(functions.map(nameAndDigestOfFunction));
  const functionsSetAside = [...new Set([...dialect.functionsSetAside, ...added])].slice(-mostSetAside);
  return dialectWithChange(dialect, { functionsSetAside });
}

/** Functions of different servers, and of different workspaces, may have the same name. */
async function nameAndDigestOfFunction({ name, description, parameters }: FunctionDefinition): Promise<string> {
  const digest = await sha256Hex(JSON.stringify([description, parameters]));
  return `${name}@${digest.slice(0, 32)}`;
}

/** A mistake of the model in a call is no refusal of the function (Groq's `tool_use_failed`). */
const mistakes = /\btool_use_failed\b|\bdid not match schema\b|\bwhich was not in request\.tools\b/i;

/** OpenAI ("Invalid schema for function 'a'", "Invalid function name"), Vertex AI ("because `a` functionDeclaration"). */
const byName: readonly RegExp[] = [
  /\b(?:invalid|unsupported|malformed)\b[^.'"`\n]{0,40}\b(?:function|tool)\b[^.'"`\n]{0,20}['"`]([\w-]{1,64})['"`]/gi,
  /[`'"]([\w-]{1,64})[`'"] functionDeclaration\b/g,
];

/**
 * Returns the places of the functions that a refusal names: by their names, or else as `tools[2]` (OpenAI), `tools.2` (Anthropic,
 * FastAPI), or `tools[0].function_declarations[2]` (Gemini, also with all functions in tools of their own). `sent` are their names.
 */
export function listRefusedFunctionPlaces(
  { codes, message, params }: EndpointError,
  sent: readonly string[],
): number[] {
  const said = [...params, message].join('\n');
  if (mistakes.test(`${codes.join(' ')} ${said}`)) return [];
  const named = byName
    .flatMap((words) => [...message.matchAll(words)])
    .map(([, name]) => sent.findIndex((each) => each === name));
  const places = [...said.matchAll(/\btools(?:\[|\.)(\d{1,4})\]?(?:\.function_?declarations\[(\d{1,4})\])?/gi)]
    // One of the two counts the functions, the other one is 0.
    .filter(([, tool, declaration = '0']) => tool === '0' || declaration === '0')
    .map(([, tool, declaration = '0']) => Number(tool) + Number(declaration));
  const known = (found: readonly number[]): number[] =>
    [...new Set(found)].filter((at) => at >= 0 && at < sent.length).toSorted((a, b) => a - b);
  return known(named).length > 0 ? known(named) : known(places);
}

const composers = {
  chat: composeChatCompletionRequest,
  responses: composeResponsesApiRequest,
  messages: composeAnthropicMessagesRequest,
} as const;

/** Names a request that asked for fewer tokens than it was to, because the window had no room for more. */
const fewerTokens = 'mostCompletionTokens: what the window has room for';

/** How often one request is adapted to refusals. */
const mostAdaptations = 8;

/**
 * What endpoints refused, by address and what the client set. It lasts as long as the process and is only a shortcut:
 * without it the same is refused once more.
 */
const learnt = new Map<string, Dialect>();
const mostRemembered = 1_000;

const dialectCacheKey = ({ settings: { address }, set }: AdaptedTo): string => `${address} ${JSON.stringify(set)}`;

function cacheDialect(key: string, dialect: Dialect): void {
  if (learnt.size >= mostRemembered) learnt.clear();
  learnt.set(key, dialect);
}

/** What requests are adapted to. */
export interface AdaptedTo {
  readonly clients: Clients;
  readonly exchange: <T>(exchanged: Exchange<T>) => Promise<Exchanged<T>>;
  readonly settings: RequestSettings;
  readonly role: ModelRole;
  /** The dialect before anything is learnt. */
  readonly published: Dialect;
  /** The part of it that the client has set. */
  readonly set: DialectSetting;
  /** What the endpoint has refused before this process. */
  readonly learnt: DialectSetting;
}

/** Returns the dialect as far as it is known, with what its endpoint has refused. */
export const getCachedOrPublishedDialect = (to: AdaptedTo): Dialect =>
  learnt.get(dialectCacheKey(to)) ?? dialectWithChange(to.published, to.learnt);

interface Completing {
  readonly prompt: string;
  readonly question: Question;
  readonly timeoutMs: number;
}

/**
 * Asks for a completion. A request that is refused for an optional field, or for a bound that the endpoint states, is made
 * again without the field or within the bound, and the call says what was changed. A function that it refuses, or that cannot be
 * written for it, is left out, and the call names it.
 */
export async function completeAdaptingToRefusals(
  to: AdaptedTo,
  { prompt, question, timeoutMs }: Completing,
): Promise<EndpointAnswer<Completion>> {
  const { clients, exchange, settings, published, set } = to;
  const isOffered = (question.functions ?? []).length > 0;
  const patienceMs = queuePatienceMs(question.messages);
  let dialect = getCachedOrPublishedDialect(to);
  // Room within the window depends on the conversation, so it is not remembered.
  let room: number | null = null;
  let [queuedMs, tookMs] = [0, 0];
  let settled = set;
  for (let adapted = 0; ; adapted += 1) {
    const { wire } = dialect;
    const chosen = await convertFunctionsForEndpoint(question.functions ?? [], dialect);
    if (isOffered && chosen.sent.length === 0) return makeNoFunctionFailure(to, chosen.leftOut.length, queuedMs);
    const written = { ...question, functions: chosen.sent };
    const { body, limit, isLess } = composeRequestThatFitsWindow(written, settings, dialect, room);
    const asked = adapted === mostAdaptations ? 0 : limit;
    const left = timeoutMs - tookMs;
    const { answer, broken, latencyMs } = await exchange(
      makeChatExchange({ clients, wire, prompt, body, timeoutMs: left, patienceMs, asked }),
    );
    queuedMs += answer.queuedMs;
    tookMs += latencyMs;
    if (answer.ok) {
      // An effort that only the endpoint asks for changes what is measured, even if it is published.
      const meant = isOffered ? { ...published, effortWithFunctions: set.effortWithFunctions ?? null } : published;
      const adaptations = [...listDifferencesOfTwoDialects(meant, dialect), ...(isLess ? [fewerTokens] : [])];
      const { leftOut } = chosen;
      const changed = {
        ...(adaptations.length === 0 ? {} : { adaptations }),
        ...(leftOut.length === 0 ? {} : { leftOut }),
      };
      return { ...answer, call: { ...answer.call, ...changed }, queuedMs };
    }
    const found = broken === undefined ? undefined : findTokensThatFitAfterOverflow(broken, asked);
    const next =
      learnDialectFromFailureOrNull(broken, { dialect, wire, body, set: settled }) ??
      (await dialectWithoutRefusedFunctionsOrNull(broken, dialect, question.functions ?? [], chosen));
    if (adapted === mostAdaptations || (found === undefined && next === null)) return { ...answer, queuedMs };
    // An endpoint without the wire that it asks for is not asked over it again.
    if (next !== null && wire !== 'chat' && next.wire === 'chat') settled = { ...set, wire: 'chat' };
    room = found ?? room;
    dialect = next ?? dialect;
    if (found !== undefined && broken?.said !== undefined)
      dialect = dialectWithChange(dialect, { window: findContextWindow(broken.said) });
    cacheDialect(dialectCacheKey(to), dialect);
  }
}

/** Returns a request whose completion tokens are at most `room`, if it is known, and fit the window, and whether they are fewer than wanted. */
function composeRequestThatFitsWindow(
  question: Question,
  settings: RequestSettings,
  dialect: Dialect,
  room: number | null,
) {
  const compose = composers[dialect.wire];
  const wanted = chooseCompletionTokenLimit(question, settings, dialect);
  const body = compose(question, settings, dialect);
  const limit = Math.min(cutCompletionTokensToWindow(dialect, body, wanted), room ?? wanted);
  if (limit === wanted) return { body, limit, isLess: false };
  return { body: compose(question, settings, { ...dialect, mostCompletionTokens: limit }), limit, isLess: true };
}

/** Returns a failure that lets an agent continue with its tools in words, as at an endpoint that takes too few functions. */
function makeNoFunctionFailure({ role }: AdaptedTo, offered: number, queuedMs: number): EndpointAnswer<Completion> {
  const detail = `none of the ${offered} functions can be written for the endpoint`;
  const fault = { where: 'model', name: role, code: 'http-status', detail } as const;
  return { ok: false, fault, tooManyFunctions: true, queuedMs };
}

/** Returns the dialect without the functions that a refusal names; null if it names none. */
async function dialectWithoutRefusedFunctionsOrNull(
  broken: Broken | undefined,
  dialect: Dialect,
  functions: readonly FunctionDefinition[],
  { sent }: ChosenFunctions,
): Promise<Dialect | null> {
  if (broken?.said === undefined || broken.refused !== undefined || !statusesOfContent.has(broken.status)) return null;
  const names = sent.map(({ name }) => name);
  const refused = listRefusedFunctionPlaces(broken.said, names).map((at) => names[at]);
  const found = functions.filter(({ name }) => refused.includes(name));
  return found.length === 0 ? null : dialectWithFunctionsSetAside(dialect, found);
}

const findTokensThatFitAfterOverflow = ({ refused, said }: Broken, asked: number): number | undefined =>
  refused === 'context-overflow' && said !== undefined ? findCompletionTokensThatFit(said, asked) : undefined;

interface Refused {
  readonly dialect: Dialect;
  readonly wire: Dialect['wire'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly set: DialectSetting;
}

function learnDialectFromFailureOrNull(
  broken: Broken | undefined,
  { dialect, wire, body, set }: Refused,
): Dialect | null {
  if (broken?.said === undefined) return null;
  // A gateway without the Responses API. What asks for it takes functions over chat completions only without reasoning.
  const isMissing = wire === 'responses' && (broken.status === 404 || broken.status === 405);
  if (isMissing && set.wire === undefined)
    return dialectWithChange(dialect, {
      wire: 'chat',
      effortWithFunctions: set.effortWithFunctions ?? set.effort ?? 'none',
    });
  // OpenAI says with 404 that a model is only there.
  if (wire === 'chat' && set.wire === undefined && asksForResponsesApi(broken.said))
    return dialectWithChange(dialect, { wire: 'responses' });
  return statusesOfContent.has(broken.status) ? learnDialectFromRefusal(dialect, broken.said, body, set) : null;
}
