import { taskRequest } from './case-requests.ts';
import { defaultLoop } from './loops.ts';
import { oracleMounting, standardMounting } from '#core/units/mounting/mounting.ts';
import { chain } from '#core/scoring/chain.ts';
import { outcome } from '#core/scoring/outcome.ts';
import { tfd } from '#core/scoring/tfd.ts';
import { requestSide } from '#core/units/unit.ts';
import { noTokens, type Protocol } from './protocol.ts';

const verdictTokens = { promptTokens: 584, completionTokens: 18 };

/** One request, and a right answer or checks: only the outcome counts, by whatever path. */
export const mcpVerse = {
  key: 'mcp-verse',
  title: 'MCPVerse',
  source: 'MCPVerse (2025), section 3',
  unitKind: 'task',
  requests: { pair: [requestSide.enum.source], task: [taskRequest] },
  scorers: [outcome, chain, tfd],
  headline: outcome.key,
  verdict: outcome.key,
  mountings: [standardMounting, oracleMounting, { kind: 'max-scale' }],
  defaultLoop,
  ifTooManyTools: 'fall-back',
  judging: { judge: verdictTokens, panelMember: verdictTokens, embedder: noTokens },
} as const satisfies Protocol<'mcp-verse'>;
