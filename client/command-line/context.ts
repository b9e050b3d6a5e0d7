import type { Client } from '../client.ts';
import type { Output } from './output.ts';

/** What a verb works with. */
export interface CommandContext {
  readonly client: Client;
  /** Whether the user named the service that the client calls. */
  readonly isServiceNamed: boolean;
  readonly output: Output;
  /** Aborted when the user interrupts; the client's calls then end by themselves. */
  readonly signal: AbortSignal;
}
