import type { Client } from '../client.ts';
import type { Output } from './output.ts';

/** What a verb works with. */
export interface CommandContext {
  readonly client: Client;
  readonly output: Output;
  /** Aborted when the person at the keyboard has had enough; the client's calls end by themselves. */
  readonly signal: AbortSignal;
}
