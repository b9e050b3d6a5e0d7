import { taskRequest } from './case-requests.ts';
import { defaultLoop } from './loops.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { ar } from '#core/scoring/ar.ts';
import { chain } from '#core/scoring/chain.ts';
import { ecg } from '#core/scoring/ecg.ts';
import { execution } from '#core/scoring/execution.ts';
import { handleKept } from '#core/scoring/handle-kept.ts';
import { mtc } from '#core/scoring/mtc.ts';
import { refusal } from '#core/scoring/refusal.ts';
import { success } from '#core/scoring/success.ts';
import { tcs } from '#core/scoring/tcs.ts';
import { tfd } from '#core/scoring/tfd.ts';
import { uic } from '#core/scoring/uic.ts';
import { requestSide } from '#core/units/unit.ts';
import type { Protocol } from './protocol.ts';

/** Two requests of one intent: what an agent does at one, it should do at the other. */
export const sgvef = {
  key: 'sgvef',
  title: 'SGVEF',
  source: 'SGVEF-LOOP, section 4',
  unitKind: 'pair',
  requests: { pair: [requestSide.enum.source, requestSide.enum.followUp], task: [taskRequest] },
  scorers: [success, chain, execution, mtc, tcs, ar, uic, tfd, handleKept, ecg, refusal],
  headline: success.key,
  verdict: success.key,
  mountings: [standardMounting],
  defaultLoop,
  ifTooManyTools: 'route',
  judging: {
    judge: { promptTokens: 4_247, completionTokens: 563 },
    panelMember: { promptTokens: 2_571, completionTokens: 105 },
    embedder: { promptTokens: 430, completionTokens: 0 },
  },
} as const satisfies Protocol<'sgvef'>;
