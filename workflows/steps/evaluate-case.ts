import { goalsOfTask } from '#core/units/task-unit.ts';
import type { LoopResult } from '#agents/attempt-log.ts';
import type { AttemptInput } from '#agents/attempt.ts';
import type { Arguments } from '#agents/steps.ts';
import { runAttemptWithChecks } from '#agents/checked-attempt.ts';
import { agentLoops } from '#agents/loops.ts';
import { runNullAgent } from '#agents/null-agent.ts';
import { loopPrompts, getPromptOrThrow, render } from '#adapters/prompts/index.ts';
import { traceWithRedactedArguments } from '#adapters/mcp/redactions.ts';
import { makeSimulatedUser } from '#adapters/model/simulated-user.ts';
import { traceWithCallsClassifiedByRules } from '#adapters/mcp/failure-rules.ts';
import type { AttemptResult, CaseResult, EvaluationCase } from '#core/evaluation/case.ts';
import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import { recordedAttemptName } from '#core/evaluation/new-cases.ts';
import { planCallsOfNullAgent } from '#core/evaluation/null-agents.ts';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { listShownInstructions, type ShownInstructions } from '#core/catalog/shown-instructions.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { StoredRetrieval } from '#core/models/retrieval.ts';
import { isModelAgent } from '#core/evaluation/config.ts';
import type { UndoneStage } from '#core/models/governor/undone-stage.ts';
import type { FindTools } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { utcWeekdayAndDateText } from '#core/values/describe-date.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { applyOverlay, traceWithOriginalToolNames } from '#core/evaluation/overlay/apply-overlay.ts';
import { makeRandom, type Random } from '#core/values/random.ts';
import { sumUsageOfCalls } from '#core/models/usage.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';
import { subIntentQuestion } from '#core/scoring/uic.ts';
import type { RenderedPrompt } from '#core/ports.ts';
import type { Trace } from '#core/traces/trace.ts';
import { traceWithWritingCallsMarked } from '#core/traces/writes.ts';
import {
  requestTextOrThrow,
  undisturbedRequestOf,
  type RequestName,
} from '#core/benchmarks/protocols/case-requests.ts';
import { drawDisturbanceOrNull } from '#core/traces/disturbances/drawn-disturbance.ts';
import { listAttackPayloads } from '#adapters/prompts/attack-payloads.ts';
import type { EvaluationWork, LaneTurn } from '#durable-objects/evaluation/evaluation-lanes.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { Caller } from '../caller.ts';
import type { DrivenEvaluation } from '../called-objects.ts';
import type { EvaluationServices, ReadyAgent, ReadyModelAgent } from './evaluation-services.ts';
import { askJudgesAndScore, unscoredReasonOfAnswer } from './judge-attempt.ts';
import { disturbAttempt } from './disturb-attempt.ts';
import { runAttemptAndCloseConnections } from './run-and-close.ts';
import { onceUnlessFailed } from './services.ts';
import {
  makeUndoneStageOrRethrow,
  questionerWithCallsRecorded,
  chatModelWithCallsRecorded,
  type RestingStep,
} from './undone-stage.ts';
import { judgementWithRoutingErrorIfFailed } from './classify-search.ts';
import { isOutOfRequestsError, type SpentRequests } from './spent-requests.ts';
import { startSteadyClock } from './steady-clock.ts';

/** Time limit for the call of a check. */
const checkTimeoutMs = 30_000;

/** Delay before an attempt that a fault broke is repeated, so that the model or its servers can recover. */
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
export async function evaluateNextCaseWithinRequests(
  services: EvaluationServices,
  { run, spent }: LaneRun,
  turn: LaneTurn,
): Promise<TurnEnd | RestingStep> {
  try {
    const why = await takeAndEvaluateCase(services, { run, spent }, turn);
    if (why === null || typeof why === 'string') return { why, requests: spent.total };
    return { why: 'endpoint-rests', untilMs: why.untilMs, requests: spent.total };
  } catch (error) {
    if (!isOutOfRequestsError(error)) throw error;
    return { why: 'requests-spent', requests: spent.total };
  }
}

async function takeAndEvaluateCase(
  services: EvaluationServices,
  { run, spent }: LaneRun,
  turn: LaneTurn,
): Promise<TurnEnd['why'] | UndoneStage> {
  const work = await run((object) => object.lanes.takeCase(turn));
  if (work.kind === 'stop') return work.why;
  const traces: Partial<Record<RequestName, Trace>> = {};
  const plan = onceUnlessFailed(async () => work.plan ?? (await getOrMakeSubIntentsOfUnit(services, run, work)));
  let present = work.case;
  let waitMs = work.waitMs;
  while (present.stage.kind !== 'done') {
    if (spent.isUsedUp) return 'requests-spent';
    const { id, revision } = present;
    const paid: ModelCall[] = [];
    const result = await performStage(servicesWithModelCallsRecorded(services, paid), work, present, {
      waitMs,
      plan,
      // Another lane's attempt may have come first, and the stored one is judged.
      readTrace: async (side) => traces[side] ?? (await run((object) => object.lanes.readTrace(id, side))),
    }).catch((error: unknown) => makeUndoneStageOrRethrow(error, paid));
    const committed = await run((object) => object.lanes.commit(turn.driver, id, revision, result));
    const { case: next, kept, stop } = committed;
    if (stop !== null) return stop.why;
    if (result.kind === 'undone') return result;
    if (kept && result.kind === 'attempt') traces[result.side] = result.trace;
    present = next;
    ({ waitMs } = committed);
  }
  return null;
}

/** What a stage of a case needs besides its work. */
interface StageInput {
  /** How long an attempt waits for servers that rest. */
  readonly waitMs: number;
  readonly plan: () => Promise<SubIntentPlan>;
  readonly readTrace: (side: RequestName) => Promise<Trace>;
}

async function performStage(
  services: EvaluationServices,
  work: EvaluationWork,
  { stage, faults, agent, trial, ...present }: EvaluationCase,
  { waitMs, plan, readTrace }: StageInput,
): Promise<CaseResult> {
  if (stage.kind === 'done') throw new Error(`case ${present.id} is done`);
  const { side } = stage;
  if (stage.kind === 'attempt') {
    const pauseMs = Math.max(waitMs, faults > 0 ? relaunchDelayMs : 0);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return runAttemptWithoutJudging(services, work, { agent, trial }, side);
  }
  const { unit, mounted } = work;
  const trace = await readTrace(side);
  const tools = await services.toolsNamed(mounted);
  const judgement = await askJudgesAndScore(services, { unit, side, trace, plan, tools, agent, trial });
  return judgementWithRoutingErrorIfFailed(judgement, {
    unit,
    side,
    trace,
    verdict: getProtocol((await services.context()).protocol).verdict,
    openSearch: () => openToolSearchOrNull(services, agent, tools),
    shown: (await findRetrieval(services, agent))?.shown ?? [],
  });
}

/** Returns the same services, whose models note their paid calls in a list. */
const servicesWithModelCallsRecorded = (services: EvaluationServices, calls: ModelCall[]): EvaluationServices => ({
  ...services,
  agent: async (name) => {
    const agent = await services.agent(name);
    return agent.loop === 'null' ? agent : { ...agent, model: chatModelWithCallsRecorded(agent.model, calls) };
  },
  judges: async () => {
    const judges = await services.judges();
    return { ...judges, ...questionerWithCallsRecorded(judges, calls) };
  },
  panel: async () => {
    const { judge, others } = await services.panel();
    return {
      judge,
      others: others.map((each) => ({ ...each, model: questionerWithCallsRecorded(each.model, calls) })),
    };
  },
});

/** Returns the search of an agent that we run; null if it sees all tools, or somebody else runs it. */
async function openToolSearchOrNull(
  services: EvaluationServices,
  name: string,
  tools: readonly Tool[],
): Promise<FindTools | null> {
  if ((await findRetrieval(services, name)) === undefined) return null;
  const agent = await services.agent(name);
  return agent.loop === 'null' ? null : (agent.searchAmong?.(tools) ?? null);
}

/** Returns how an agent finds tools; undefined if it does not have to. */
async function findRetrieval(services: EvaluationServices, name: string): Promise<StoredRetrieval | undefined> {
  const stored = (await services.context()).agents.find((each) => each.name === name);
  return stored !== undefined && isModelAgent(stored) ? stored.retrieval : undefined;
}

/** Returns the sub-intents of a unit: the goals that a task states, or those that a judge plans once for all cases from all requests. */
async function getOrMakeSubIntentsOfUnit(
  services: EvaluationServices,
  run: Caller<DrivenEvaluation>,
  { unit, case: { id, requests } }: EvaluationWork,
): Promise<SubIntentPlan> {
  const goals = unit.kind === 'task' ? goalsOfTask(unit) : [];
  if (goals.length > 0) return { ok: true, value: goals };
  const known = await run((object) => object.plans.findOrClaim(unit.id, id));
  if (known !== null) return known;
  const { seed } = await services.context();
  const judges = await services.judges();
  const answer = await judges.askForJson({
    role: 'judge',
    prompt: render(getPromptOrThrow(subIntentQuestion.prompt), {
      requests: requests.map((name) => requestTextOrThrow(unit, name)),
    }),
    form: subIntentQuestion.form,
    schema: subIntentQuestion.schema,
    seed: deriveModelSeedFromKeys(seed, 'plan', unit.id),
  });
  const plan: SubIntentPlan = answer.ok
    ? { ok: true, value: answer.value.subIntents }
    : { ok: false, reason: unscoredReasonOfAnswer(answer) };
  return run((object) => object.plans.storeFirst(unit.id, plan, answer.calls));
}

async function runAttemptWithoutJudging(
  services: EvaluationServices,
  { unit, mounted }: EvaluationWork,
  { agent: name, trial }: Pick<EvaluationCase, 'agent' | 'trial'>,
  side: RequestName,
): Promise<AttemptResult> {
  const { seed, servers, payloads } = await services.context();
  const agent = await services.agent(name);
  const listed = await services.toolsNamed(mounted);
  const place = recordedAttemptName({ agent: name, trial }, side);
  const request = requestTextOrThrow(unit, side);
  const userCalls: ModelCall[] = [];
  const user = await makeUserUnlessDeclined(services, { request, place: [unit.id, side, name, trial], userCalls });
  const opened = await services.connect(listed, { unit: unit.id, attempt: place }, user);
  const { tools, connections, describe } = disturbAttempt(
    drawDisturbanceOrNull(side, { seed, unit: unit.id, trial, chain: unit.chain }, listAttackPayloads(payloads)),
    { tools: listed, connections: opened.connections },
  );
  const checks = unit.kind === 'task' ? (unit.checks ?? []) : [];
  // The same seed for every agent, so that chance does not favour one of them, and for an attempt with and without a disturbance.
  const seeds = [unit.id, trial, undisturbedRequestOf(unit, side)] as const;
  const { tools: shown, originalOf } = applyOverlay(agent.loop === 'null' ? undefined : agent.overlay, tools);
  const clock = startSteadyClock();
  const about = {
    request,
    instructions: listShownInstructions(servers, listed),
    chain: unit.chain,
    tools: shown,
    connections: {
      call: (tool: string, args: Arguments, timeoutMs: number) => connections.call(originalOf(tool), args, timeoutMs),
    },
    runProgram: services.runProgram ?? undefined,
    seed: deriveModelSeedFromKeys(seed, 'attempt', ...seeds),
    random: makeRandom(seed, 'null-agent', ...seeds),
    now: clock.now,
  };
  const { trace, fault, calls } = await runAttemptAndCloseConnections(connections, async () =>
    runAttemptWithChecks(() => runAgentWithFallbackLoop(agent, about), {
      checks,
      tools: await services.findKnownTools(checks.map(({ tool }) => tool)),
      connections,
      callTimeoutMs: checkTimeoutMs,
    }),
  ).finally(clock.stop);
  await opened.keepRecorded();
  const called = traceWithOriginalToolNames(trace, originalOf);
  const kept = traceWithCallsClassifiedByRules(traceWithRedactedArguments(called, connections), tools);
  const spentByUser = userCalls.length === 0 ? {} : { userUsage: sumUsageOfCalls(userCalls) };
  return {
    kind: 'attempt',
    side,
    trace: { ...traceWithWritingCallsMarked(kept, tools, servers), ...describe() },
    fault,
    calls,
    ...spentByUser,
  };
}

/** Returns who answers what servers ask in an attempt; undefined if the evaluation declines it. */
async function makeUserUnlessDeclined(
  services: EvaluationServices,
  about: {
    readonly request: string;
    readonly place: readonly (string | number)[];
    readonly userCalls: ModelCall[];
  },
): Promise<SimulatedUser | undefined> {
  const { user, seed, judge } = await services.context();
  if (user === 'decline') return undefined;
  return makeSimulatedUser({
    model: await services.judges(),
    role: 'judge',
    name: judge.model,
    request: about.request,
    seed: deriveModelSeedFromKeys(seed, 'user', ...about.place),
    onCalls: (calls) => about.userCalls.push(...calls),
  });
}

interface AgentAttempt extends Omit<AttemptInput, 'prompt' | 'model' | 'limits' | 'shown'> {
  readonly request: string;
  readonly instructions: readonly ShownInstructions[];
  readonly chain: readonly string[];
  readonly random: Random;
}

async function runAgentWithFallbackLoop(
  agent: ReadyAgent,
  { request, chain, random, ...about }: AgentAttempt,
): Promise<LoopResult> {
  const { limits } = agent;
  if (agent.loop === 'null') {
    const plan = planCallsOfNullAgent(agent.policy, { request, chain, random, tools: about.tools });
    return runNullAgent(agent.policy, plan, { ...about, limits });
  }
  const runLoop = (name: ModelLoop): Promise<LoopResult> => runModelLoop(name, { ...agent, request, ...about });
  const result = await runLoop(agent.loop);
  if (result.tooManyFunctions !== true) return result;
  const instead = await runLoop(fallbackLoop);
  return { ...instead, trace: { ...instead.trace, fellBack: fallbackLoop } };
}

/** How a model continues whose endpoint takes fewer functions than there are tools: without any. */
const fallbackLoop = 'prompted-calling';

interface LoopRun extends Omit<AttemptInput, 'prompt' | 'shown'>, Pick<ReadyModelAgent, 'searchAmong' | 'shown'> {
  readonly request: string;
  readonly instructions: readonly ShownInstructions[];
}

function runModelLoop(
  name: ModelLoop,
  { request, limits, model, searchAmong, instructions, ...about }: LoopRun,
): Promise<LoopResult> {
  const loop = agentLoops[name];
  const [opening] = loopPrompts[name];
  const prompt = render(
    opening,
    loop.promptVariables({
      request,
      date: utcWeekdayAndDateText(about.now()),
      tools: about.tools,
      limits,
      instructions,
    }),
  );
  const renderPrompt = (name: string, variables: Readonly<Record<string, unknown>>): RenderedPrompt =>
    render(getPromptOrThrow(name), variables);
  const findTools = searchAmong?.(about.tools);
  return loop.run({ ...about, limits, model, prompt, request, renderPrompt, findTools });
}
