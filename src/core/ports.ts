import type { ModelCall, ModelRole } from './models/model-call.ts';
import type { FoundPassage, StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import type { FaultCode, InfrastructureFault } from '#core/models/faults.ts';
import type { AskedQuestion } from '#core/models/simulated-user/asked-question.ts';
import type { RankedTool } from '#core/similarity/retrieval/rank-tools.ts';
import type { z } from 'zod';

/**
 * What the core needs from the outside world. The adapters implement these ports; the core and the agents know only the
 * ports. Expected failures are tagged results. Errors of the platform are thrown, because nobody here can continue.
 */

/** How long an operation waited in the queue. Not part of its latency, nor of any time limit. */
export interface Queued {
  readonly queuedMs?: number;
}

/** What a server asked its user during a call, and what it was answered. */
export interface Asked {
  readonly asked?: readonly AskedQuestion[];
}

/** Whether a disturbance made what came back. Only traces say it; no agent is told. */
export interface Disturbed {
  readonly disturbed?: true;
}

/** A prompt with its variables filled in. */
export interface RenderedPrompt {
  /** `name@version` */
  readonly id: string;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
}

/** A model's answer to a question with a schema. `unusable`: the model itself failed, even after one repair attempt. */
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
  askForJson<T>(question: {
    readonly role: ModelRole;
    readonly prompt: RenderedPrompt;
    /** Name of the form in the request: letters, digits, hyphens. */
    readonly form: string;
    readonly schema: z.ZodType<T>;
    readonly seed: number;
  }): Promise<Answer<T>>;
}

export interface ToolCallRequest {
  readonly id: string;
  /** The function's name as the model wrote it. */
  readonly name: string;
  /** Its arguments as the model wrote them: JSON text, if the model followed the form. */
  readonly argumentsText: string;
}

/**
 * What an endpoint wrote beside the parsed parts of its message, such as thought signatures: unread, and returned to the
 * same endpoint.
 */
export interface OwnFields {
  /** The endpoint and model that wrote it. */
  readonly address: string;
  readonly message: Readonly<Record<string, unknown>>;
  /** By the place of the call. */
  readonly calls: readonly Readonly<Record<string, unknown>>[];
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls: readonly ToolCallRequest[];
      readonly own?: OwnFields | undefined;
    }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly content: string;
      /** The names of the functions that a search has loaded; only results of searches have it. */
      readonly loads?: readonly string[];
    };

export interface FunctionDefinition {
  /** Matches ^[A-Za-z_][A-Za-z0-9_-]{0,62}$ */
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether it is a search that loads functions, or was loaded by one; absent for all others. */
  readonly loading?: 'search' | 'loaded';
}

export type ChatTurn = Queued &
  (
    | {
        readonly ok: true;
        readonly content: string;
        readonly toolCalls: readonly ToolCallRequest[];
        /** Absent if the endpoint wrote nothing else. */
        readonly own?: OwnFields | undefined;
        /** `length`: the model reached its limit of completion tokens. */
        readonly finish: 'stop' | 'tool-calls' | 'length' | 'refused';
        /** Set with `length` if the endpoint refused the conversation because it is too long for the model. */
        readonly overflowed?: true;
        readonly call: ModelCall;
      }
    | {
        readonly ok: false;
        readonly fault: InfrastructureFault;
        /** Set if the endpoint takes fewer functions than it was offered. */
        readonly tooManyFunctions?: true;
        /** What unusable answers took. */
        readonly call?: ModelCall;
      }
  );

/** One turn of a conversation with tools. */
export interface ChatModel {
  completeTurn(request: {
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

/**
 * Computes vectors of texts with one model, in the order of the texts. There must be at least one text, and none may be
 * empty. `timeoutMs` limits the request and its repeats together, without waiting in queues; there is no limit without it.
 */
export interface Embedder {
  embed(
    texts: readonly string[],
    timeoutMs?: number,
  ): Promise<
    Queued &
      (
        | { readonly ok: true; readonly vectors: readonly (readonly number[])[]; readonly call: ModelCall }
        | { readonly ok: false; readonly fault: InfrastructureFault }
      )
  >;
}

/** The outcome of a tool call. `error` is the tool's own error, or the protocol's answer that names it. */
export type ToolOutcome =
  | {
      readonly kind: 'success' | 'error';
      /** The text content, joined by line breaks; other content is described by type and size. Bounded in length. */
      readonly text: string;
      /** Set if the result could not be checked against the tool's output schema: within too few steps, or at all. */
      readonly unchecked?: true;
      /** Set if the answer cannot be used, which is the server's doing. */
      readonly cause?: 'environment';
      /** JSON-RPC error code, if the protocol itself answered with an error. */
      readonly code?: number;
      /** The result's structured content as JSON, where the tool has an output schema; bounded as the text is. */
      readonly structured?: string;
      readonly truncated: boolean;
      /** SHA-256 of the whole text, hex. */
      readonly sha256: string;
    }
  | {
      readonly kind: 'fault';
      readonly fault: InfrastructureFault;
      /** Set if no server of the attempt could be connected to, so that the attempt cannot be made at all. */
      readonly unmounted?: true;
    };

/** The connections of one attempt, opened on first use; state on a server lasts as long as they do. */
export interface ToolConnections {
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    timeoutMs: number,
  ): Promise<ToolOutcome & Queued & Asked & Disturbed>;
}

/** A program that a model wrote, and the end of it. */
export interface Program {
  /** The body of an async function in JavaScript; `tools` and `console` are there. */
  readonly code: string;
  /** Characters of what it returns, and of what it prints, that come back. */
  readonly outputChars: number;
}

/** What a program got for a call. `json` is the value as JSON, if the result has a schema; `text` what the tool said. */
export type ProgramReply =
  | { readonly ok: true; readonly text: string; readonly json: string | null }
  | { readonly ok: false; readonly message: string };

/** How a program ended. `text` is what it returned, as JSON unless it is a text; null if it returned nothing. */
export type ProgramEnd = { readonly printed: string } & (
  | { readonly kind: 'returned'; readonly text: string | null; readonly truncated: boolean }
  /** `line` counts from 1 in its code; null if none is known. */
  | { readonly kind: 'threw'; readonly message: string; readonly line: number | null }
  /** It was ended from outside: by the signal, or because it took more memory or computing time than it may. */
  | { readonly kind: 'stopped'; readonly why: 'signal' | 'resources' }
);

/**
 * Runs a program in an isolate of its own, which has no network and ends with it. `call` carries out a call by the name that the
 * program gave and its arguments as JSON; it never rejects. When `signal` aborts, the program has ended once the promise resolves,
 * or can do nothing any more.
 */
export type RunProgram = (
  program: Program,
  call: (name: string, argumentsText: string) => Promise<ProgramReply>,
  signal: AbortSignal,
) => Promise<ProgramEnd>;

/** What an agent looks for: a tool, and optionally the kind of server that would have it. */
export interface RouteQuery {
  readonly tool: string;
  readonly server: string | null;
}

/** Finds the mounted tools that fit a query best, best first, within a time. `calls` are the paid model calls. */
export type FindTools = (
  query: RouteQuery,
  timeoutMs: number,
) => Promise<
  Queued & { readonly calls: readonly ModelCall[] } & (
      | { readonly ok: true; readonly tools: readonly RankedTool[] }
      | { readonly ok: false; readonly fault: InfrastructureFault }
    )
>;

/** An index, or the model that computes its vectors, could not be reached, or its answer does not fit the index. */
export interface IndexFault {
  readonly where: 'index' | 'model';
  /** The index's id, or the model's role. */
  readonly name: string;
  readonly code: FaultCode | 'dimension-mismatch' | 'index-full';
  /** One line for a person, without secrets. */
  readonly detail: string;
}

/** The result of a request to an index. */
export type Reached<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: IndexFault | InfrastructureFault };

/** What every store of passages supports, regardless of how vectors are computed. */
export interface PassageStore {
  /** Returns the digests of the stored passages among these ids. */
  digests(namespace: string, ids: readonly string[]): Promise<Reached<ReadonlyMap<string, string>>>;
  /** Removes passages; returns how many existed. */
  remove(namespace: string, ids: readonly string[]): Promise<Reached<number>>;
  /** Removes all passages of a namespace. */
  clear(namespace: string): Promise<Reached<null>>;
}

/** A store of passages with vectors from the caller. A passage replaces one with the same id. */
export interface VectorStore extends PassageStore {
  put(
    namespace: string,
    entries: readonly (StoredPassage & { readonly vector: readonly number[] })[],
  ): Promise<Reached<null>>;
  /** Returns the nearest by cosine, best first, at most `topK`. */
  nearest(namespace: string, vector: readonly number[], topK: number): Promise<Reached<readonly FoundPassage[]>>;
}

/** A store that computes the vectors of its passages itself. */
export interface TextStore extends PassageStore {
  putTexts(namespace: string, passages: readonly StoredPassage[]): Promise<Reached<null>>;
  nearestTexts(namespace: string, query: string, topK: number): Promise<Reached<readonly FoundPassage[]>>;
}

/** Finds passages for a question, to ground units in. `calls` are the paid model calls. */
export interface FactIndex {
  search(
    query: string,
    topK: number,
  ): Promise<Reached<readonly FoundPassage[]> & { readonly calls: readonly ModelCall[] }>;
}
