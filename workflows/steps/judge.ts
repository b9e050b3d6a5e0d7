import { prompts, render } from '#adapters/prompts/index.ts';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { CaseResult } from '#core/evaluation/case.ts';
import type { SubIntentPlan } from '#core/evaluation/plan.ts';
import { answerRelevance, type RequestVectors } from '#core/metrics/ar.ts';
import { backRequestsAnswer, relevanceAnswer, subIntentScoresAnswer } from '#core/metrics/judgements.ts';
import { passes } from '#core/metrics/pass.ts';
import { judgeFailures } from './classify-failures.ts';
import type { Judged, UnscoredReason } from '#core/metrics/score.ts';
import { intentCoverage } from '#core/metrics/uic.ts';
import type { Answer, Embedder, ModelCall, Questioner } from '#core/ports.ts';
import { modelSeed } from '#core/models/seed.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { EvaluationContext } from '#core/evaluation/present.ts';

/** Characters of a tool's result that the judge sees. */
const shownChars = 1_500;

/** What judging takes of the services of an evaluation. */
interface JudgingServices {
  context(): Promise<Pick<EvaluationContext, 'seed'>>;
  judges(): Promise<Questioner & Embedder>;
}

/** One attempt to be judged. */
export interface Judging {
  readonly unit: BenchmarkUnit;
  readonly side: RequestSide;
  readonly trace: Trace;
  /** What the unit asks for; it may have to be planned first, and only the scores wait for it. */
  readonly plan: () => Promise<SubIntentPlan>;
  /** The tools that were mounted. */
  readonly tools: readonly Tool[];
  readonly agent: string;
  readonly trial: number;
}

/** Grades an attempt's response. An attempt without one is graded without asking anybody. */
export async function judge(
  services: JudgingServices,
  { unit, side, trace, plan, tools, agent, trial }: Judging,
): Promise<Extract<CaseResult, { kind: 'judgement' }>> {
  const calls: ModelCall[] = [];
  const response = trace.finalText;
  const silent = response.trim() === '';
  const off = { ok: false, reason: 'judges-off' } as const;
  const judges = await services.judges();
  const { seed } = await services.context();
  const ask = asker(judges, calls, (form) => modelSeed(seed, 'judge', unit.id, side, agent, trial, form));
  const judgingFailures = judgeFailures(services, { trace, tools, place: [unit.id, side, agent, trial] });
  const [relevance, vectors, coverage] = silent
    ? [off, off, off]
    : await Promise.all([
        ask.relevance(unit[side], response, trace),
        ask.back(response).then((back) => embedded(judges, calls, unit[side], back)),
        plan().then((made) => (made.ok ? ask.coverage(made.value, response) : made)),
      ]);
  const failures = await judgingFailures;
  calls.push(...failures.calls);
  const uic = intentCoverage(response, await plan(), coverage);
  return {
    kind: 'judgement',
    side,
    ar: answerRelevance(response, relevance, vectors),
    uic,
    pass: passes(unit.chain, trace, uic),
    classes: failures.classes,
    calls,
  };
}

/** The judge's questions, each with its own seed; what they cost is added to `calls`. */
function asker(judges: Questioner, calls: ModelCall[], seedOf: (form: string) => number) {
  const read = <T, V>(answer: Answer<T>, of: (value: T) => V): Judged<V> => {
    calls.push(...answer.calls);
    return answer.ok ? { ok: true, value: of(answer.value) } : { ok: false, reason: reasonOf(answer) };
  };
  return {
    async relevance(request: string, response: string, trace: Trace): Promise<Judged<number>> {
      const outputs = trace.steps.map(({ tool, outcome, text }) => ({
        tool,
        outcome,
        text: text.slice(0, shownChars),
      }));
      const prompt = render(prompts.judgeRelevance, { request, response, outputs });
      const form = 'relevance';
      const answer = await judges.ask({ role: 'judge', prompt, form, schema: relevanceAnswer, seed: seedOf(form) });
      return read(answer, ({ score }) => score);
    },

    async back(response: string): Promise<Judged<readonly string[]>> {
      const prompt = render(prompts.judgeBackRequests, { response });
      const form = 'back-requests';
      const answer = await judges.ask({ role: 'judge', prompt, form, schema: backRequestsAnswer, seed: seedOf(form) });
      return read(answer, ({ requests }) => requests);
    },

    async coverage(intents: readonly string[], response: string): Promise<Judged<readonly number[]>> {
      const schema = subIntentScoresAnswer(intents.length);
      if (schema === undefined) return { ok: false, reason: 'judge-unparsed' };
      const prompt = render(prompts.judgeCoverage, { intents, response });
      const form = 'sub-intent-scores';
      const answer = await judges.ask({ role: 'judge', prompt, form, schema, seed: seedOf(form) });
      return read(answer, ({ scores }) => scores.map(({ score }) => score));
    },
  };
}

async function embedded(
  embedder: Embedder,
  calls: ModelCall[],
  request: string,
  back: Judged<readonly string[]>,
): Promise<Judged<RequestVectors>> {
  if (!back.ok) return back;
  const answer = await embedder.embed([request, ...back.value]);
  if (!answer.ok) return { ok: false, reason: 'embedder-unreachable' };
  calls.push(answer.call);
  const [first = [], ...others] = answer.vectors;
  return { ok: true, value: { request: first, back: others } };
}

/** Why a judge gave no score. */
export function reasonOf(answer: Extract<Answer<unknown>, { ok: false }>): UnscoredReason {
  if (answer.reason === 'fault') return 'judge-unreachable';
  return answer.cause === 'refused' ? 'judge-refused' : 'judge-unparsed';
}
