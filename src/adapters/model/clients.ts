import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Dialect } from '#core/models/dialect.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import type { EndpointOptions, ModelConfig } from './model-config.ts';
import type { ModelRequest } from './send-request.ts';

/** The SDKs that speak to one endpoint. */
export interface Clients {
  readonly openAi: OpenAI;
  /** Starts a request over a wire; its body is JSON. */
  post(wire: Dialect['wire'], body: string): ModelRequest['start'];
}

/** Makes the clients of an endpoint. Each request is made by an operation that holds a place. */
export function makeSdkClients(config: ModelConfig, { authentication }: Dialect, options: EndpointOptions): Clients {
  const { baseUrl, apiKey } = config;
  const url = new URL(baseUrl);
  const defaultQuery = Object.fromEntries(url.searchParams);
  url.search = '';
  const shared = {
    baseURL: url.href,
    defaultQuery,
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (input: string | URL | Request, init?: RequestInit) =>
      wrapRefusalBodyForSdk(
        await options.fetch(input instanceof Request ? input.url : input, { ...init, hasPlace: true }),
      ),
  } as const;
  const header =
    authentication === 'bearer' ? {} : { defaultHeaders: { authorization: null, [authentication]: apiKey } };
  const openAi = new OpenAI({
    ...shared,
    // Self-hosted endpoints often need no key, but the SDK requires one.
    apiKey: apiKey || 'none',
    ...header,
    // Without these the sdk looks into the environment.
    organization: null,
    project: null,
  });
  let anthropic: Anthropic | undefined;
  const getAnthropic = (): Anthropic => {
    anthropic ??= new Anthropic({
      ...shared,
      // Sent as a bearer token, unless the endpoint wants another header.
      apiKey: apiKey || 'none',
      ...header,
      webhookKey: null,
      openTelemetry: false,
    });
    return anthropic;
  };
  return {
    openAi,
    post: (wire, body) => (sending) => {
      const request = { ...sending, body, stream: true, headers: { 'content-type': 'application/json' } } as const;
      if (wire === 'messages') return getAnthropic().post(pathOfMessages(url), request);
      return openAi.post(wire === 'chat' ? '/chat/completions' : '/responses', request);
    },
  };
}

/** Anthropic's own clients add the version to an address, OpenAI's expect it there. */
const pathOfMessages = ({ pathname }: URL): string => (/\/v\d+\/?$/.test(pathname) ? '/messages' : '/v1/messages');

/** Puts the body of a refusal where the SDKs look for it: OpenAI's drops whatever is not in a field `error`. */
async function wrapRefusalBodyForSdk(response: Response): Promise<Response> {
  if (response.ok) return response;
  // The status counts even where the body cannot be read.
  const text = await response.text().catch((error: unknown) => {
    if (findPlatformError(error) !== undefined) throw error;
    return '';
  });
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const { status } = response;
  return new Response(JSON.stringify({ error: text }), { status, headers });
}
