import {
  dialectWithChange,
  listDifferencesOfTwoDialects,
  type Dialect,
  type DialectSetting,
} from '#core/models/dialect.ts';
import { makeChatExchange } from './chat-exchange.ts';
import { convertFunctionsForEndpoint, dialectWithFunctionsSetAside, type ChosenFunctions } from './choose-functions.ts';
import type { Clients } from './clients.ts';
import type { Completion } from './completion.ts';
import { findCompletionTokensThatFit, findContextWindow, cutCompletionTokensToWindow } from './completion-room.ts';
import { composeAnthropicMessagesRequest } from './compose-messages-request.ts';
import { composeResponsesApiRequest } from './compose-response-request.ts';
import {
  composeChatCompletionRequest,
  chooseCompletionTokenLimit,
  type Question,
  type RequestSettings,
} from './compose-request.ts';
import type { EndpointAnswer, Exchange, Exchanged } from './exchange.ts';
import { queuePatienceMs } from './governed-requests.ts';
import { asksForResponsesApi, learnDialectFromRefusal } from './learn-dialect.ts';
import { listRefusedFunctionPlaces } from './refused-functions.ts';
import { statusesOfContent } from './refusals.ts';
import type { Broken } from './send-request.ts';
import type { FunctionDefinition } from '#core/ports.ts';
import type { ModelRole } from '#core/models/model-call.ts';

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
