import { disturbed } from '#core/scoring/disturbed.ts';
import { noticed } from '#core/scoring/noticed.ts';
import { passedOn } from '#core/scoring/passed-on.ts';
import { resilience as resilienceScorer } from '#core/scoring/resilience.ts';
import { success } from '#core/scoring/success.ts';
import { undisturbed } from '#core/scoring/undisturbed.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { faultKeys } from '#core/traces/disturbances/disturbances.ts';
import { requestSide } from '#core/units/unit.ts';
import { taskRequest } from './case-requests.ts';
import { defaultLoop } from './loops.ts';
import { noTokens, type Protocol } from './protocol.ts';

/** One request, undisturbed and under each kind of fault: what the faults change is seen within units. */
export const resilience = {
  key: 'resilience',
  title: 'resilience',
  source: "Sextant's own",
  unitKind: 'pair',
  requests: { pair: [requestSide.enum.source, ...faultKeys], task: [taskRequest, ...faultKeys] },
  scorers: [success, undisturbed, disturbed, resilienceScorer, noticed, passedOn],
  headline: disturbed.key,
  verdict: success.key,
  mountings: [standardMounting],
  defaultLoop,
  ifTooManyTools: 'route',
  judging: {
    judge: { promptTokens: 2_900, completionTokens: 140 },
    panelMember: { promptTokens: 2_571, completionTokens: 105 },
    embedder: noTokens,
  },
} as const satisfies Protocol<'resilience'>;
