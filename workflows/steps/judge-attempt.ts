import { getPromptOrThrow, render } from '#adapters/prompts/index.ts';
import {
  dependenciesTextOfUnit,
  argumentOriginsOfUnit,
  isNegativeBenchmarkUnit,
  unitTruthIfTask,
  type BenchmarkUnit,
} from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { CaseResult } from '#core/evaluation/case.ts';
import { mayAgentHaveSeenWholeResults } from '#core/evaluation/judge-again.ts';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { judgeFailuresAndReportedErrors } from './judge-failures.ts';
import { askJudgesForGradings, scoresChangedByJudging } from '#core/evaluation/attempt-scores.ts';
import { scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { withoutForgedMarks } from '#core/scoring/judged-calls.ts';
import type { JudgeQuestion, Judges } from '#core/scoring/scorer.ts';
import type { Judged, UnscoredReason } from '#core/scoring/score.ts';
import type { Answer, Embedder, Questioner } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import { traceWithJudgedFailures } from '#core/traces/classify-trace.ts';
import { stepsAsAnsweredByServers } from '#core/traces/disturbances/judged-steps.ts';
import type { Trace } from '#core/traces/trace.ts';
import {
  concreteRequestTextOrThrow,
  requestTextOrThrow,
  type RequestName,
} from '#core/benchmarks/protocols/case-requests.ts';
import type { EvaluationContext } from '#core/evaluation/client-view.ts';

/** The services of an evaluation that judging needs. */
interface JudgingServices {
  context(): Promise<Pick<EvaluationContext, 'seed' | 'agents' | 'scoring' | 'protocol' | 'rejudges'>>;
  judges(): Promise<Questioner & Embedder>;
  /** The judges that are asked besides for a verdict, with their names; empty without a panel. */
  panel(): Promise<Panel>;
}

/** The members of a panel: the evaluation's judge by name, and those beside it. */
export interface Panel {
  readonly judge: string;
  readonly others: readonly { readonly judge: string; readonly model: Questioner }[];
}

/** An attempt to judge. */
export interface Judging {
  readonly unit: BenchmarkUnit;
  readonly side: RequestName;
  readonly trace: Trace;
  /** The unit's sub-intents, which may have to be planned first; only the coverage score waits for them. */
  readonly plan: () => Promise<SubIntentPlan>;
  /** The mounted tools. */
  readonly tools: readonly Tool[];
  readonly agent: string;
  readonly trial: number;
}

/** Asks the judges what the scorers of attempts ask, and scores the attempt. */
export async function askJudgesAndScore(
  services: JudgingServices,
  { unit, side, trace, plan, tools, agent, trial }: Judging,
): Promise<Extract<CaseResult, { kind: 'judgement' }>> {
  const calls: ModelCall[] = [];
  const faults: InfrastructureFault[] = [];
  const judges = await services.judges();
  const panel = await services.panel();
  const { seed, agents, scoring, protocol, rejudges } = await services.context();
  const sawWholeResults = agents.some((each) => each.name === agent && mayAgentHaveSeenWholeResults(each, rejudges));
  const questionSeed: QuestionSeed = (...question) =>
    deriveModelSeedFromKeys(seed, 'judge', unit.id, side, agent, trial, ...question);
  const judgingFailures = judgeFailuresAndReportedErrors(services, {
    trace,
    tools,
    place: [unit.id, side, agent, trial],
    role: 'judge',
  });
  const grading = askJudgesForGradings(
    {
      request: requestTextOrThrow(unit, side),
      response: withoutForgedMarks(trace.finalText),
      isNegative: isNegativeBenchmarkUnit(unit),
      truth: unitTruthIfTask(unit),
      steps: stepsAsAnsweredByServers(trace),
      seen: trace.disturbance && { disturbance: trace.disturbance, steps: trace.steps, sawWholeResults },
      scoring,
      sawWholeResults,
      background: {
        concrete: concreteRequestTextOrThrow(unit, side),
        dependencies: dependenciesTextOfUnit(unit),
        tools: tools.map(({ name, description = '' }) => ({ name, description: withoutForgedMarks(description) })),
      },
    },
    makeJudges(judges, { panel, plan, seedOf: questionSeed, calls, faults }),
    scorerKeysOfProtocol(protocol),
  );
  // Together: if one of them ends with a rest of the endpoint, so does the other.
  const [gradings, failures] = await Promise.all([grading, judgingFailures]);
  calls.push(...failures.calls);
  return {
    kind: 'judgement',
    side,
    scores: scoresChangedByJudging(
      {
        isNegative: isNegativeBenchmarkUnit(unit),
        chain: unit.chain,
        origins: argumentOriginsOfUnit(unit),
        truth: unitTruthIfTask(unit),
        request: requestTextOrThrow(unit, side),
        trace: traceWithJudgedFailures(trace, failures.classes),
        scoring,
      },
      gradings,
    ),
    classes: failures.classes,
    fault: faults[0],
    calls,
  };
}

/** The seed of a question by its form, and by the member of the panel that is asked besides the judge. */
type QuestionSeed = (form: string, ...member: readonly string[]) => number;

/** The judges of one attempt. Each question has its own seed; what the answers cost is added to `calls`, what kept one away to `faults`. */
const makeJudges = (
  judges: Questioner & Embedder,
  {
    panel,
    plan,
    seedOf: questionSeed,
    calls,
    faults,
  }: {
    readonly panel: Panel;
    readonly plan: Judging['plan'];
    readonly seedOf: QuestionSeed;
    readonly calls: ModelCall[];
    readonly faults: InfrastructureFault[];
  },
): Judges => {
  const ask = async <Value>(
    model: Questioner,
    { form, prompt, schema }: JudgeQuestion<Value>,
    variables: Readonly<Record<string, unknown>>,
    seed: number,
  ): Promise<Judged<Value>> => {
    const rendered = render(getPromptOrThrow(prompt), variables);
    const answer = await model.askForJson({ role: 'judge', prompt: rendered, form, schema, seed });
    calls.push(...answer.calls);
    if (!answer.ok && answer.reason === 'fault') faults.push(answer.fault);
    return answer.ok ? { ok: true, value: answer.value } : { ok: false, reason: unscoredReasonOfAnswer(answer) };
  };
  return {
    ask: (question, variables, repetition) =>
      ask(
        judges,
        question,
        variables,
        questionSeed(question.form, ...(repetition === undefined ? [] : [`repetition ${repetition}`])),
      ),

    soleJudge: panel.others.length === 0 ? panel.judge : null,

    askPanel: (question, variables) =>
      Promise.all([
        ask(judges, question, variables, questionSeed(question.form)).then((answer) => ({
          judge: panel.judge,
          answer,
        })),
        ...panel.others.map(async ({ judge, model }) => ({
          judge,
          answer: await ask(model, question, variables, questionSeed(question.form, judge)),
        })),
      ]),

    async embed(texts) {
      const answer = await judges.embed(texts);
      if (!answer.ok) return { ok: false, reason: 'embedder-unreachable' };
      calls.push(answer.call);
      return { ok: true, value: answer.vectors };
    },

    getSubIntents: plan,
  };
};

/** Returns why a judge gave no score. */
export function unscoredReasonOfAnswer(answer: Extract<Answer<unknown>, { ok: false }>): UnscoredReason {
  if (answer.reason === 'fault') return 'judge-unreachable';
  return answer.cause === 'refused' ? 'judge-refused' : 'judge-unparsed';
}
