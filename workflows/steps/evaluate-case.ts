import { agentLoops } from '#agents/loops.ts';
import { loopPrompts, getPromptOrThrow, render } from '#adapters/prompts/index.ts';
import { classifyByRules } from '#adapters/mcp/failure-rules.ts';
import type { AttemptResult, CaseResult, EvaluationCase } from '#core/evaluation/case.ts';
import { recordedAttemptName } from '#core/evaluation/new-cases.ts';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { modelSeed } from '#core/models/seed.ts';
import { subIntentQuestion } from '#core/scoring/uic.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { EvaluationWork, LaneTurn } from '#durable-objects/evaluation/evaluation-lanes.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { Caller } from '../caller.ts';
import type { DrivenEvaluation } from '../called-objects.ts';
import type { EvaluationServices } from './evaluation-services.ts';
import { judgeAttempt, unscoredReason } from './judge-attempt.ts';
import { once } from './services.ts';
import { isOutOfRequests, type SpentRequests } from './spent-requests.ts';

/** Delay before an attempt that a fault broke is repeated, so that the server can recover. */
const relaunchDelayMs = 2_000;

/**
 * How a turn of a lane ended: null for a finished case, else why the lane stops. `requests` counts those of its
 * instance so far.
 */
export interface TurnEnd {
  readonly why: Stop['why'] | 'requests-spent' | null;
  readonly requests: number;
}

/** What a lane needs besides the services. */
interface LaneRun {
  readonly run: Caller<DrivenEvaluation>;
  readonly spent: Pick<SpentRequests, 'isUsedUp' | 'total'>;
}

/** Takes the next case and drives it as far as possible, one commit per stage. */
export async function evaluateNextCase(
  services: EvaluationServices,
  { run, spent }: LaneRun,
  turn: LaneTurn,
): Promise<TurnEnd> {
  try {
    return { why: await evaluateCase(services, { run, spent }, turn), requests: spent.total };
  } catch (error) {
    if (!isOutOfRequests(error)) throw error;
    return { why: 'requests-spent', requests: spent.total };
  }
}

async function evaluateCase(
  services: EvaluationServices,
  { run, spent }: LaneRun,
  turn: LaneTurn,
): Promise<TurnEnd['why']> {
  const work = await run((object) => object.take(turn));
  if (work.kind === 'stop') return work.why;
  const traces: Partial<Record<RequestSide, Trace>> = {};
  const plan = once(async () => work.plan ?? (await planUnitOnce(services, run, work)));
  let present = work.case;
  while (present.stage.kind !== 'done') {
    if (spent.isUsedUp) return 'requests-spent';
    const { id, revision } = present;
    const { kind, side } = present.stage;
    let result: CaseResult;
    if (kind === 'attempt') {
      if (present.faults > 0) await new Promise((resolve) => setTimeout(resolve, relaunchDelayMs));
      result = await makeAttempt(services, work, present, side);
    } else {
      // Reads the committed trace: another lane's attempt may have come first, and the stored one is judged.
      const trace = traces[side] ?? (await run((object) => object.attemptTrace(id, side)));
      const tools = await services.tools(work.mounted);
      const { agent, trial } = present;
      result = await judgeAttempt(services, { unit: work.unit, side, trace, plan, tools, agent, trial });
    }
    const committed = await run((object) => object.commitCase(turn.driver, id, revision, result));
    const { case: next, kept, stop } = committed;
    if (stop !== null) return stop.why;
    if (kept && result.kind === 'attempt') traces[side] = result.trace;
    present = next;
  }
  return null;
}

/** Returns the sub-intents of a unit, planned once for all cases from the source request. */
async function planUnitOnce(
  services: EvaluationServices,
  run: Caller<DrivenEvaluation>,
  { unit, case: { id } }: EvaluationWork,
): Promise<SubIntentPlan> {
  const known = await run((object) => object.planFor(unit.id, id));
  if (known !== null) return known;
  const { seed } = await services.context();
  const judges = await services.judges();
  const answer = await judges.ask({
    role: 'judge',
    prompt: render(getPromptOrThrow(subIntentQuestion.prompt), { request: unit.source }),
    form: subIntentQuestion.form,
    schema: subIntentQuestion.schema,
    seed: modelSeed(seed, 'plan', unit.id),
  });
  const plan: SubIntentPlan = answer.ok
    ? { ok: true, value: answer.value.subIntents }
    : { ok: false, reason: unscoredReason(answer) };
  return run((object) => object.commitPlan(unit.id, plan, answer.calls));
}

async function makeAttempt(
  services: EvaluationServices,
  { unit, mounted }: EvaluationWork,
  { agent: name, trial }: EvaluationCase,
  side: RequestSide,
): Promise<AttemptResult> {
  const { seed } = await services.context();
  const agent = await services.agent(name);
  const tools = await services.tools(mounted);
  const place = recordedAttemptName({ agent: name, trial }, side);
  const { connections, keepRecorded } = await services.connect(tools, { unit: unit.id, attempt: place });
  const about = {
    tools,
    model: agent.model,
    connections,
    limits: agent.limits,
    // The same seed for every agent, so that chance does not favour one of them.
    seed: modelSeed(seed, 'attempt', unit.id, trial, side),
    now: Date.now,
  };
  try {
    const loop = agentLoops[agent.loop];
    const prompt = render(loopPrompts[agent.loop], loop.promptVariables(unit[side], tools));
    const { trace, fault, calls } = await loop.run({ ...about, prompt });
    await keepRecorded();
    return { kind: 'attempt', side, trace: classifyByRules(trace, tools), fault, calls };
  } finally {
    await connections.close();
  }
}
