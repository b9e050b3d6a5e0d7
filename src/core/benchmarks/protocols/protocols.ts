import { z } from 'zod';
import { attack } from './attack.ts';
import { liveMcpBench } from './live-mcp-bench.ts';
import { mcpBench } from './mcp-bench.ts';
import { mcpVerse } from './mcp-verse.ts';
import type { Protocol, UnitKind } from './protocol.ts';
import { resilience } from './resilience.ts';
import { sgvef } from './sgvef.ts';
import { findRequestText, requestTextOrThrow, type AskingUnit, type RequestName } from './case-requests.ts';
import { findDisturbance, type DisturbanceKey } from '#core/traces/disturbances/disturbances.ts';
import { makeRandom, shuffle } from '#core/values/random.ts';

/**
 * All protocols. This is their only list: scorers, formats of published tasks, the client's verbs, tables of documents and the API's
 * document are built from it.
 */
const table = [sgvef, liveMcpBench, mcpVerse, mcpBench, resilience, attack] as const;

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

/**
 * Returns the requests of a case at a unit: those of the protocol that the unit has, and of disturbances the chosen ones; all without a choice.
 * Those that are the same request under disturbances come in an order that the unit's words decide, so that an agent cannot tell from the
 * place of an attempt what will happen in it.
 */
export function listRequestNamesOfUnit(
  key: ProtocolKey,
  unit: AskingUnit,
  kinds?: readonly DisturbanceKey[],
): RequestName[] {
  const names = listChosenRequests(key, unit.kind ?? 'pair', kinds).filter(
    (name) => findRequestText(unit, name) !== null,
  );
  const isDisturbed = names.some((name) => findDisturbance(name) !== undefined);
  return isDisturbed ? shuffle(makeRandom(0, 'weather', requestTextOrThrow(unit, names[0] ?? '')), names) : names;
}

/** Returns how many requests a case has at most. */
export const countRequestsOfCase = (key: ProtocolKey, unitKind: UnitKind, kinds?: readonly DisturbanceKey[]): number =>
  listChosenRequests(key, unitKind, kinds).length;

const listChosenRequests = (key: ProtocolKey, unitKind: UnitKind, kinds?: readonly DisturbanceKey[]): RequestName[] =>
  getProtocol(key).requests[unitKind].filter(
    (name) => kinds === undefined || findDisturbance(name) === undefined || kinds.some((kind) => kind === name),
  );

/** Returns the scorers that a protocol asks for, in display order. */
export const scorersOfProtocol = (key: ProtocolKey): readonly ListedScorer[] => getProtocol(key).scorers;

/** Returns the keys of the scorers that a protocol asks for, in display order. */
export const scorerKeysOfProtocol = (key: ProtocolKey): ScorerKey[] =>
  getProtocol(key).scorers.map((scorer): ScorerKey => scorer.key);
