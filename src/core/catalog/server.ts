import { z } from 'zod';
import { domainName, serverName, type Tool } from './tool.ts';

/** A registered remote MCP server as clients see it: with the names of its secret headers, but never their values. */
export const serverRecord = z.object({
  id: z.string(),
  name: serverName,
  domain: domainName,
  url: z.string(),
  headerNames: z.array(z.string()),
  tools: z.int(),
  createdAt: z.string(),
  listedAt: z.string(),
});
export type ServerRecord = z.infer<typeof serverRecord>;

/** How to reach a server. The headers are encrypted under the context `headersEncryptionContext(url)`. */
export const serverConnection = z.object({ name: serverName, url: z.string(), headers: z.string().nullable() });
export type ServerConnection = z.infer<typeof serverConnection>;

/** Binds encrypted headers to their server, so that they cannot be used for another one. */
export const headersEncryptionContext = (url: string): string => `server-headers:${url}`;

export const catalogRecord = z.object({
  id: z.string(),
  servers: z.array(z.object({ id: z.string(), name: serverName, domain: domainName, tools: z.int() })),
  tools: z.int(),
  createdAt: z.string(),
});
export type CatalogRecord = z.infer<typeof catalogRecord>;

export interface NewServer {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly url: string;
  readonly headers: string | null;
  readonly headerNames: readonly string[];
  readonly tools: readonly Tool[];
  readonly at: string;
}
