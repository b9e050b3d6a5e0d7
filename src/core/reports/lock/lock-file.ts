import { z } from 'zod';
import { toolEffect } from '#core/catalog/effect.ts';
import { listedTool } from '../check/listed-tool.ts';
import { resultShape } from './result-shape.ts';

/** A call that only reads, and succeeded whenever it was made to write the lock. */
export const lockedCall = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** The form of its results. */
  shape: resultShape,
});
export type LockedCall = Readonly<z.infer<typeof lockedCall>>;

export const lockedServer = z.object({
  name: z.string(),
  instructions: z.string().optional(),
  /** As the server lists them, with what they do by their declarations and words. */
  tools: z.array(listedTool.extend({ effect: toolEffect })),
  calls: z.array(lockedCall),
});
export type LockedServer = Readonly<z.infer<typeof lockedServer>>;

/** What servers offered and answered at one time, so that later what differs can be named. */
export const lockFile = z.object({
  type: z.literal('sextant-lock'),
  format: z.literal(1),
  servers: z.array(lockedServer),
});
export type LockFile = Readonly<z.infer<typeof lockFile>>;
