import { isAnswered } from '#core/models/gateway/model-request.ts';
import type { Trace } from '#core/traces/trace.ts';
import { statesUnreturnedValueOrNull } from '#core/traces/unreturned-values.ts';
import type { EntryScores } from '../record.ts';
import type { VerdictKey } from '#core/evaluation/scorers.ts';
import type { Finding } from './findings.ts';

/** Shares of the attempts from which a habit is suspicious; any agent gives up or embellishes occasionally. */
const silentShare = 0.1;
const quotingShare = 0.1;
const relaunchedShare = 0.05;
/** A model behind the gateway may be left out now and then, by a client that calls a tool again. */
const bypassingShare = 0.1;
/** An agent whose calls fail more often than this and that succeeds less often than that calls tools without doing what was asked. */
const failingDensity = 0.5;
const rareSuccess = 0.05;
/** With fewer attempts, a share means nothing. */
const fewRelaunches = 3;
/** Counts over the attempts of a submission. */
export interface Habits {
  readonly attempts: number;
  /** Attempts with a response but without a tool call. */
  readonly withoutCalls: number;
  /** Attempts whose response states a value that no call returned. */
  readonly unreturned: number;
  /** Attempts that were made past the models that the agent has at the model gateway. */
  readonly bypassing: number;
}

export const noHabits: Habits = { attempts: 0, withoutCalls: 0, unreturned: 0, bypassing: 0 };

/** Returns the counts with one more attempt, of an agent that has models at the model gateway or not. */
export function habitsAfterAttempt(
  habits: Habits,
  request: string,
  trace: Pick<Trace, 'steps' | 'finalText' | 'modelRequests' | 'ownToolCalls'>,
  hasGatewayModels: boolean,
): Habits {
  const answered = trace.finalText.trim() !== '';
  return {
    attempts: habits.attempts + 1,
    withoutCalls: habits.withoutCalls + (answered && trace.steps.length === 0 ? 1 : 0),
    unreturned: habits.unreturned + (statesUnreturnedValueOrNull(request, trace) === true ? 1 : 0),
    bypassing: habits.bypassing + (hasGatewayModels && wasMadePastModels(trace) ? 1 : 0),
  };
}

/** Returns whether an agent answered without an answer of its models, or most of its calls of tools were asked for by none. */
function wasMadePastModels({
  steps,
  finalText,
  modelRequests = [],
  ownToolCalls = {},
}: Pick<Trace, 'steps' | 'finalText' | 'modelRequests' | 'ownToolCalls'>): boolean {
  if (finalText.trim() !== '' && !modelRequests.some(isAnswered)) return true;
  const own = Object.values(ownToolCalls).reduce((sum, count) => sum + count, 0);
  const asked = modelRequests.reduce((sum, { calls }) => sum + calls.length, -own);
  return steps.length > 2 * Math.max(0, asked);
}

/** Returns what a moderator must check. */
export function findingsOfSuspiciousHabits({ attempts, withoutCalls, unreturned, bypassing }: Habits): Finding[] {
  const shareText = (count: number): string => `${count} of ${attempts} attempts`;
  const found: Finding[] = [];
  if (withoutCalls > attempts * silentShare)
    found.push({
      kind: 'responses-without-calls',
      where: shareText(withoutCalls),
      message: 'the agent answers although it called no tool',
    });
  if (unreturned > attempts * quotingShare)
    found.push({
      kind: 'unreturned-results',
      where: shareText(unreturned),
      message: 'the agent quotes results that none of its calls returned',
    });
  if (bypassing > attempts * bypassingShare)
    found.push({
      kind: 'model-bypassed',
      where: shareText(bypassing),
      message:
        'the agent answers, or calls tools, without its models at the gateway having been asked: its cost is not known',
    });
  return found;
}

/**
 * Returns a finding if most calls fail and hardly anything passes by the protocol's verdict: a chain that was looked up can be called with
 * any arguments. Without a verdict nothing is found.
 */
export function findingsOfFailingCalls(
  scores: Pick<EntryScores, 'tfd' | VerdictKey>,
  verdict: VerdictKey | null,
): Finding[] {
  if (verdict === null) return [];
  const density = scores.tfd?.mean ?? 0;
  const succeeded = scores[verdict]?.mean ?? 0;
  if (density <= failingDensity || succeeded >= rareSuccess) return [];
  return [
    {
      kind: 'failing-calls',
      where: `TFD ${density.toFixed(3)}, ${verdict} ${succeeded.toFixed(3)}`,
      message: 'most calls fail and hardly any attempt succeeds, as if tools were called regardless of the request',
    },
  ];
}

/** Attempts that were repeated after a fault: an endpoint could fail on purpose to get a second try. */
export const findingsOfManyRelaunches = (relaunched: number, attempts: number): Finding[] =>
  relaunched < fewRelaunches || relaunched <= attempts * relaunchedShare
    ? []
    : [
        {
          kind: 'many-relaunches',
          where: `${relaunched} of ${attempts} attempts`,
          message: 'infrastructure faults broke attempts, which were made again',
        },
      ];
