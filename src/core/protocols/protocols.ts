import { z } from 'zod';
import { liveMcpBench } from './live-mcp-bench.ts';
import { mcpBench } from './mcp-bench.ts';
import { mcpVerse } from './mcp-verse.ts';
import type { Protocol } from './protocol.ts';
import { sgvef } from './sgvef.ts';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { findRequestText, type RequestName } from '#core/evaluation/case-requests.ts';
import { getScorer, type ScorerKey } from '#core/scoring/scorers.ts';
import type { Scorer } from '#core/scoring/scorer.ts';

/** All protocols. This is their only list. */
const table = [sgvef, liveMcpBench, mcpVerse, mcpBench] as const;

export type ProtocolKey = (typeof table)[number]['key'];

export const protocolKey = z.enum(table.map(({ key }): ProtocolKey => key));

/** The protocol of benchmarks and evaluations that name none, as those of earlier releases. */
export const defaultProtocol: ProtocolKey = sgvef.key;

/** Returns the protocol of a key. */
export function getProtocol(key: ProtocolKey): Protocol<ProtocolKey> {
  const found: Protocol<ProtocolKey> | undefined = table.find((each) => each.key === key);
  if (found === undefined) throw new Error(`there is no protocol ${key}`);
  return found;
}

/** Returns the requests of a case at a unit: those of the protocol that the unit has. */
export const listRequestsOfUnit = (key: ProtocolKey, unit: BenchmarkUnit): RequestName[] =>
  getProtocol(key).requests[unit.kind ?? 'pair'].filter((name) => findRequestText(unit, name) !== null);

/** Returns the scorers that a protocol asks for, in display order. */
export const scorersOfProtocol = (key: ProtocolKey): readonly (Scorer & { readonly key: ScorerKey })[] =>
  getProtocol(key).scorers.map(getScorer);
