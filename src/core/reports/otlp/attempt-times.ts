import type { Trace } from '#core/traces/trace.ts';

/** When something began and ended, in milliseconds after its attempt began. */
export interface Times {
  readonly startMs: number;
  readonly endMs: number;
}

export interface AttemptTimes {
  readonly attempt: Times;
  /** By turn, from the first. */
  readonly turns: readonly Times[];
  /** By step, in the order of issue. */
  readonly steps: readonly Times[];
  /** By search, in the order of issue. */
  readonly routes: readonly Times[];
}

/**
 * Returns when the turns and calls of an attempt were made, as far as a trace says it. It has the start and the duration of the attempt and
 * how long each call took, but not when a call began. So the calls of a turn start together after it, and the time that calls do not
 * explain is shared equally by the turns. Times are exact for the attempt and for how long calls took; where calls began is an estimate.
 */
export function layOutAttempt(trace: Trace): AttemptTimes {
  const { steps, routes = [] } = trace;
  const turnCount = Math.max(trace.turns, ...steps.map(({ turn }) => turn), ...routes.map(({ turn }) => turn));
  const longest = Array.from({ length: turnCount }, (_, at) =>
    Math.max(0, ...[...steps, ...routes].flatMap(({ turn, latencyMs }) => (turn === at + 1 ? [latencyMs] : []))),
  );
  const called = longest.reduce((sum, ms) => sum + ms, 0);
  const perTurn = turnCount === 0 ? 0 : Math.max(0, trace.durationMs - called) / turnCount;
  let at = 0;
  const turns = longest.map((ms) => {
    const turn = { startMs: at, endMs: at + perTurn };
    at = turn.endMs + ms;
    return turn;
  });
  const afterTurn = ({ turn, latencyMs }: { readonly turn: number; readonly latencyMs: number }): Times => {
    const begun = turns[turn - 1]?.endMs ?? 0;
    return { startMs: begun, endMs: begun + latencyMs };
  };
  return {
    attempt: { startMs: 0, endMs: Math.max(trace.durationMs, at) },
    turns,
    steps: steps.map(afterTurn),
    routes: routes.map(afterTurn),
  };
}
