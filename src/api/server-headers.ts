import { z } from '@hono/zod-openapi';
import type { Settings } from '#adapters/settings.ts';
import { headersEncryptionContext, type StoredHeaders } from '#core/catalog/server.ts';
import { decryptOrRefuse, encryptOrRefuse } from './secrets.ts';

/** Headers that belong to the connection (RFC 9110, 7.6.1), to the request itself, or to the protocol. */
const transportHeaders = new Set(
  'host content-length content-type content-encoding transfer-encoding connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer upgrade expect accept accept-encoding last-event-id mcp-session-id mcp-protocol-version'.split(
    ' ',
  ),
);
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'not a header name');
const headerValue = z.string().regex(/^[\x20-\x7e]{0,4000}$/, 'printable ASCII, at most 4,000 characters');

/** Secret headers of a server. */
export const headersSchema = z.record(headerName, headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given).filter((each) => transportHeaders.has(each.toLowerCase())))
    context.addIssue({ code: 'custom', path: [name], message: `${name} is set by the transport; leave it out` });
});

/** Returns a server's headers as they are stored. */
export async function encryptServerHeaders(
  settings: Settings,
  headers: Readonly<Record<string, string>>,
  url: string,
): Promise<StoredHeaders> {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headers: null, headerNames };
  return {
    headers: await encryptOrRefuse(settings, JSON.stringify(headers), headersEncryptionContext(url)),
    headerNames,
  };
}

const headersJson = z.record(z.string(), z.string());

/** Returns a server's headers as they are sent; none if it has none. */
export async function decryptServerHeaders(
  settings: Settings,
  { headers: sealed }: Pick<StoredHeaders, 'headers'>,
  url: string,
): Promise<Record<string, string>> {
  if (sealed === null) return {};
  return headersJson.parse(JSON.parse(await decryptOrRefuse(settings, sealed, headersEncryptionContext(url))));
}
