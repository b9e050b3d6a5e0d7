import { z } from 'zod';
import { liveMcpBench } from './live-mcp-bench.ts';
import type { Protocol } from './protocol.ts';
import { sgvef } from './sgvef.ts';

/** All protocols. This is their only list. */
const table = [sgvef, liveMcpBench] as const;

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
