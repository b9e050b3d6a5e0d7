import type { AttemptRecord, EvaluationCase } from '../case.ts';
import type { CaseDetail, EvaluationRecord } from '../record.ts';
import { recordedAttemptName } from '../new-cases.ts';
import { scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { Score } from '#core/scoring/score.ts';
import { findStartMsOrNull } from '#core/traces/attempt-start.ts';
import { attemptName } from '#core/values/traceparent.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { ShownAgent } from '../config.ts';
import { inspectLimitsOfAgent, inspectModelName } from './agent.ts';
import { assistantMessage, makeInspectMessages } from './messages.ts';
import { makeInspectUsage } from './usage.ts';

/** The evaluation and the agent whose attempts are written. */
export interface InspectedRun {
  readonly run: Pick<EvaluationRecord, 'id' | 'protocol'>;
  readonly agent: ShownAgent;
}

/**
 * Returns the attempts of a case that were made, each as a sample of Inspect AI's log format (version 2): the request, the conversation,
 * the scores that have a value, usage and times. A sample's id is unit and request; its epoch is the trial. Scores of the case as a
 * whole, and why a score is missing, are in `metadata`, because Inspect's means would take them for scores of the sample.
 */
export const makeInspectSamples = (
  { case: shown, traces, asked, chain, plan }: CaseDetail,
  { run, agent }: InspectedRun,
) =>
  shown.requests.flatMap((request) => {
    const [attempt, trace] = [shown.attempts[request], traces[request]];
    if (attempt === undefined || trace === undefined) return [];
    const scored = splitScoredFromUnscored(attempt, run.protocol);
    return [
      {
        id: `${shown.unit}/${request}`,
        epoch: shown.trial,
        uuid: attemptName(run.id, shown.unit, recordedAttemptName(shown, request)),
        input: asked[request] ?? '',
        target: chain,
        ...describeConversation(asked[request] ?? '', attempt, trace, agent),
        scores: scored.values,
        metadata: {
          case: shown.id,
          unit: shown.unit,
          request,
          end: trace.end,
          evaluated: attempt.evaluated,
          relaunched: attempt.relaunched,
          unreturned: attempt.unreturned,
          routingError: attempt.routingError,
          unscored: scored.missing,
          caseScores: shown.scores,
          goals: plan?.ok === true ? plan.value : [],
          checks: trace.checks,
          leftOut: trace.leftOut,
          adaptations: trace.adaptations,
          disturbance: trace.disturbance,
          textsDeleted: trace.textsDeleted,
        },
        store: {},
        events: [],
        attachments: {},
        role_usage: {},
      },
    ];
  });

function describeConversation(request: string, attempt: AttemptRecord, trace: Trace, agent: ShownAgent) {
  const model = inspectModelName(agent);
  const usage = makeInspectUsage(attempt.usage);
  const seconds = trace.durationMs / 1_000;
  const startMs = findStartMsOrNull(trace);
  return {
    messages: makeInspectMessages(request, trace, model),
    output: {
      model,
      choices:
        trace.finalText === ''
          ? []
          : [{ message: assistantMessage(trace.finalText, model), stop_reason: stopReasons[trace.end] }],
      completion: trace.finalText,
      usage,
      time: seconds,
      error: attempt.fault?.detail,
    },
    model_usage: { [model]: usage },
    ...(startMs === null ? {} : { started_at: isoText(startMs), completed_at: isoText(startMs + trace.durationMs) }),
    total_time: seconds,
    working_time: seconds,
    turn_count: trace.turns,
    error: attempt.fault === null ? undefined : makeInspectError(attempt.fault),
    limit: findReachedLimit(trace.end, agent),
  };
}

const isoText = (ms: number): string => new Date(ms).toISOString();

const makeInspectError = ({ where, name, code, detail }: NonNullable<AttemptRecord['fault']>) => ({
  message: `${where} ${name}: ${code}: ${detail}`,
  traceback: '',
  traceback_ansi: '',
});

const stopReasons = {
  answered: 'stop',
  refused: 'content_filter',
  'turn-limit': 'unknown',
  'token-limit': 'max_tokens',
  'time-limit': 'unknown',
  fault: 'unknown',
} as const satisfies Record<Trace['end'], string>;

function findReachedLimit(end: Trace['end'], agent: ShownAgent) {
  const limits = inspectLimitsOfAgent(agent);
  const type = end === 'turn-limit' ? 'turn' : end === 'token-limit' ? 'token' : end === 'time-limit' ? 'time' : null;
  const limit = type === null ? undefined : limits[type];
  return type === null || limit === undefined ? undefined : { type, limit };
}

/** Scores with a value, and the reasons of those without; the answer is with the scores whose judges read it. */
function splitScoredFromUnscored(
  { scores, response }: Pick<EvaluationCase['attempts'][string], 'scores' | 'response'>,
  key: ProtocolKey,
) {
  const all = scorersOfProtocol(key).flatMap((scorer) =>
    scorer.unit === 'attempt'
      ? [
          {
            key: scorer.key,
            found: scores[scorer.key] satisfies Score,
            answer: scorer.needs.includes('judge') ? response : undefined,
          },
        ]
      : [],
  );
  return {
    values: Object.fromEntries(
      all.flatMap(({ key: name, found: { value, explanation, parts, votes }, answer }) =>
        value === null
          ? []
          : [[name, { value, answer, explanation, metadata: { parts, votes }, history: [] }] as const],
      ),
    ),
    missing: Object.fromEntries(
      all.flatMap(({ key: name, found }) => (found.value === null ? [[name, found.reason] as const] : [])),
    ),
  };
}
