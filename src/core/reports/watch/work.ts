import type { LearntCall } from './learnt-call.ts';
import type { WatchMessage } from './message.ts';
import type { Definitions } from './state.ts';

/** What a visit needs. */
export interface BegunVisit {
  readonly visit: number;
  readonly server: string;
  readonly workspace: string;
  readonly accepted: Definitions | null;
  readonly calls: readonly LearntCall[];
}

/** The repetition of an evaluation: its id, the evaluation that it repeats, the server that it is about, and where both are. */
export interface BegunRepetition {
  readonly run: string;
  readonly of: string;
  readonly workspace: string;
  readonly server: string;
}

/** Messages to send, and how. */
export interface WaitingMessages {
  readonly url: string;
  /** Encrypted. */
  readonly secret: string;
  readonly messages: readonly { readonly id: string; readonly message: WatchMessage }[];
}
