import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import { type PlayedUser, makeSimulatedUser } from '#adapters/model/simulated-user.ts';
import { prompts, render } from '#adapters/prompts/index.ts';
import { listShownInstructions } from '#core/catalog/shown-instructions.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { auditAnswer, pairAnswer, refinementAnswer, scenarioAnswer } from '#core/units/answers.ts';
import type { ChatModel, Questioner, RenderedPrompt } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import { makeExecutionDiagnosis } from '#core/units/execution.ts';
import { type WriterMaterial, makePromptMaterial } from '#core/units/survey/writer-material.ts';
import { utcWeekdayAndDateText } from '#core/values/describe-date.ts';
import { makeRandom } from '#core/values/random.ts';
import { type Situation, drawSituation } from '#core/units/situation.ts';
import { makePromptRelation } from '#core/units/relation-kinds.ts';
import { listClaimedFacts } from '#core/units/grounding.ts';
import type { StageResult } from '#core/units/progress.ts';
import { findPoorGradesOfCurrentWording } from '#core/units/task-stages.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';
import type { RequestSide, Unit } from '#core/units/unit.ts';
import type { UnitWork } from '#durable-objects/exploration/exploration-run.ts';
import type { RunContext } from '#durable-objects/exploration/run-context.ts';
import type { StageOutput } from '#durable-objects/exploration/unit-desk.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { DrivenUnits } from '../called-objects.ts';
import { traceWithRedactedArguments } from '#adapters/mcp/redactions.ts';
import { traceWithCallsClassifiedByRules } from '#adapters/mcp/failure-rules.ts';
import { traceWithWritingCallsMarked } from '#core/traces/writes.ts';
import { traceWithJudgedFailures } from '#core/traces/classify-trace.ts';
import { judgeFailuresAndReportedErrors } from './judge-failures.ts';
import { isNegativeUnit } from '#core/units/negative.ts';
import { isSingleToolUnit } from '#core/units/single-tool.ts';
import { auditNegativePair, writeNegativePair } from './negative-stages.ts';
import { askForTaskGradesOrFuzzyWording, renderChainScenarioPrompt } from './make-task.ts';
import type { StepServices } from './services.ts';
import { runAttemptAndCloseConnections } from './run-and-close.ts';
import { getPairOrThrow, makePromptTool } from './shown-units.ts';
import {
  type RestingStep,
  chatModelWithCallsRecorded,
  makeUndoneStageOrRethrow,
  questionerWithCallsRecorded,
} from './undone-stage.ts';
import { type SpentRequests, isOutOfRequestsError } from './spent-requests.ts';
import { startSteadyClock } from './steady-clock.ts';

/** Renders the question for two requests that only one tool fulfils, and none of its near siblings. */
const renderSiblingPairPrompt = ({ unit, tools, siblings, material }: UnitWork, situation: Situation): RenderedPrompt =>
  render(prompts.siblingPair, {
    tools: tools.map(makePromptTool),
    siblings: siblings.map(makePromptTool),
    relation: makePromptRelation(unit.relation?.asked),
    situation,
    ...makePromptMaterial(material),
  });

/** Renders the question whether two requests lead to one tool, and to none of its near siblings. */
function renderSiblingAuditPrompt({ unit, tools, siblings, material }: UnitWork): RenderedPrompt {
  const { source, followUp, chain } = getPairOrThrow(unit);
  return render(prompts.siblingAudit, {
    tools: tools.map(makePromptTool),
    siblings: siblings.map(makePromptTool),
    pair: { source, followUp, chain },
    ...makePromptMaterial(material),
  });
}

/** Why a step left a unit, and the requests of its instance so far: a few bytes, because a step's result is stored. */
export interface UnitEnd {
  readonly why: Stop['why'] | 'requests-spent';
  readonly requests: number;
}

/** Drives a unit to its end, one commit per stage, or until its instance has used up its requests. */
export async function driveUnitWithinRequests(
  services: StepServices,
  { units, spent }: { readonly units: DrivenUnits; readonly spent: Pick<SpentRequests, 'isUsedUp' | 'total'> },
  driver: number,
  id: string,
): Promise<UnitEnd | RestingStep> {
  try {
    let work = await units.takeUnitWork(driver, id);
    while (work.kind === 'work' && !spent.isUsedUp) {
      const { unit } = work;
      const result = await performStageUnlessEndpointRests(services, work);
      work = await units.commitStage(driver, id, unit.revision, result);
      if (result.kind === 'undone' && work.kind === 'work')
        return { why: 'endpoint-rests', untilMs: result.untilMs, requests: spent.total };
    }
    return { why: work.kind === 'stop' ? work.why : 'requests-spent', requests: spent.total };
  } catch (error) {
    if (!isOutOfRequestsError(error)) throw error;
    return { why: 'requests-spent', requests: spent.total };
  }
}

async function performStageUnlessEndpointRests(services: StepServices, work: UnitWork): Promise<StageOutput> {
  const paid: ModelCall[] = [];
  const models = await services.models();
  const noted = { ...questionerWithCallsRecorded(models, paid), ...chatModelWithCallsRecorded(models, paid) };
  try {
    return await performStage(services, noted, await services.context(), work);
  } catch (error) {
    return makeUndoneStageOrRethrow(error, paid);
  }
}

async function performStage(
  services: StepServices,
  models: Questioner & ChatModel,
  context: RunContext,
  work: UnitWork,
): Promise<StageResult> {
  const { unit, tools } = work;
  switch (unit.stage.kind) {
    case 'grounding': {
      const index = await services.facts();
      if (index === null || context.knowledge === null)
        throw new Error(`unit ${unit.id} is to be grounded, but the run has no fact index`);
      return {
        kind: 'grounding',
        found: await index.search(unit.scenario?.factQuery ?? '', context.knowledge.passages),
      };
    }
    case 'execution':
      return executeAndClassifyFailures(services, models, context, unit, unit.stage.side, tools);
    default:
      return performModelStage(models, context, work);
  }
}

/** Does a stage that is a question to a model. */
async function performModelStage(models: Questioner, context: RunContext, work: UnitWork): Promise<StageResult> {
  const { unit, tools, material } = work;
  const seed = stageSeed(context, unit);
  switch (unit.stage.kind) {
    case 'scenario': {
      const prompt = renderScenarioPrompt(context, work);
      return {
        kind: 'scenario',
        answer: await models.askForJson({ role: 'writer', prompt, form: 'scenario', schema: scenarioAnswer, seed }),
      };
    }
    case 'variant': {
      const prompt = renderVariantPrompt(context, work);
      return {
        kind: 'variant',
        answer: await models.askForJson({ role: 'writer', prompt, form: 'variant', schema: scenarioAnswer, seed }),
      };
    }
    case 'pair': {
      if (isNegativeUnit(unit))
        return writeNegativePair(models, work, { situation: drawSituationOfUnit(context, unit), seed });
      const prompt = isSingleToolUnit(unit)
        ? renderSiblingPairPrompt(work, drawSituationOfUnit(context, unit))
        : renderPairPrompt(work);
      return {
        kind: 'pair',
        answer: await models.askForJson({ role: 'writer', prompt, form: 'metamorphic-pair', schema: pairAnswer, seed }),
      };
    }
    case 'audit': {
      if (isNegativeUnit(unit)) return auditNegativePair(models, work, seed);
      const prompt = isSingleToolUnit(unit) ? renderSiblingAuditPrompt(work) : renderAuditPrompt(unit, tools, material);
      return {
        kind: 'audit',
        answer: await models.askForJson({ role: 'critic', prompt, form: 'audit', schema: auditAnswer, seed }),
      };
    }
    case 'refinement': {
      const prompt = renderRefinementPrompt(unit, tools, material);
      return {
        kind: 'refinement',
        answer: await models.askForJson({ role: 'writer', prompt, form: 'refinement', schema: refinementAnswer, seed }),
      };
    }
    case 'quality':
    case 'fuzzy':
      return askForTaskGradesOrFuzzyWording(models, work, seed);
    case 'grounding':
    case 'execution':
    case 'catalog-pair':
    case 'waiting':
    case 'distinct':
    case 'done':
      throw new Error(`unit ${unit.id} has no work at ${unit.stage.kind}`);
  }
}

function renderScenarioPrompt(context: RunContext, { unit, tools, material }: UnitWork): RenderedPrompt {
  const known = unit.draws[unit.drawn - 1]?.known ?? [];
  const situation = drawSituationOfUnit(context, unit);
  if (unit.task?.usesAllServers === true)
    return renderChainScenarioPrompt({ tools, executed: known, situation, material });
  return render(prompts.scenario, {
    tools: tools.map(makePromptTool),
    known,
    situation,
    ...makePromptMaterial(material),
  });
}

const renderVariantPrompt = (context: RunContext, { unit, tools, seeds, material }: UnitWork): RenderedPrompt =>
  render(prompts.variant, {
    kind: unit.lineage?.kind ?? '',
    seeds,
    tools: tools.map(makePromptTool),
    known: unit.draws[0]?.known ?? [],
    situation: drawSituationOfUnit(context, unit),
    ...makePromptMaterial(material),
  });

const renderPairPrompt = ({ unit, tools, material }: UnitWork): RenderedPrompt =>
  render(prompts.metamorphicPair, {
    tools: tools.map(makePromptTool),
    scenario: unit.scenario,
    facts: unit.facts.map(({ text, source }, place) => ({ passage: place + 1, text, source })),
    relation: makePromptRelation(unit.relation?.asked),
    ...makePromptMaterial(material),
  });

function renderRefinementPrompt(unit: Unit, tools: readonly Tool[], material: WriterMaterial): RenderedPrompt {
  const { source, followUp, chain, arguments: origins } = getPairOrThrow(unit);
  return render(prompts.refine, {
    tools: tools.map(makePromptTool),
    pair: { source, followUp, chain, arguments: origins },
    facts: listClaimedFactsForPrompt(unit),
    diagnosis: makeRewordingDiagnosis(unit),
    relation: makePromptRelation(unit.relation?.written),
    ...makePromptMaterial(material),
  });
}

function renderAuditPrompt(unit: Unit, tools: readonly Tool[], material: WriterMaterial): RenderedPrompt {
  const { source, followUp, chain } = getPairOrThrow(unit);
  return render(prompts.audit, {
    tools: tools.map(makePromptTool),
    pair: { source, followUp, chain },
    facts: listClaimedFactsForPrompt(unit),
    ...makePromptMaterial(material),
  });
}

/** Has the base agent work on a request; the critic decides the classes of failures that no rule decides. */
async function executeAndClassifyFailures(
  services: StepServices,
  models: Questioner & ChatModel,
  context: RunContext,
  unit: Unit,
  side: RequestSide,
  tools: readonly Tool[],
): Promise<StageResult> {
  const request = getPairOrThrow(unit)[side];
  const userCalls: ModelCall[] = [];
  const seed = stageSeed(context, unit);
  const user = makeUserUnlessDeclined(models, context, { request, seed, onCalls: (made) => userCalls.push(...made) });
  const connections = await services.connect(unit, side, tools, user);
  const clock = startSteadyClock();
  const {
    trace,
    fault,
    calls: ownCalls,
  } = await runAttemptAndCloseConnections(connections, () =>
    runFunctionCallingAttempt({
      prompt: render(prompts.agent, {
        request,
        date: utcWeekdayAndDateText(Date.now()),
        instructions: listShownInstructions(context.servers, tools),
      }),
      tools,
      model: models,
      connections,
      limits: context.agent,
      seed,
      now: clock.now,
    }),
  ).finally(clock.stop);
  const calls = [...ownCalls, ...userCalls];
  const checked = traceWithCallsClassifiedByRules(traceWithRedactedArguments(trace, connections), tools);
  const byRules = traceWithWritingCallsMarked(checked, tools, context.servers);
  if (fault !== null) return { kind: 'execution', side, trace: byRules, fault, calls };
  const judged = await judgeFailuresAndReportedErrors(
    { context: async () => context, judges: async () => models },
    { trace: byRules, tools, place: [unit.id, unit.revision], role: 'critic' },
  );
  return {
    kind: 'execution',
    side,
    trace: traceWithJudgedFailures(byRules, judged.classes),
    fault,
    calls: [...calls, ...judged.calls],
  };
}

/** Returns who answers what servers ask in an execution; undefined if the run declines it. */
const makeUserUnlessDeclined = (
  model: Questioner,
  { user, models }: RunContext,
  about: Pick<PlayedUser, 'request' | 'seed' | 'onCalls'>,
): SimulatedUser | undefined =>
  user === 'decline' ? undefined : makeSimulatedUser({ ...about, model, role: 'critic', name: models.critic.model });

/** Returns the facts that the writer says it used, as the prompts show them. */
const listClaimedFactsForPrompt = (unit: Unit) =>
  listClaimedFacts({ facts: unit.facts, pair: getPairOrThrow(unit) }).map(
    ({ passage, text, source, name, settles, quote }) => ({
      passage,
      text,
      source,
      name,
      settles,
      quote,
    }),
  );

/**
 * Returns why the pair needs other words: what its execution did not carry out, or the critic's issues and the static
 * check's findings.
 */
function makeRewordingDiagnosis(unit: Unit) {
  if (unit.earlierExecution !== null) return makeExecutionDiagnosis(getPairOrThrow(unit).chain, unit.earlierExecution);
  const audit = unit.audits.at(-1);
  const unsolved = audit?.findings.filter(({ verdict }) => verdict === 'no') ?? [];
  return {
    score: audit?.score ?? null,
    issues: audit?.issues ?? [],
    suggestions: audit?.suggestions ?? [],
    unsolved: unsolved.map(({ step, tool, argument, reason }) => ({ step, tool, argument, reason })),
    violations: audit?.violations ?? [],
    quality: findPoorGradesOfCurrentWording(unit),
  };
}

/** Returns the situation that a unit's task arises in; another one for each candidate set that is tried. */
const drawSituationOfUnit = ({ seed, languages }: RunContext, { id, drawn }: Unit): Situation =>
  drawSituation(makeRandom(seed, 'situation', id, drawn), languages);

const stageSeed = ({ seed }: RunContext, { id, revision }: Unit): number =>
  deriveModelSeedFromKeys(seed, 'model', id, revision);
