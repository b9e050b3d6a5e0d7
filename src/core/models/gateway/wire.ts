import { z } from 'zod';

/** The APIs over which an external agent may ask its model: OpenAI's Chat Completions and Responses, Anthropic's Messages, Gemini's own. */
export const gatewayWire = z.enum(['chat', 'responses', 'messages', 'gemini']);
export type GatewayWire = z.infer<typeof gatewayWire>;

/** What a request asks for, by its path. */
export interface AskedOfModel {
  readonly wire: GatewayWire;
  /** Whether the tokens of a request are counted and nothing is written, which costs nothing. */
  readonly isCount: boolean;
  /** The model, where the path names it; otherwise the body does. */
  readonly model?: string;
  /** Gemini's verb, such as `streamGenerateContent`. */
  readonly verb?: string;
}

const geminiPath = /^gemini\/v1(?:beta)?\/models\/([^/:]{1,200}):(generateContent|streamGenerateContent|countTokens)$/;

/** Reads the path behind an attempt's address, without its first slash; null if nothing is there. */
export function parseModelPath(path: string): AskedOfModel | null {
  switch (path) {
    case 'openai/v1/chat/completions':
      return { wire: 'chat', isCount: false };
    case 'openai/v1/responses':
      return { wire: 'responses', isCount: false };
    case 'anthropic/v1/messages':
      return { wire: 'messages', isCount: false };
    case 'anthropic/v1/messages/count_tokens':
      return { wire: 'messages', isCount: true };
  }
  const [, model, verb] = geminiPath.exec(path) ?? [];
  if (model === undefined || verb === undefined) return null;
  return { wire: 'gemini', isCount: verb === 'countTokens', model: decodedOrAsItIs(model), verb };
}

const decodedOrAsItIs = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Parts of a query that say in which form the answer comes; nothing else is passed on, because it may be a key. */
const passedQuery = ['alt', 'beta'];

/**
 * Returns where a request goes: to the API beside the address that the evaluation names, with the query of that address. `path` and `query` are the
 * client's own.
 */
export function modelAddress(baseUrl: string, asked: AskedOfModel, query: URLSearchParams): string {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = `${base}${pathBehindBase(base, asked)}`;
  if (asked.wire === 'gemini') url.pathname = geminiPathname(base, asked);
  for (const name of passedQuery) {
    const value = query.get(name);
    if (value !== null && value.length <= 20) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Anthropic's own clients add the version to an address, OpenAI's expect it there. */
function pathBehindBase(base: string, { wire, isCount }: AskedOfModel): string {
  if (wire === 'chat') return '/chat/completions';
  if (wire === 'responses') return '/responses';
  const messages = `/messages${isCount ? '/count_tokens' : ''}`;
  return /\/v\d+$/.test(base) ? messages : `/v1${messages}`;
}

/** Gemini's own API is next to the one that is compatible with OpenAI's. */
function geminiPathname(base: string, { model = '', verb = '' }: AskedOfModel): string {
  const own = base.replace(/\/openai$/, '');
  return `${/\/v\d+(?:beta)?$/.test(own) ? own : `${own}/v1beta`}/models/${encodeURIComponent(model)}:${verb}`;
}

/** Headers of a client that its endpoint gets; all others could carry a secret, or describe the connection. */
const passedRequestHeaders: ReadonlySet<string> = new Set([
  'accept',
  'anthropic-beta',
  'anthropic-version',
  'content-type',
  'openai-beta',
  'user-agent',
  'x-goog-api-client',
]);

/** Headers of an answer that the client gets. */
const passedAnswerHeaders =
  /^(?:content-type|retry-after(?:-ms)?|(?:x-)?request-id|(?:anthropic|x)-ratelimit-[a-z-]+)$/;

const pickHeaders = (headers: Headers, isPassed: (name: string) => boolean): Headers =>
  new Headers(Array.from(headers).filter(([name]) => isPassed(name)));

export const requestHeadersToPass = (headers: Headers): Headers =>
  pickHeaders(headers, (name) => passedRequestHeaders.has(name));

export const answerHeadersToPass = (headers: Headers): Headers =>
  pickHeaders(headers, (name) => passedAnswerHeaders.test(name));

/** Where clients of these APIs write their key: an attempt's token comes in any of them. */
export function readTokenOfModelClient(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S{1,200})$/i.exec(headers.get('authorization') ?? '')?.[1];
  const bare = ['x-api-key', 'api-key', 'x-goog-api-key'].map((name) => headers.get(name)?.trim());
  return bearer ?? bare.find((token) => token !== undefined && /^\S{1,200}$/.test(token));
}
