import { runAttempt } from '#agents/function-calling.ts';
import { prompts, render } from '#adapters/prompts/index.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { CaseResult, EvaluationCase } from '#core/evaluation/case.ts';
import type { SubIntentPlan } from '#core/evaluation/plan.ts';
import { subIntentPlanAnswer } from '#core/metrics/judgements.ts';
import { randomFor } from '#core/random.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { EvaluationWork } from '#durable-objects/evaluation-run.ts';
import type { Stop } from '#durable-objects/exploration-run.ts';
import type { DrivenEvaluation } from '../driven-evaluation.ts';
import type { EvaluationServices } from './evaluation-services.ts';
import { classifiedByRules } from './failure-rules.ts';
import { judge, reasonOf } from './judge.ts';

const seeds = 2 ** 31;

/**
 * Takes a unit with all its cases to the end, a commit a stage. The cases of different agents go on side by side, judges while
 * others still run. Returns why there was nothing more to do.
 */
export async function evaluateUnit(
  services: EvaluationServices,
  run: DrivenEvaluation,
  driver: number,
  id: string,
): Promise<Stop['why']> {
  const work = await run.openUnit(driver, id);
  if (work.kind === 'stop') return work.why;
  const { judges } = await services.context();
  const plan = judges ? (work.plan ?? (await planned(services, run, work))) : null;
  const stops = await Promise.all(work.cases.map((each) => driveCase(services, run, driver, work, each, plan)));
  const stop = stops.find((each) => each !== null);
  if (stop !== undefined && stop !== null) return stop.why;
  await run.closeUnit(driver, id);
  return 'nothing-left';
}

/** Splits what the unit asks for into parts, once for all agents, from its source request. */
async function planned(
  services: EvaluationServices,
  run: DrivenEvaluation,
  { unit }: EvaluationWork,
): Promise<SubIntentPlan> {
  const { seed } = await services.context();
  const judges = await services.judges();
  const answer = await judges.ask({
    role: 'judge',
    prompt: render(prompts.judgePlan, { request: unit.source }),
    form: 'sub-intents',
    schema: subIntentPlanAnswer,
    seed: randomFor(seed, 'plan', unit.id).below(seeds),
  });
  const plan: SubIntentPlan = answer.ok
    ? { ok: true, value: answer.value.subIntents }
    : { ok: false, reason: reasonOf(answer) };
  return run.commitPlan(unit.id, plan, answer.calls);
}

async function driveCase(
  services: EvaluationServices,
  run: DrivenEvaluation,
  driver: number,
  work: EvaluationWork,
  begun: EvaluationCase,
  plan: SubIntentPlan | null,
): Promise<Stop | null> {
  let present = begun;
  while (present.stage.kind !== 'done') {
    const { side } = present.stage;
    let result: CaseResult;
    if (present.stage.kind === 'attempt') {
      result = await attempt(services, work.tools, present, work.unit[side], side);
    } else {
      // As it was committed: another driver's attempt may have come first, and what is judged is what is kept.
      const trace = await run.attemptTrace(present.id, side);
      result = await judge(services, { unit: work.unit, side, trace, plan, agent: present.agent });
    }
    const { case: next, stop } = await run.commitCase(driver, present.id, present.revision, result);
    if (stop !== null) return stop;
    present = next;
  }
  return null;
}

async function attempt(
  services: EvaluationServices,
  tools: readonly Tool[],
  { id, agent: name, unit, trial }: EvaluationCase,
  request: string,
  side: RequestSide,
): Promise<Extract<CaseResult, { kind: 'attempt' }>> {
  const { agents, seed } = await services.context();
  const agent = agents.find((each) => each.name === name);
  const model = (await services.agentModels()).get(name);
  if (agent === undefined || model === undefined) throw new Error(`case ${id} has no agent ${name}`);
  const connections = await services.connect(tools);
  try {
    const { trace, fault, calls } = await runAttempt({
      prompt: render(prompts.agent, { request }),
      tools,
      model,
      connections,
      limits: agent.limits,
      // The same for every agent: luck is not to decide between them.
      seed: randomFor(seed, 'attempt', unit, trial, side).below(seeds),
      now: Date.now,
    });
    return { kind: 'attempt', side, trace: classifiedByRules(trace, tools), fault, calls };
  } finally {
    await connections.close();
  }
}
