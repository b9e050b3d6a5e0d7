import type { ProtocolKey } from '../protocols/protocols.ts';
import { liveMcpBenchFormat } from './live-mcp-bench/format.ts';
import { mcpBenchFormat } from './mcp-bench.ts';
import { mcpVerseFormat } from './mcp-verse.ts';
import type { TaskFormat } from './task-format.ts';

/** How the authors of a protocol's paper publish their tasks; null if they publish none. */
export const taskFormats: Readonly<Record<ProtocolKey, TaskFormat | null>> = {
  sgvef: null,
  'live-mcp-bench': liveMcpBenchFormat,
  'mcp-verse': mcpVerseFormat,
  'mcp-bench': mcpBenchFormat,
  resilience: null,
  attack: null,
};
