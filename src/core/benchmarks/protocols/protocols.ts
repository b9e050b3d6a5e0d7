import { z } from 'zod';
import { liveMcpBench } from './live-mcp-bench.ts';
import { mcpBench } from './mcp-bench.ts';
import { mcpVerse } from './mcp-verse.ts';
import type { Protocol } from './protocol.ts';
import { sgvef } from './sgvef.ts';
import { findRequestText, type AskingUnit, type RequestName } from './case-requests.ts';

/**
 * All protocols. This is their only list: scorers, formats of published tasks, the client's verbs, tables of documents and the API's
 * document are built from it.
 */
const table = [sgvef, liveMcpBench, mcpVerse, mcpBench] as const;

type Listed = (typeof table)[number];
export type ProtocolKey = Listed['key'];
/** A scorer that some protocol asks for. */
export type ListedScorer = Listed['scorers'][number];
export type ScorerKey = ListedScorer['key'];
/** The scorers that order agents, each under some protocol. */
export type HeadlineKey = Listed['headline'];
/** The scorers that can say whether an attempt passed. */
export type VerdictKey = Exclude<Listed['verdict'], null>;

interface ListedProtocol extends Protocol<ProtocolKey, HeadlineKey, VerdictKey> {
  readonly scorers: readonly [ListedScorer, ...ListedScorer[]];
}

export const protocols: readonly ListedProtocol[] = table;

export const protocolKey = z.enum(table.map(({ key }): ProtocolKey => key));

/** The protocol of benchmarks and evaluations that name none, as those of earlier releases. */
export const defaultProtocol: ProtocolKey = sgvef.key;

/** Returns the protocol of a key. */
export function getProtocol(key: ProtocolKey): ListedProtocol {
  const found = protocols.find((each) => each.key === key);
  if (found === undefined) throw new Error(`there is no protocol ${key}`);
  return found;
}

/** Returns the requests of a case at a unit: those of the protocol that the unit has. */
export const listRequestNamesOfUnit = (key: ProtocolKey, unit: AskingUnit): RequestName[] =>
  getProtocol(key).requests[unit.kind ?? 'pair'].filter((name) => findRequestText(unit, name) !== null);

/** Returns the scorers that a protocol asks for, in display order. */
export const scorersOfProtocol = (key: ProtocolKey): readonly ListedScorer[] => getProtocol(key).scorers;

/** Returns the keys of the scorers that a protocol asks for, in display order. */
export const scorerKeysOfProtocol = (key: ProtocolKey): ScorerKey[] =>
  getProtocol(key).scorers.map((scorer): ScorerKey => scorer.key);
