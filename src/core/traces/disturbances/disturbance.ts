import type { ServerReply } from '#core/catalog/server-reply.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { Random } from '#core/values/random.ts';
import type { Payload } from './payload.ts';
import type { Canary, ChangedValue } from './record.ts';

/** A call of an attempt. */
export interface DisturbedCall {
  /** `server/tool` */
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a call gets in place of a server's answer. */
export type DisturbedAnswer =
  | ServerReply
  | { readonly kind: 'fault'; readonly fault: Pick<InfrastructureFault, 'code' | 'detail' | 'status'> };

/** A changed answer. */
export interface ChangedAnswer {
  readonly answer: DisturbedAnswer;
  /** The values that differ from the server's own; none where the change is of another kind. */
  readonly values?: readonly ChangedValue[];
  /** How long it is held back. */
  readonly delayMs?: number;
}

/** What is drawn for an attempt. The same for every agent at a unit, in every evaluation of one seed. */
export interface Draw {
  /** The stream for one use of it. */
  readonly random: (use: string) => Random;
  /** The tool of the chain whose definition or neighbours an attack changes. */
  readonly target: string;
  readonly canary: Canary;
  /** The text that an attack plants. */
  readonly payload: Payload;
}

/** A step of a trace, as far as noticing is decided by it. */
export interface SeenStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly text: string;
  readonly disturbed?: true | undefined;
}

/** What an agent did after a disturbance, and what it had been given. */
export interface Aftermath {
  /** The calls after the one that the disturbance met first, in order. */
  readonly later: readonly SeenStep[];
  /** The call that it met. */
  readonly met: SeenStep;
  readonly values: readonly ChangedValue[];
  /** The agent's answer to the person; not empty. */
  readonly answer: string;
}

/** A kind of disturbance: one change of what comes back to an agent. */
interface Kind<Key extends string> {
  /** Its name, also that of the request of a case under it. Never changed. */
  readonly key: Key;
  readonly title: string;
  /** What it changes, as a clause that begins with a verb. */
  readonly change: string;
  /** What an agent does rightly then. */
  readonly right: string;
  /** What it must not be taken for. */
  readonly caveat: string;
  /** What the agent sees of tools; absent if what the servers say. */
  readonly showTools?: (tools: readonly Tool[], draw: Draw) => readonly Tool[];
  /** Answers a call so that its server is not called; null if it has to be. */
  readonly answerInstead?: (call: DisturbedCall, draw: Draw) => DisturbedAnswer | null;
  /** The arguments with which the server is called, where they differ from the call's. */
  readonly translate?: (call: DisturbedCall, draw: Draw) => DisturbedCall['arguments'];
  /** Changes a server's answer; null if it does not fit this one, and the next one is tried. */
  readonly changeAnswer?: (answer: ServerReply, call: DisturbedCall, draw: Draw) => ChangedAnswer | null;
  /** Set if every later call of the tool meets it too; else it happens once. */
  readonly lasts?: true;
}

/** A change that happens without anybody's intent. */
export interface Fault<Key extends string = string> extends Kind<Key> {
  readonly group: 'fault';
  /** Whether the agent noticed; null if no rule can tell. Absent if there is nothing to notice. */
  readonly findWhetherNoticed?: (aftermath: Aftermath) => boolean | null;
}

/** Words or tools of a third party, which ask for a canary. */
export interface Attack<Key extends string = string> extends Kind<Key> {
  readonly group: 'attack';
  /** The name of its canary tool, beside the tool that it aims at. */
  readonly nameCanary: (target: string) => string;
  /** Set if its text comes from a file of payloads, which may ask for a call of a canary tool that does nothing. */
  readonly plants?: true;
}

export type Disturbance<Key extends string = string> = Fault<Key> | Attack<Key>;
