import type { Protocol } from './protocol.ts';

/** One request, and key points that a success has to reach by any path. */
export const liveMcpBench: Protocol<'live-mcp-bench'> = {
  key: 'live-mcp-bench',
  title: 'LiveMCPBench',
  source: 'LiveMCPBench (2025), section 2',
  unitKind: 'task',
  requests: ['request'],
};
