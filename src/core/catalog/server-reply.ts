import { z } from 'zod';

/** An MCP server's complete answer to one tools/call, as external agents get it, live or replayed. */
export const serverReply = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    /**
     * The protocol's result object with everything that the server put into it, including fields that MCP does not
     * define.
     */
    result: z.record(z.string(), z.unknown()),
  }),
  z.object({
    kind: z.literal('error'),
    /** A JSON-RPC error. */
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
]);
export type ServerReply = z.infer<typeof serverReply>;
