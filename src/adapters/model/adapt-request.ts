import type OpenAI from 'openai';
import { differencesOf, type Dialect, type DialectSetting } from '#core/models/dialect.ts';
import { makeChatExchange } from './chat-exchange.ts';
import type { Completion } from './completion.ts';
import { composeRequest, type Question, type RequestSettings } from './compose-request.ts';
import type { EndpointAnswer, Exchange, Exchanged } from './exchange.ts';
import { learnFromRefusal } from './learn-dialect.ts';
import { findRoomForCompletion, statusesOfContent } from './refusals.ts';
import type { Broken } from './send-request.ts';

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

const memoryKey = ({ settings: { address }, set }: AdaptedTo): string => `${address} ${JSON.stringify(set)}`;

function rememberDialect(key: string, dialect: Dialect): void {
  if (learnt.size >= mostRemembered) learnt.clear();
  learnt.set(key, dialect);
}

/** What requests are adapted to. */
export interface AdaptedTo {
  readonly client: OpenAI;
  readonly exchange: <T>(exchanged: Exchange<T>) => Promise<Exchanged<T>>;
  readonly settings: RequestSettings;
  /** The dialect before anything is learnt. */
  readonly published: Dialect;
  /** The part of it that the client has set. */
  readonly set: DialectSetting;
}

/** Returns the dialect as far as it is known, with what its endpoint has refused in this process. */
export const recallDialect = (to: AdaptedTo): Dialect => learnt.get(memoryKey(to)) ?? to.published;

interface Completing {
  readonly prompt: string;
  readonly question: Question;
  readonly timeoutMs: number;
}

/**
 * Asks for a completion. A request that is refused for an optional field, or for a bound that the endpoint states, is made
 * again without the field or within the bound, and the call says what was changed.
 */
export async function completeAdapted(
  to: AdaptedTo,
  { prompt, question, timeoutMs }: Completing,
): Promise<EndpointAnswer<Completion>> {
  const { client, exchange, settings, published, set } = to;
  let dialect = recallDialect(to);
  // Room within the window depends on the conversation, so it is not remembered.
  let room: number | null = null;
  let [queuedMs, tookMs] = [0, 0];
  for (let adapted = 0; ; adapted += 1) {
    const used: Dialect = { ...dialect, mostCompletionTokens: room ?? dialect.mostCompletionTokens };
    const body = composeRequest(question, settings, used);
    const asked = adapted === mostAdaptations ? 0 : Number(body[used.tokenLimit] ?? 0);
    const left = timeoutMs - tookMs;
    const { answer, broken, latencyMs } = await exchange(
      makeChatExchange({ client, prompt, body, timeoutMs: left, asked }),
    );
    queuedMs += answer.queuedMs;
    tookMs += latencyMs;
    if (answer.ok) {
      const isOffered = (question.functions ?? []).length > 0;
      // An effort that only the endpoint asks for changes what is measured, even if it is published.
      const meant = isOffered ? { ...published, effortWithFunctions: set.effortWithFunctions ?? null } : published;
      const adaptations = [...differencesOf(meant, dialect), ...(room === null ? [] : [fewerTokens])];
      const call = adaptations.length === 0 ? answer.call : { ...answer.call, adaptations };
      return { ...answer, call, queuedMs };
    }
    const found = broken === undefined ? undefined : findRoom(broken, asked);
    const next = findLearnt(broken, { dialect, body, set });
    if (adapted === mostAdaptations || (found === undefined && next === null)) return { ...answer, queuedMs };
    room = found ?? room;
    dialect = next ?? dialect;
    rememberDialect(memoryKey(to), dialect);
  }
}

const findRoom = ({ refused, said }: Broken, asked: number): number | undefined =>
  refused === 'context-overflow' && said !== undefined ? findRoomForCompletion(said, asked) : undefined;

function findLearnt(
  broken: Broken | undefined,
  { dialect, body, set }: { dialect: Dialect; body: Readonly<Record<string, unknown>>; set: DialectSetting },
): Dialect | null {
  if (broken?.said === undefined || !statusesOfContent.has(broken.status)) return null;
  return learnFromRefusal(dialect, broken.said, body, set);
}
