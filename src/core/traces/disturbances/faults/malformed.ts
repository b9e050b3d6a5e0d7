import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

export const malformed = {
  key: 'malformed',
  group: 'fault',
  title: 'malformed answer',
  change: 'calls the server and reports that its answer was no valid MCP',
  right: 'call again, go another way, or say that it could not be done',
  caveat: "how a client's own parser meets such an answer: Sextant stands between",
  changeAnswer: () => ({
    answer: { kind: 'fault', fault: { code: 'malformed-protocol', detail: 'the answer is not a JSON-RPC response' } },
  }),
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'malformed'>;
