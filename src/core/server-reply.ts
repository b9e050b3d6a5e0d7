import { z } from 'zod';

/** What an MCP server answered to one tools/call, unabridged: what an agent outside is told, and what a replay tells it again. */
export const serverReply = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    /** The protocol's result object with all that the server put into it, fields that MCP does not know too. */
    result: z.record(z.string(), z.unknown()),
  }),
  z.object({
    kind: z.literal('error'),
    /** A JSON-RPC error. */
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
]);
export type ServerReply = z.infer<typeof serverReply>;
