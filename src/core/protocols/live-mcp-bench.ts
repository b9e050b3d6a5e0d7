import { taskRequest } from '#core/evaluation/case-requests.ts';
import { chain } from '#core/scoring/chain.ts';
import { success } from '#core/scoring/success.ts';
import { tfd } from '#core/scoring/tfd.ts';
import { requestSide } from '#core/units/unit.ts';
import type { Protocol } from './protocol.ts';

/** One request, and key points that a success has to reach by any path. */
export const liveMcpBench = {
  key: 'live-mcp-bench',
  title: 'LiveMCPBench',
  source: 'LiveMCPBench (2025), section 2',
  unitKind: 'task',
  requests: { pair: [requestSide.enum.source], task: [taskRequest] },
  scorers: [success.key, chain.key, tfd.key],
  headline: success.key,
  verdict: success.key,
  defaultMounting: { kind: 'max-scale' },
  defaultLoop: 'routing',
} as const satisfies Protocol<'live-mcp-bench'>;
