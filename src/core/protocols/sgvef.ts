import { requestSide } from '#core/units/unit.ts';
import type { Protocol } from './protocol.ts';

/** Two requests of one intent: what an agent does at one, it should do at the other. */
export const sgvef: Protocol<'sgvef'> = {
  key: 'sgvef',
  title: 'SGVEF',
  source: 'SGVEF-LOOP, section 4',
  unitKind: 'pair',
  requests: [requestSide.enum.source, requestSide.enum.followUp],
};
