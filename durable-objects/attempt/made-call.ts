import type { Arguments } from '#agents/steps.ts';

/** A call that is forwarded, with its arguments as the trace keeps them. */
export interface MadeCall {
  readonly tool: string;
  readonly arguments: Arguments;
  readonly turn: number;
  readonly turnTokens: null;
}

/** The usage of the agent's own model is unknown here. */
export const unseen = { turnTokens: null };

/** A call in the trace until its server has answered. */
export const cutOff = {
  kind: 'fault',
  fault: { where: 'service', name: 'gateway', code: 'connection-lost', detail: 'cut off before an answer came' },
} as const;
