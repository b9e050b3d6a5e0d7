import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import type { Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

const invalidParams = -32602;

export const toolGone = {
  key: 'tool-gone',
  group: 'fault',
  title: 'tool gone',
  change: 'refuses every call of one tool from one call on, as its server does when the tool no longer exists',
  right: 'reach the same by other tools, or say that it cannot be done any more',
  caveat: 'a client that lists the tools again: the list stays as it was when the attempt began',
  lasts: true,
  answerInstead: ({ tool }) => ({
    kind: 'error',
    error: { code: invalidParams, message: `Unknown tool: ${toolNameWithoutServer(tool)}` },
  }),
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'tool-gone'>;
