import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import type { Severity } from '../rules.ts';

/** What became of a request. */
export type Reply =
  /** A message with the id of the request, as a text or as a number. */
  | { readonly kind: 'message'; readonly line: string; readonly message: JsonObject }
  /** No such message in time; `instead` is an answer with another id, or with none, that came meanwhile. */
  | { readonly kind: 'silence'; readonly ms: number; readonly instead: string | null }
  /** The process ended, or the server takes no connections any more. */
  | { readonly kind: 'ended' }
  /** HTTP answered with a status and no message. */
  | { readonly kind: 'status'; readonly status: number };

/** A request and what became of it. */
export interface Exchange {
  /** The line that was sent. */
  readonly sent: string;
  readonly id: string | number;
  readonly reply: Reply;
}

export const listedCapabilities = ['tools', 'resources', 'prompts'] as const;
export type ListedCapability = (typeof listedCapabilities)[number];

/** What a server answered to the requests of the probe; null or absent if a request was not made. */
export interface ProtocolRecord {
  /** `legacy`: up to 2025-11-25, with `initialize`; `modern`: from 2026-07-28 on, with `server/discover`. */
  readonly era: 'legacy' | 'modern';
  /** `initialize` or `server/discover`. */
  readonly greeting: Exchange;
  /** `initialize` with a version that never was. */
  readonly unknownVersion: Exchange | null;
  readonly ping: Exchange | null;
  readonly unknownMethod: Exchange | null;
  /** A request whose id is a text. */
  readonly textId: Exchange | null;
  /** The pages of the lists that the server declares, in order; one page alone if a cursor came back. */
  readonly lists: Readonly<Partial<Record<ListedCapability, readonly Exchange[]>>>;
  readonly setLevel: Exchange | null;
  readonly unknownTool: Exchange | null;
  /** A request after a notification that does not exist. */
  readonly afterNotification: Exchange | null;
  /** A request after a line that is no JSON. */
  readonly afterMalformed: Exchange | null;
  /** Whether the process stays although its standard input is closed. */
  readonly staysAfterEnd: boolean;
  /** A request in a session that the server never opened, for servers with sessions. */
  readonly unknownSession: Exchange | null;
  /** The status that a request of a foreign web site got from a server of this machine. */
  readonly foreignOriginStatus: number | null;
}

/** The version that the probe asks for first. */
export const askedVersion = '2025-11-25';
/** A version that never was. */
export const neverVersion = '1999-01-01';

/** Something that a server does against the specification. */
export interface ProtocolFault {
  readonly severity?: Severity;
  readonly sentence: string;
  /** The exchange that shows it, or lines that do. */
  readonly shown: Exchange | readonly string[] | null;
  readonly proposal: string;
}

/** Returns the result of an exchange; null if there is none, or if it is no object. */
export function resultOf(exchange: Exchange | null): JsonObject | null {
  if (exchange?.reply.kind !== 'message') return null;
  const { result } = exchange.reply.message;
  return isJsonObject(result) ? result : null;
}
