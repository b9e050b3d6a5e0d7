import { z } from 'zod';
import { toolEffect } from './effect.ts';

/** A server's name within a workspace; the part of its tools' names before the slash. */
export const serverName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'lower-case letters, digits and hyphens, at most 40, no hyphen first');

/** The field that a server belongs to (finance, travel, ...). */
export const domainName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9 -]{0,39}$/, 'lower-case letters, digits, spaces and hyphens, at most 40');

const jsonSchema = z.record(z.string(), z.unknown());

/** One tool of one server. MCP's fields are kept as the server sent them. */
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
  /** What a call does to the server's state; missing in catalogs of earlier releases. */
  effect: toolEffect.optional(),
  /** Arguments that every call is sent with, such as `dryRun`. */
  forced: z.record(z.string(), z.boolean()).optional(),
  /** Set if its server takes calls of it only as tasks (`execution.taskSupport` of revision 2025-11-25). */
  taskSupport: z.literal('required').optional(),
});

export type Tool = z.infer<typeof tool>;

/** Returns the tool's name on its own server: the part after the first slash. */
export const toolNameWithoutServer = (name: string): string => name.slice(name.indexOf('/') + 1);

/** Returns the server part of a tool's name: the part before the first slash. */
export const serverNameOfToolName = (name: string): string => name.slice(0, Math.max(0, name.indexOf('/')));
