import { z } from 'zod';
import { serverReply, type ServerReply } from '#core/catalog/server-reply.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import { makeTextResult } from './answer-texts.ts';
import type { ChangedAnswer, DisturbedAnswer, DisturbedCall } from './disturbance.ts';
import type { DrawnDisturbance } from './drawn-disturbance.ts';
import { changedValue, originalChars, type DisturbanceRecord } from './record.ts';

/** What has happened to an attempt's calls under its disturbance; it is stored with an attempt that outlives its process. */
export const disturbanceState = z.object({
  /** Calls so far, those of the canary tool excepted. */
  calls: z.int().min(0),
  /** The call that it met; null until it met one. */
  met: z
    .object({
      tool: z.string(),
      server: z.enum(['called', 'not-called']),
      original: z.string().optional(),
      values: z.array(changedValue),
    })
    .nullable(),
  /** The server's own answer to that call, until the call is repeated; null if there is none. */
  kept: z.object({ call: z.string(), answer: serverReply }).nullable(),
});
export type DisturbanceState = z.infer<typeof disturbanceState>;

export const undisturbedState: DisturbanceState = { calls: 0, met: null, kept: null };

/** What becomes of a call: its server is called, or it is answered here. */
export type Passage =
  /** `isTranslated`: its server is called with the arguments that the kind makes of the call's. */
  | { readonly kind: 'forward'; readonly isTranslated: boolean; readonly mayMeet: boolean }
  | { readonly kind: 'answer'; readonly answer: DisturbedAnswer; readonly isDisturbed: boolean };

const callText = ({ tool, arguments: args }: DisturbedCall): string => JSON.stringify([tool, canonicalJson(args)]);

/**
 * Decides before a call whether its server is called. The first repetition of a call whose answer was changed gets the server's own answer, which
 * was kept, so that a server is not called more often than it would be. The canary tool has no server.
 */
export function passageOfCall(
  { kind, after, draw }: DrawnDisturbance,
  before: DisturbanceState,
  call: DisturbedCall,
): { readonly state: DisturbanceState; readonly passage: Passage } {
  if (kind.group === 'attack' && call.tool === draw.canary.tool) {
    const passage = { kind: 'answer', answer: makeTextResult('Noted.'), isDisturbed: true } as const;
    return { state: before, passage };
  }
  const state = { ...before, calls: before.calls + 1 };
  const { kept, met } = before;
  if (kept !== null && kept.call === callText(call)) {
    return { state: { ...state, kept: null }, passage: { kind: 'answer', answer: kept.answer, isDisturbed: false } };
  }
  const lasts = met !== null && kind.lasts === true && met.tool === call.tool;
  const mayMeet = met === null && before.calls >= after;
  const answer = lasts || mayMeet ? (kind.answerInstead?.(call, draw) ?? null) : null;
  if (answer !== null) {
    const meeting = met ?? { tool: call.tool, server: 'not-called' as const, values: [] };
    return { state: { ...state, met: meeting }, passage: { kind: 'answer', answer, isDisturbed: true } };
  }
  return { state, passage: { kind: 'forward', isTranslated: lasts, mayMeet } };
}

/** Changes what a server answered, if the disturbance has met no call yet and fits this answer. `text`: the answer as agents would read it. */
export function changeOfAnswer(
  { kind, draw }: DrawnDisturbance,
  before: DisturbanceState,
  { call, answer, text, mayMeet }: { call: DisturbedCall; answer: ServerReply; text: string; mayMeet: boolean },
): { readonly state: DisturbanceState; readonly changed: ChangedAnswer | null } {
  const changed = mayMeet && before.met === null ? (kind.changeAnswer?.(answer, call, draw) ?? null) : null;
  if (changed === null) return { state: before, changed };
  const met = {
    tool: call.tool,
    server: 'called' as const,
    original: firstCharacters(text, originalChars),
    values: [...(changed.values ?? [])],
  };
  return { state: { ...before, met, kept: { call: callText(call), answer } }, changed };
}

/** Returns what a trace says of its disturbance. What changes the tools only has met every attempt. */
export function makeDisturbanceRecord({ kind, draw }: DrawnDisturbance, { met }: DisturbanceState): DisturbanceRecord {
  const changesCalls = kind.answerInstead !== undefined || kind.changeAnswer !== undefined;
  return {
    kind: kind.key,
    met: met !== null || !changesCalls,
    ...(met === null ? {} : { server: met.server }),
    ...(met?.original === undefined ? {} : { original: met.original }),
    values: met?.values ?? [],
    ...(kind.group === 'attack' ? { canary: draw.canary } : {}),
    ...(kind.group === 'attack' && kind.plants === true
      ? { payload: `${draw.payload.id} of ${draw.payload.version}`, asks: draw.payload.asks }
      : {}),
  };
}
