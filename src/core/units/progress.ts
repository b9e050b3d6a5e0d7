import type { FoundPassage } from '#core/similarity/knowledge/passage-record.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { makeInternalFault } from '#core/models/internal-fault.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { Answer, Reached } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { AuditAnswer, CatalogPairsAnswer, PairAnswer, RefinementAnswer, ScenarioAnswer } from './answers.ts';
import {
  makeAcceptedStage,
  unitAcceptedInEarlierWording,
  doneStage,
  unitDroppedForFault,
  unitDroppedOrAcceptedInEarlierWording,
  getPairOrThrow,
  wordingOfPair,
  auditRejectionText,
  auditReturnText,
} from './ending.ts';
import {
  hasAnySuccessfulCall,
  listFirstFaultOfEachServer,
  makeExecutionRecord,
  makeWitnessAndExtent,
} from './execution.ts';
import type { RelationKind } from './relation-kinds.ts';
import type { Decision, Edit } from './review.ts';
import { findLineageProblemOrNull } from './variant-kinds.ts';
import { acceptNegativeUnit, isNegativeUnit } from './negative.ts';
import {
  findSingleToolProblemOrNull,
  firstStageOfDraw,
  isForOneTool,
  isSingleToolUnit,
  leastStepsOfChain,
  listSiblingTools,
} from './single-tool.ts';
import { checkPairStatically } from './static-check.ts';
import { minAuditGrade, nextAfterAudit, type TierThresholds } from './tiers.ts';
import { addUsage, noUsage, sumUsageOfCalls } from '#core/models/usage.ts';
import type { FuzzyAnswer, QualityAnswer, TaskRecord } from './task-record.ts';
import {
  taskAfterFuzzyWording,
  taskAfterQualityGrades,
  makeTaskRecordOrNullForPair,
  listRequiredServersNotUsed,
  nextStageOnceWorded,
} from './task-stages.ts';
import type { Draw, Lineage, RequestSide, Stage, Unit } from './unit.ts';
import { unwitnessedSteps, type Witness } from './witness.ts';

/**
 * A unit's path through the loop as a pure state machine. A driver asks for the unit's `stage`, performs it, and
 * commits the result; only this file decides what comes next.
 */

/** A model's answer, or why there is none, with the calls that were paid for. */
export type StageAnswer<T> = Answer<T>;

export type StageResult =
  | { readonly kind: 'scenario' | 'variant'; readonly answer: StageAnswer<ScenarioAnswer> }
  | {
      readonly kind: 'grounding';
      readonly found: Reached<readonly FoundPassage[]> & { readonly calls: readonly ModelCall[] };
    }
  | { readonly kind: 'pair'; readonly answer: StageAnswer<PairAnswer> }
  | { readonly kind: 'audit'; readonly answer: StageAnswer<AuditAnswer> }
  | { readonly kind: 'refinement'; readonly answer: StageAnswer<RefinementAnswer> }
  | { readonly kind: 'quality'; readonly answer: StageAnswer<QualityAnswer> }
  | { readonly kind: 'fuzzy'; readonly answer: StageAnswer<FuzzyAnswer> }
  | {
      readonly kind: 'execution';
      readonly side: RequestSide;
      readonly trace: Trace;
      readonly fault: InfrastructureFault | null;
      readonly calls: readonly ModelCall[];
    };

/** `park`: the loop continues, and a decision is carried out when it is made. `wait`: the round waits for it. */
export type ReviewPolicy = 'park' | 'wait' | 'accept' | 'reject';

/** What a run decides once for all its units. */
export interface UnitRules extends TierThresholds {
  readonly maxRefinements: number;
  /** What happens to units of the middle tier. */
  readonly review: ReviewPolicy;
  /** Whether there is a fact index to ground units in. */
  readonly grounding: boolean;
}

/** The position of a unit in its run, and its candidate sets in the order in which they are tried. */
export interface UnitPlace {
  readonly id: string;
  readonly round: number;
  readonly index: number;
  readonly probe: boolean;
  readonly lineage: Lineage | null;
  /** Empty for a unit whose writer sees the whole catalog. */
  readonly draws: readonly Draw[];
  /** How its requests are to differ. */
  readonly relation: RelationKind;
  /** Set if it becomes a task. */
  readonly task?: Pick<TaskRecord, 'usesAllServers'> | undefined;
}

/** Returns a new unit. With fewer than two candidates it is `lost` at once, unless it is to be for one tool or for none. */
export function newUnit(place: UnitPlace): Unit {
  return {
    ...place,
    draws: [...place.draws],
    // A task has one request until its fuzzy wording is written, so nothing is gained from values in other forms.
    relation: { asked: place.task === undefined ? place.relation : 'paraphrase', written: null },
    task: makeTaskRecordOrNullForPair(place.task),
    revision: 0,
    stage: chooseFirstStage(place),
    drawn: 1,
    scenario: null,
    unwritable: [],
    grounding: { state: 'none' },
    facts: [],
    pair: null,
    audits: [],
    superseded: [],
    decisions: [],
    duplicateOf: null,
    executions: { source: null, followUp: null },
    witness: null,
    earlierExecution: null,
    faults: [],
    usage: noUsage,
    models: {},
    prompts: [],
  };
}

function chooseFirstStage({ lineage, draws: [first] }: UnitPlace): Stage {
  if (lineage !== null) return { kind: 'variant' };
  if (first === undefined) return { kind: 'catalog-pair' };
  return !isForOneTool(first) && first.tools.length < 2
    ? doneStage('lost', 'fewer than two tools could be drawn: their servers are down')
    : firstStageOfDraw(first);
}

/** Returns the candidate set that is being tried, or the chain itself if the writer saw the whole catalog. */
export const listCandidateToolsBeingTried = (unit: Unit): readonly string[] =>
  unit.draws[unit.drawn - 1]?.tools ?? unit.pair?.chain ?? [];

/** Returns the names of the tools that a unit may have, of their siblings, and of those that it has. */
export const listCandidatesAndChain = (unit: Unit): string[] => [
  ...listCandidateToolsBeingTried(unit),
  ...listSiblingTools(unit),
  ...(unit.pair?.chain ?? []),
];

/**
 * Gives each unit a pair, in order, after a writer that sees the whole catalog answered for all of them; units without
 * a pair are lost. The first unit carries the cost of the answer.
 */
export function unitsAfterCatalogPairs(units: readonly Unit[], answer: StageAnswer<CatalogPairsAnswer>): Unit[] {
  return units.map((before, index) => {
    const unit = { ...unitWithUsageOfCalls(before, index === 0 ? answer.calls : []), revision: before.revision + 1 };
    if (!answer.ok) return unitAfterFailedAnswer(unit, answer);
    const written = answer.value.pairs[index];
    if (written === undefined)
      return { ...unit, stage: doneStage('lost', 'the writer gave fewer pairs than asked for') };
    const { relation, ...pair } = written;
    return { ...unitWithWrittenRelation(unit, relation), pair, stage: { kind: 'audit' } };
  });
}

/**
 * Returns the unit after a stage. For an audit and a fuzzy wording, `tools` must include the tools of the unit's
 * candidates and their siblings; other stages ignore it. Throws for a result of another stage, which is a defect of the caller.
 */
export function unitAfterStageOrThrow(unit: Unit, result: StageResult, tools: readonly Tool[], rules: UnitRules): Unit {
  if (result.kind !== unit.stage.kind) {
    throw new Error(`unit ${unit.id} is at ${unit.stage.kind}, not at ${result.kind}`);
  }
  return { ...unitAfterStage(unit, result, tools, rules), revision: unit.revision + 1 };
}

function unitAfterStage(before: Unit, result: StageResult, tools: readonly Tool[], rules: UnitRules): Unit {
  if (result.kind === 'grounding')
    return unitAfterGrounding(unitWithUsageOfCalls(before, result.found.calls), result.found);
  if (result.kind === 'execution')
    return unitAfterExecutionOfOneRequest(unitWithUsageOfCalls(before, result.calls), result, rules);
  const unit = unitWithUsageOfCalls(before, result.answer.calls);
  if (!result.answer.ok) return unitAfterFailedAnswer(unit, result.answer);
  switch (result.kind) {
    case 'scenario':
    case 'variant':
      return unitAfterScenario(unit, result.answer.value, rules);
    case 'pair':
      return unitAfterPair(unit, result.answer.value);
    case 'audit':
      return unitAfterAudit(unit, result.answer.value, tools, rules);
    case 'refinement':
      return unitAfterRefinement(unit, result.answer.value);
    case 'quality':
      return taskAfterQualityGrades(unit, result.answer.value, rules);
    case 'fuzzy':
      return taskAfterFuzzyWording(unit, result.answer.value, listToolsByName(listCandidatesAndChain(unit), tools));
  }
}

function unitAfterFailedAnswer(unit: Unit, answer: Extract<StageAnswer<unknown>, { ok: false }>): Unit {
  if (answer.reason === 'fault') return unitDroppedOrAcceptedInEarlierWording(unit, answer.fault);
  if (unit.earlierExecution !== null) return unitAcceptedInEarlierWording(unit, unit.earlierExecution);
  const reason = `the model's answer at the ${unit.stage.kind} was ${answer.cause}: ${answer.detail}`;
  return { ...unit, stage: doneStage('rejected', reason) };
}

function unitAfterScenario(before: Unit, answer: ScenarioAnswer, rules: UnitRules): Unit {
  const unit = { ...before, unwritable: unwritableToolsAfterAnswer(before, answer) };
  if (answer.scenario === null) return unitWithNextDrawOrLost(unit, answer.why);
  return { ...unit, scenario: answer.scenario, stage: { kind: rules.grounding ? 'grounding' : 'pair' } };
}

/** Adds the candidates that the writer named to those that it named for earlier sets. */
function unwritableToolsAfterAnswer(unit: Unit, answer: ScenarioAnswer): Unit['unwritable'] {
  const candidates = listCandidateToolsBeingTried(unit);
  const named = answer.unwritable.filter(({ tool }) => candidates.includes(tool));
  return [...new Map([...unit.unwritable, ...named].map((each) => [each.tool, each])).values()];
}

/** A unit that cannot be grounded continues without facts; an unreachable index is nobody's fault. */
function unitAfterGrounding(unit: Unit, found: Reached<readonly FoundPassage[]>): Unit {
  const next = { ...unit, stage: { kind: 'pair' as const } };
  return found.ok
    ? { ...next, grounding: { state: 'searched' }, facts: found.value.map((passage) => ({ ...passage })) }
    : { ...next, grounding: { state: 'failed', code: found.fault.code, detail: found.fault.detail } };
}

function unitAfterPair(unit: Unit, answer: PairAnswer): Unit {
  if (answer.pair === null) return unitWithNextDrawOrLost(unit, answer.why);
  const unused = listRequiredServersNotUsed(unit, answer.pair.chain);
  if (unused.length > 0) return unitWithNextDrawOrLost(unit, `the chain leaves out ${unused.join(' and ')}`);
  const tooMuch = findSingleToolProblemOrNull(unit, answer.pair.chain);
  if (tooMuch !== null) return unitWithNextDrawOrLost(unit, tooMuch);
  const strayed = unit.lineage === null ? null : findLineageProblemOrNull(unit.lineage, answer.pair.chain);
  return {
    ...unitWithWrittenRelation(unit, answer.relation),
    pair: answer.pair,
    stage: strayed === null ? { kind: 'audit' } : doneStage('rejected', strayed),
  };
}

const unitWithWrittenRelation = (unit: Unit, written: RelationKind): Unit => ({
  ...unit,
  relation: { asked: unit.relation?.asked ?? written, written },
});

function unitWithNextDrawOrLost(unit: Unit, why: string): Unit {
  if (unit.lineage !== null) return { ...unit, stage: doneStage('lost', `no variant could be written: ${why}`) };
  const next = unit.draws[unit.drawn];
  if (next === undefined) return { ...unit, stage: doneStage('lost', `no task for any candidate set: ${why}`) };
  return {
    ...unit,
    drawn: unit.drawn + 1,
    scenario: null,
    grounding: { state: 'none' },
    facts: [],
    stage: firstStageOfDraw(next),
  };
}

function unitAfterAudit(unit: Unit, answer: AuditAnswer, tools: readonly Tool[], rules: UnitRules): Unit {
  const check = checkPairStatically(
    getPairOrThrow(unit),
    listToolsByName([...listCandidateToolsBeingTried(unit), ...listSiblingTools(unit)], tools),
    unit.relation?.written ?? null,
    leastStepsOfChain(unit),
  );
  const score = minAuditGrade(answer);
  const audit = { ...answer, score, findings: [...check.findings], violations: [...check.violations] };
  const audited = { ...unit, audits: [...unit.audits, audit] };
  if (unit.earlierExecution !== null) {
    // It has been compared with the kept units before, and its chain and values have not changed.
    return check.solvable && score >= rules.acceptScore
      ? { ...audited, stage: { kind: 'execution', side: 'source' } }
      : unitAcceptedInEarlierWording(audited, unit.earlierExecution);
  }
  if (check.chainViolations.length > 0) {
    // A refinement keeps the chain, so it could not fix this.
    return { ...audited, stage: doneStage('rejected', `the chain is not usable: ${check.chainViolations.join('; ')}`) };
  }
  const { solvable } = check;
  if (unit.decisions.at(-1)?.verdict.decision === 'edit') {
    const passes = solvable && score >= rules.passScore;
    return {
      ...audited,
      stage: passes ? executionOrComparisonStage(unit) : doneStage('review', auditReturnText(score, check, rules)),
    };
  }
  // A refinement words the calls of a chain, and a negative pair has none.
  const limits = isNegativeUnit(unit) ? { ...rules, maxRefinements: 0 } : rules;
  switch (nextAfterAudit({ score, solvable, refinements: unit.superseded.length }, limits)) {
    case 'refine':
      return { ...audited, stage: { kind: 'refinement' } };
    case 'reject':
      return { ...audited, stage: doneStage('rejected', auditRejectionText(score, check.violations, limits)) };
    case 'accept':
      return { ...audited, stage: executionOrComparisonStage(unit) };
    case 'review':
      return { ...audited, stage: nextStageByReviewPolicy(unit, rules.review, score) };
  }
}

/** Returns the next stage of a usable unit: a variant must first be compared with the kept units. */
const executionOrComparisonStage = (unit: Unit): Stage =>
  unit.lineage === null ? nextStageOnceWorded(unit) : { kind: 'distinct' };

function nextStageByReviewPolicy(unit: Unit, policy: ReviewPolicy, score: number): Stage {
  switch (policy) {
    case 'accept':
      return executionOrComparisonStage(unit);
    case 'reject':
      return doneStage('rejected', `audited at ${score}, and the run rejects what would need a review`);
    case 'wait':
      // An evolution has no rounds that could wait.
      return unit.lineage === null ? { kind: 'waiting' } : doneStage('review', `audited at ${score}`);
    case 'park':
      return doneStage('review', `audited at ${score}`);
  }
}

/**
 * Drops a unit whose stage failed repeatedly for a reason of ours, which says nothing about servers, models or agents.
 * A finished unit stays as it is.
 */
export function dropUnitForInternalFaultUnlessDone(unit: Unit, reason: string): Unit {
  if (unit.stage.kind === 'done') return unit;
  return { ...unitDroppedForFault(unit, makeInternalFault(unit.stage.kind, reason)), revision: unit.revision + 1 };
}

/** Returns whether a person can decide on the unit. */
export const isOpenToReview = ({ stage }: Unit): boolean =>
  stage.kind === 'waiting' || (stage.kind === 'done' && stage.status === 'review');

/**
 * Returns the unit after a person's decision. Throws if the unit is not open to one, which is a defect of the caller.
 */
export function unitAfterDecision(unit: Unit, decision: Decision): Unit {
  if (!isOpenToReview(unit)) throw new Error(`unit ${unit.id} is at ${unit.stage.kind}, not in review`);
  const decided = { ...unit, revision: unit.revision + 1, decisions: [...unit.decisions, decision] };
  const { verdict } = decision;
  switch (verdict.decision) {
    case 'approve':
      return { ...decided, stage: executionOrComparisonStage(unit) };
    case 'reject':
      return { ...decided, stage: doneStage('rejected', `a reviewer rejected it: ${verdict.reason}`) };
    case 'edit':
      return unitWithNewWording(decided, verdict.edit);
  }
}

/** Returns a waiting unit as one in review, so that the round continues; any other unit as it is. */
export function unitInReviewIfWaiting(unit: Unit): Unit {
  if (unit.stage.kind !== 'waiting') return unit;
  return { ...unit, revision: unit.revision + 1, stage: doneStage('review', 'nobody decided while the round waited') };
}

/**
 * Returns a variant after it was compared with the kept units: a near-duplicate ends here, any other variant is
 * executed.
 */
export function variantAfterComparison(unit: Unit, duplicateOf: Unit['duplicateOf']): Unit {
  if (unit.stage.kind !== 'distinct') throw new Error(`unit ${unit.id} is at ${unit.stage.kind}, not at distinct`);
  const stage: Stage =
    duplicateOf === null
      ? nextStageOnceWorded(unit)
      : doneStage('duplicate', `a near-duplicate of ${duplicateOf.unit}`);
  return { ...unit, revision: unit.revision + 1, duplicateOf, stage };
}

const unitAfterRefinement = (unit: Unit, answer: RefinementAnswer): Unit => unitWithNewWording(unit, answer);

/** Returns the unit with the same chain in new words, to be audited. */
function unitWithNewWording(unit: Unit, { source, followUp, arguments: origins }: Edit): Unit {
  const pair = getPairOrThrow(unit);
  return {
    ...unit,
    superseded: [...unit.superseded, wordingOfPair(pair)],
    pair: { ...pair, source, followUp, arguments: origins ?? pair.arguments },
    executions: { source: null, followUp: null },
    witness: null,
    stage: { kind: 'audit' },
  };
}

function unitAfterExecutionOfOneRequest(
  before: Unit,
  result: Extract<StageResult, { kind: 'execution' }>,
  rules: UnitRules,
): Unit {
  const { side, trace, fault } = result;
  if (before.stage.kind !== 'execution' || before.stage.side !== side) {
    throw new Error(`unit ${before.id} is not at the execution of its ${side}`);
  }
  if (fault !== null) return unitDroppedOrAcceptedInEarlierWording(before, fault);
  const pair = getPairOrThrow(before);
  const record = makeExecutionRecord(trace, pair[side], pair.chain);
  const unit = {
    ...before,
    executions: { ...before.executions, [side]: record },
    faults: [...before.faults, ...listFirstFaultOfEachServer(trace)],
  };
  return side === 'source'
    ? { ...unit, stage: { kind: 'execution', side: 'followUp' } }
    : unitAfterBothExecutions(unit, rules);
}

/**
 * Decides on a unit whose requests have both been executed. It is accepted if any call succeeded, because a unit that
 * the base agent cannot solve may still be a good one. If some step of its chain was not carried out, the pair is first
 * reworded once; the new wording replaces the first one unless it led to fewer steps.
 */
function unitAfterBothExecutions(unit: Unit, rules: UnitRules): Unit {
  if (isNegativeUnit(unit)) return acceptNegativeUnit(unit);
  const pair = getPairOrThrow(unit);
  const { witness, extent } = makeWitnessAndExtent(pair.chain, unit.executions);
  const executed = { ...unit, witness };
  const countMissing = (of: Witness): number => unwitnessedSteps(pair.chain, of).length;
  const hasSucceeded = hasAnySuccessfulCall(unit.executions);
  const { earlierExecution: earlier } = unit;
  if (earlier !== null && (!hasSucceeded || countMissing(witness) > countMissing(earlier.witness)))
    return unitAcceptedInEarlierWording(unit, earlier);
  if (!hasSucceeded)
    return { ...executed, stage: doneStage('rejected', 'unexecuted: no call succeeded in either attempt') };
  if (extent === 'full') return { ...executed, stage: makeAcceptedStage(extent) };
  const audit = unit.audits.at(-1);
  // A task keeps the wording that was graded and made fuzzy; that an agent took a tool for its sibling is what is to be found out.
  const keepsWording = unit.task !== null || isSingleToolUnit(unit) || rules.maxRefinements === 0;
  if (earlier !== null || audit === undefined || keepsWording) return { ...executed, stage: makeAcceptedStage(extent) };
  const earlierExecution = { wording: wordingOfPair(pair), audit, executions: unit.executions, witness };
  return { ...executed, earlierExecution, stage: { kind: 'refinement' } };
}

export function unitWithUsageOfCalls(unit: Unit, calls: readonly ModelCall[]): Unit {
  if (calls.length === 0) return unit;
  const usage = addUsage(unit.usage, sumUsageOfCalls(calls));
  const models = { ...unit.models, ...Object.fromEntries(calls.map(({ role, model }) => [role, model])) };
  return { ...unit, usage, models, prompts: [...new Set([...unit.prompts, ...calls.map(({ prompt }) => prompt)])] };
}

/** Returns the tools with these names, in the order of the names; unknown names are skipped. */
export function listToolsByName<T extends Pick<Tool, 'name'>>(names: readonly string[], tools: readonly T[]): T[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return names.flatMap((name) => byName.get(name) ?? []);
}
