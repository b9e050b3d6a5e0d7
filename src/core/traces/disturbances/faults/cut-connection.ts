import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

export const cutConnection = {
  key: 'cut-connection',
  group: 'fault',
  title: 'connection cut',
  change: 'calls the server and loses its answer, as if the connection had been cut',
  right: 'find out whether the call took effect, call again where that does no harm, or say what is not known',
  caveat: 'whether a repeated call would have acted twice: the repetition gets the kept answer',
  changeAnswer: () => ({
    answer: {
      kind: 'fault',
      fault: { code: 'connection-lost', detail: 'the connection was closed before an answer came' },
    },
  }),
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'cut-connection'>;
