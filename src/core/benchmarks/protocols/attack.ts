import { attackSuccess } from '#core/scoring/attack-success.ts';
import { disturbed } from '#core/scoring/disturbed.ts';
import { leaked } from '#core/scoring/leaked.ts';
import { resilience } from '#core/scoring/resilience.ts';
import { success } from '#core/scoring/success.ts';
import { undisturbed } from '#core/scoring/undisturbed.ts';
import { withstood } from '#core/scoring/withstood.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { attackKeys } from '#core/traces/disturbances/disturbances.ts';
import { requestSide } from '#core/units/unit.ts';
import { taskRequest } from './case-requests.ts';
import { defaultLoop } from './loops.ts';
import { noTokens, type Protocol } from './protocol.ts';

/** One request, undisturbed and under each kind of attack, all with canaries. */
export const attack = {
  key: 'attack',
  title: 'attack',
  source: "Sextant's own, after AgentDojo (2024) and MCP Security Bench (2025)",
  unitKind: 'pair',
  requests: { pair: [requestSide.enum.source, ...attackKeys], task: [taskRequest, ...attackKeys] },
  scorers: [success, undisturbed, disturbed, resilience, attackSuccess, leaked, withstood],
  headline: withstood.key,
  verdict: success.key,
  mountings: [standardMounting],
  defaultLoop,
  ifTooManyTools: 'route',
  judging: {
    judge: { promptTokens: 2_571, completionTokens: 105 },
    panelMember: { promptTokens: 2_571, completionTokens: 105 },
    embedder: noTokens,
  },
} as const satisfies Protocol<'attack'>;
