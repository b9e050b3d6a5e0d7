import type { Client } from '../client.ts';
import type { Output } from './output.ts';

/** What a verb works with. */
export interface CommandContext {
  readonly client: Client;
  readonly output: Output;
}
