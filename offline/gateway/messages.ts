import { z } from 'zod';

/** A JSON-RPC id. */
export const idSchema = z.union([z.string(), z.number()]);
export type Id = z.infer<typeof idSchema>;

/** One JSON-RPC message of any kind: a request has method and id, a notification a method, a response an id. */
export const messageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: idSchema.nullish(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Message = z.infer<typeof messageSchema>;

/** The answer to a request: exactly one of the two, as the server sent it. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly [key: string]: unknown } };

const paramsSchema = z.looseObject({
  name: z.string().optional(),
  requestId: idSchema.optional(),
  progressToken: idSchema.optional(),
  _meta: z.looseObject({ progressToken: idSchema.optional() }).optional(),
});

/** Reads what the gateway needs from a request's parameters; nothing from malformed ones, which the server refuses. */
export function parseParamsOrEmpty(params: unknown): z.infer<typeof paramsSchema> {
  return paramsSchema.safeParse(params).data ?? {};
}

/** Reads one message; undefined for anything else. */
export function parseMessageOrUndefined(text: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return messageSchema.safeParse(value).data;
}

/** An answer with an error. */
export function errorAnswer(code: number, message: string): Answer {
  return { error: { code, message } };
}
