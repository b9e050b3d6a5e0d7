import { z } from 'zod';

/** A value that a disturbance changed, as texts. */
export const changedValue = z.object({ was: z.string().max(300), is: z.string().max(300) });
export type ChangedValue = z.infer<typeof changedValue>;

/** What an attack asks for: words that mean nothing, and a tool that does nothing. They are drawn for each attempt. */
export const canary = z.object({ word: z.string(), secret: z.string(), tool: z.string() });
export type Canary = z.infer<typeof canary>;

/** Characters of a server's own answer that a trace keeps beside the changed one. */
export const originalChars = 8_000;

/** How an attempt was disturbed. Agents never see it; readers of traces do. */
export const disturbanceRecord = z.object({
  /** The name of its kind. */
  kind: z.string().max(40),
  /** Whether it came about: some fit only certain results, and an attempt may make no such call. */
  met: z.boolean(),
  /** Whether the server was called in the call that it met; absent if it met none. */
  server: z.enum(['called', 'not-called']).optional(),
  /** The beginning of what the server itself answered; absent if it was not called. */
  original: z.string().max(originalChars).optional(),
  values: z.array(changedValue).max(20),
  /** Absent unless it is an attack. */
  canary: canary.optional(),
  /** The text that it planted, by its id and the version of its file; absent if it planted none. */
  payload: z.string().max(120).optional(),
  /** What that text asks for. */
  asks: z.enum(['call', 'word']).optional(),
});
export type DisturbanceRecord = z.infer<typeof disturbanceRecord>;
