import { taskRequest } from './case-requests.ts';
import { chain } from '#core/scoring/chain.ts';
import { success } from '#core/scoring/success.ts';
import { tfd } from '#core/scoring/tfd.ts';
import { requestSide } from '#core/units/unit.ts';
import { noTokens, type Protocol } from './protocol.ts';

const verdictTokens = { promptTokens: 2_571, completionTokens: 105 };

/** One request, and key points that a success has to reach by any path. */
export const liveMcpBench = {
  key: 'live-mcp-bench',
  title: 'LiveMCPBench',
  source: 'LiveMCPBench (2025), section 2',
  unitKind: 'task',
  requests: { pair: [requestSide.enum.source], task: [taskRequest] },
  scorers: [success, chain, tfd],
  headline: success.key,
  verdict: success.key,
  mountings: [{ kind: 'max-scale' }],
  defaultLoop: 'routing',
  ifTooManyTools: 'route',
  judging: { judge: verdictTokens, panelMember: verdictTokens, embedder: noTokens },
} as const satisfies Protocol<'live-mcp-bench'>;
