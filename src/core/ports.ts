import type { FoundPassage, StoredPassage } from './knowledge/passage-record.ts';
import type { FaultCode, InfrastructureFault } from './faults.ts';
import type { z } from 'zod';

/**
 * What the core asks of the outside world. The adapters stand behind these; the core and the agents know only them.
 * Nothing here throws for what may well happen: every outcome is a tagged result. What the platform stops is thrown, as
 * nobody here can go on.
 */

export type ModelRole = 'writer' | 'critic' | 'agent' | 'judge' | 'embedder';

/** One request to a model that was answered, with what it cost; repeats after 429 and 5xx are in `retries`. */
export interface ModelCall {
  readonly role: ModelRole;
  readonly model: string;
  /** `name@version` of the prompt. */
  readonly prompt: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** US dollars by the configured prices; 0 where no price was configured. */
  readonly costUsd: number;
  readonly latencyMs: number;
  readonly retries: number;
}

/** How long an operation waited for its turn to send anything: no part of its latency, nor of anybody's time limit. */
export interface Queued {
  readonly queuedMs?: number;
}

/** A prompt with its variables filled in. */
export interface RenderedPrompt {
  /** `name@version` */
  readonly id: string;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
}

/** A model's answer to a question with a schema. `unusable` is the model's own failure after one repair attempt. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly calls: readonly ModelCall[] }
  | {
      readonly ok: false;
      readonly reason: 'unusable';
      readonly cause: 'unparsed' | 'refused' | 'truncated';
      readonly detail: string;
      readonly calls: readonly ModelCall[];
    }
  | {
      readonly ok: false;
      readonly reason: 'fault';
      readonly fault: InfrastructureFault;
      readonly calls: readonly ModelCall[];
    };

/** Asks a model for JSON of a given form. */
export interface Questioner {
  ask<T>(question: {
    readonly role: ModelRole;
    readonly prompt: RenderedPrompt;
    /** Name of the form on the wire: letters, digits, hyphens. */
    readonly form: string;
    readonly schema: z.ZodType<T>;
    readonly seed: number;
  }): Promise<Answer<T>>;
}

export interface ToolCallRequest {
  readonly id: string;
  /** The function's name as the model wrote it. */
  readonly name: string;
  /** Its arguments as the model wrote them: JSON text, if the model kept to the form. */
  readonly argumentsText: string;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCallRequest[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface FunctionDefinition {
  /** Matches ^[A-Za-z0-9_-]{1,64}$ */
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type ChatTurn = Queued &
  (
    | {
        readonly ok: true;
        readonly content: string;
        readonly toolCalls: readonly ToolCallRequest[];
        /** `length`: the model ran into its limit of completion tokens. */
        readonly finish: 'stop' | 'tool-calls' | 'length' | 'refused';
        readonly call: ModelCall;
      }
    | { readonly ok: false; readonly fault: InfrastructureFault }
  );

/** One turn of a conversation with tools. */
export interface ChatModel {
  turn(request: {
    readonly role: ModelRole;
    /** `name@version` of the prompt that opened the conversation. */
    readonly prompt: string;
    readonly messages: readonly ChatMessage[];
    readonly functions: readonly FunctionDefinition[];
    readonly parallelCalls: boolean;
    readonly seed: number;
    readonly timeoutMs: number;
  }): Promise<ChatTurn>;
}

/** Vectors for texts, all of one model, in the order of the texts. There has to be a text, and none may be empty. */
export interface Embedder {
  embed(
    texts: readonly string[],
  ): Promise<
    | { readonly ok: true; readonly vectors: readonly (readonly number[])[]; readonly call: ModelCall }
    | { readonly ok: false; readonly fault: InfrastructureFault }
  >;
}

/** What a call of a tool came to. `error` is the tool's own (or the protocol's answer that names it). */
export type ToolOutcome =
  | {
      readonly kind: 'success' | 'error';
      /** The text content, joined by line breaks; other content is named by type and size. Bounded in length. */
      readonly text: string;
      /** There where the result could not be held against the tool's output schema: in too few steps, or not at all. */
      readonly unchecked?: true;
      /** JSON-RPC error code where the protocol itself answered with an error. */
      readonly code?: number;
      readonly truncated: boolean;
      /** SHA-256 of the whole text, hex. */
      readonly sha256: string;
    }
  | { readonly kind: 'fault'; readonly fault: InfrastructureFault };

/** Connections of one attempt to its servers, opened when first needed; state on a server lasts as long as they do. */
export interface ToolConnections {
  call(tool: string, args: Readonly<Record<string, unknown>>, timeoutMs: number): Promise<ToolOutcome & Queued>;
  close(): Promise<void>;
}

/** The way to an index broke, or that to the model which makes its vectors; or what came does not go into the index. */
export interface IndexFault {
  readonly where: 'index' | 'model';
  /** The index's id, or the model's role. */
  readonly name: string;
  readonly code: FaultCode | 'dimension-mismatch' | 'index-full';
  /** One line for a person, free of secrets. */
  readonly detail: string;
}

/** What came of asking an index. */
export type Reached<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: IndexFault | InfrastructureFault };

/** What every store of passages can do, however their vectors are made. */
export interface PassageStore {
  /** The digests of those of these ids that are there. */
  digests(namespace: string, ids: readonly string[]): Promise<Reached<ReadonlyMap<string, string>>>;
  /** Takes passages out; returns how many there were. */
  remove(namespace: string, ids: readonly string[]): Promise<Reached<number>>;
  /** Takes out all of a namespace. */
  clear(namespace: string): Promise<Reached<null>>;
}

/** Passages under vectors that whoever puts them in has made. A passage takes the place of one with the same id. */
export interface VectorStore extends PassageStore {
  put(
    namespace: string,
    entries: readonly (StoredPassage & { readonly vector: readonly number[] })[],
  ): Promise<Reached<null>>;
  /** The nearest by cosine, best first, at most `topK`. */
  nearest(namespace: string, vector: readonly number[], topK: number): Promise<Reached<readonly FoundPassage[]>>;
}

/** Passages whose vectors the store makes itself. */
export interface TextStore extends PassageStore {
  putTexts(namespace: string, passages: readonly StoredPassage[]): Promise<Reached<null>>;
  nearestTexts(namespace: string, query: string, topK: number): Promise<Reached<readonly FoundPassage[]>>;
}

/** What a unit is grounded in: finds passages for a question. `calls` are what a model was paid for it. */
export interface FactIndex {
  search(
    query: string,
    topK: number,
  ): Promise<Reached<readonly FoundPassage[]> & { readonly calls: readonly ModelCall[] }>;
}
