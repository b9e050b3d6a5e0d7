import { liveMcpBenchFormat } from './live-mcp-bench/format.ts';
import { mcpBenchFormat } from './mcp-bench/format.ts';
import { mcpVerseFormat } from './mcp-verse/format.ts';
import type { TaskFormat } from './task-format.ts';

/** The formats of published tasks. This is their only list: the client has a verb for each. */
export const taskFormats: readonly TaskFormat[] = [liveMcpBenchFormat, mcpVerseFormat, mcpBenchFormat];
