import { z } from 'zod';

/** A server's name inside a workspace; it stands before the slash in its tools' names. */
export const serverName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'lower-case letters, digits and hyphens, at most 40, no hyphen first');

/** The field that a server belongs to (finance, travel, ...). */
export const domainName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9 -]{0,39}$/, 'lower-case letters, digits, spaces and hyphens, at most 40');

const jsonSchema = z.record(z.string(), z.unknown());

/** One tool of one server. The fields of MCP are kept as the server gave them. */
export const tool = z.object({
  /** `server/tool` */
  name: z.string().min(3),
  server: serverName,
  domain: domainName,
  /** Functional class, for function agreement (FA). */
  category: z.string().min(1).max(60),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
});

export type Tool = z.infer<typeof tool>;

/** The tool's name on its own server: what stands behind the first slash. */
export const nameOnServer = (name: string): string => name.slice(name.indexOf('/') + 1);

/** The server part of a tool's name: what stands before the first slash. */
export const serverOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('/')));
