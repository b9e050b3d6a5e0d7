import { taskRequest } from '#core/evaluation/case-requests.ts';
import { defaultLoop } from '#core/evaluation/loops.ts';
import { standardMounting } from '#core/mounting/mounting.ts';
import { chain } from '#core/scoring/chain.ts';
import { outcome } from '#core/scoring/outcome.ts';
import { tfd } from '#core/scoring/tfd.ts';
import { requestSide } from '#core/units/unit.ts';
import type { Protocol } from './protocol.ts';

/** One request, and a right answer or checks: only the outcome counts, by whatever path. */
export const mcpVerse = {
  key: 'mcp-verse',
  title: 'MCPVerse',
  source: 'MCPVerse (2025), section 3',
  unitKind: 'task',
  requests: { pair: [requestSide.enum.source], task: [taskRequest] },
  scorers: [outcome.key, chain.key, tfd.key],
  headline: outcome.key,
  verdict: outcome.key,
  defaultMounting: standardMounting,
  defaultLoop,
} as const satisfies Protocol<'mcp-verse'>;
