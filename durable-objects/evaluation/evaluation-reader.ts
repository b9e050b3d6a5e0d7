import { getProtocol, scorerKeysOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { z } from 'zod';
import type { ShownMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import { addJudgeMeasures } from '#core/evaluation/judge-measure/measure-texts.ts';
import { computeBestScoresOfNullAgents, nullAgentNames, type BenchmarkFloor } from '#core/evaluation/floor.ts';
import { collectAgentFigures, groupConsecutiveByUnit } from '#core/evaluation/agent-figures.ts';
import {
  countUnitsByExpectedTransition,
  transitionSortKey,
  makeAgentTransitions,
} from '#core/evaluation/agent-transitions.ts';
import type { AgentBasis, ResultsBasis } from '#core/evaluation/results-basis.ts';
import { generateBreakdownGroups } from '#core/evaluation/breakdown.ts';
import {
  breakdownGroup,
  type AgentTransition,
  type BreakdownBy,
  type BreakdownGroup,
  type UnitResult,
} from '#core/evaluation/breakdown-record.ts';
import { namesOfRuleAgents } from '#core/evaluation/rule-agents.ts';
import { compareAgents } from '#core/evaluation/compare-agents.ts';
import {
  anytimeComparison,
  compareAnytime,
  type AnytimeComparison,
  type AnytimeQuestion,
} from '#core/evaluation/compare-anytime.ts';
import { compareOffering, offering, summariseUnitForOffering, type Offering } from '#core/evaluation/offering.ts';
import type { EvaluationConfig, StoredAgent } from '#core/evaluation/config.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import {
  agentResult,
  comparison,
  type AgentResult,
  type CaseDetail,
  type Comparison,
  type EvaluationRecord,
  type EvaluationResults,
} from '#core/evaluation/record.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import type { CaseFilter, PageOfCases } from '#core/evaluation/case-filter.ts';
import { makeExplainedCase, explainedCase, type ExplainedCase } from '#core/evaluation/explained-case.ts';
import { goalsOfTask } from '#core/units/task-unit.ts';
import { requestTextOrThrow } from '#core/benchmarks/protocols/case-requests.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import { failedCasesPerAgent } from '#core/evaluation/report/failed-cases.ts';
import { sumToolErrorsByServer, type ServerErrors } from '#core/evaluation/server-errors.ts';
import { brokenAttempt, countBrokenAttemptsByCause } from '#core/evaluation/report/missing.ts';
import {
  pairNeighboursInRanking,
  reportedBreakdowns,
  evaluationReportMarkdown,
} from '#core/evaluation/report/report.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import type { Decision } from '#core/evaluation/decision.ts';
import { orderUnits } from '#core/evaluation/unit-order.ts';
import { unitResultSortKey, makeResultOfAgentInUnit } from '#core/evaluation/unit-results.ts';
import { computeEntryFiguresAndUnitValues } from '#core/leaderboards/entry-figures.ts';
import { compareSplitsOrNull } from '#core/leaderboards/split-difference.ts';
import type { SubmissionFigures } from '#core/leaderboards/scored-submission.ts';
import { mapToLineages } from '#core/benchmarks/seen-units.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import type { Usage } from '#core/models/usage.ts';
import type { EvaluationFigures } from './evaluation-figures.ts';
import type { EvaluationMountings } from './evaluation-mountings.ts';
import type { ChainOfUnit } from './chain-rows.ts';
import type { EvaluationStore } from './evaluation-store.ts';

interface ReadStanding {
  readonly usage: Pick<Usage, 'adaptations'>;
  readonly decision?: Decision | undefined;
}

/** The results of an evaluation, computed from the figures stored with its cases. */
export class EvaluationReader {
  readonly #figures: EvaluationFigures;
  readonly #store: EvaluationStore;
  readonly #mountings: EvaluationMountings;
  readonly #life: { readonly standing: ReadStanding };
  readonly #agents: readonly string[];
  readonly #config: EvaluationConfig;
  readonly #id: string;
  readonly #protocol: ProtocolKey;
  readonly #nullAgents: readonly string[];
  readonly #ruleAgents: readonly string[];
  /** Agents that a report has read, at this revision, because it reads each several times. */
  #held: { readonly revision: number; readonly agents: Map<string, AgentBasis> } | null = null;

  constructor(
    figures: EvaluationFigures,
    store: EvaluationStore,
    mountings: EvaluationMountings,
    life: {
      readonly creation: {
        readonly id: string;
        readonly agents: readonly StoredAgent[];
        readonly offline: boolean;
        readonly config: EvaluationConfig;
        readonly protocol: ProtocolKey;
      };
      readonly standing: ReadStanding;
    },
  ) {
    const { id, agents, offline, config, protocol } = life.creation;
    this.#life = life;
    this.#figures = figures;
    this.#store = store;
    this.#mountings = mountings;
    this.#agents = agents.map(({ name }) => name);
    this.#config = config;
    this.#id = id;
    this.#protocol = protocol;
    this.#nullAgents = nullAgentNames(agents);
    this.#ruleAgents = namesOfRuleAgents(agents, offline);
  }

  async computeResults(): Promise<EvaluationResults> {
    await this.#figures.ensureAllCasesAdded();
    const agents: AgentResult[] = [];
    for (const agent of this.#agents) {
      agents.push(
        await this.#figures.getCachedOrComputeAnswer(`result ${agent}`, agentResult, async () => {
          await yieldToOtherCalls();
          return makeAgentResult(agent, {
            ...this.#collectAgentBases([agent]),
            units: this.#store.listUnitsForResultsWithoutTexts(),
          });
        }),
      );
    }
    const units = this.#store.listUnitsForResultsWithoutTexts();
    const mounted = this.#agents.map((agent) => ({
      agent,
      ...this.#mountings.summariseMountedTools(agent, units),
      overlay: this.#mountings.findShownOverlay(agent),
    }));
    const { usage, decision } = this.#life.standing;
    const { adaptations = [] } = usage;
    const crashes = this.#store.crashes.countByAgent();
    const crashed = crashes.length === 0 ? {} : { crashes };
    const isolation = this.#mountings.listServerIsolations();
    const floor = this.#computeFloorOrNull(agents);
    const { user = 'decline' } = this.#config;
    const rules = this.#listRuleAgentsAmong(this.#agents);
    const decided = decision === undefined ? {} : { decision };
    return {
      protocol: this.#protocol,
      agents,
      ...rules,
      mounted,
      ...crashed,
      isolation,
      user,
      ...decided,
      floor,
      adaptations,
    };
  }

  /** Returns at most `limit` cases after a cursor that a filter wants, and looks at a bounded number of them. */
  listCases(filter: CaseFilter, after: string, limit: number): Result<PageOfCases> {
    return this.#store.wantedCases.list(filter, after, limit, { protocol: this.#protocol, agents: this.#agents });
  }

  getCaseDetail(id: string): Result<CaseDetail> {
    const found = this.#store.findCase(id);
    if (found === null) return refuse('not-found', `there is no case ${id}`);
    const { unit, plan } = this.#store.getUnitAndSubIntentPlanOrThrow(found.unit);
    const goals = unit.kind === 'task' ? goalsOfTask(unit) : [];
    return ok({
      case: found,
      traces: this.#store.readTracesOfCase(id),
      asked: Object.fromEntries(found.requests.map((name) => [name, requestTextOrThrow(unit, name)])),
      chain: [...unit.chain],
      plan: goals.length > 0 ? { ok: true, value: goals } : plan,
    });
  }

  /** Null without null agents. */
  #computeFloorOrNull(results: readonly AgentResult[]): BenchmarkFloor | null {
    const blind = results.filter(({ name }) => this.#nullAgents.includes(name));
    if (blind.every(({ units }) => units === 0)) return null;
    const units = Math.max(...blind.map((each) => each.units));
    return {
      state: 'measured',
      evaluation: this.#id,
      units,
      scores: computeBestScoresOfNullAgents(blind, scorerKeysOfProtocol(this.#protocol)),
    };
  }

  /** After a cursor (unit, line break, agent), at most `limit`. */
  async listUnitResults(after: string, limit: number): Promise<UnitResult[]> {
    await this.#figures.ensureAllCasesAdded();
    const [from = ''] = after.split('\n');
    const found = this.#agents.flatMap((agent) => {
      const own: UnitResult[] = [];
      for (const cases of groupConsecutiveByUnit(this.#figures.iterateFiguresOfAgent(agent, from))) {
        const result = makeResultOfAgentInUnit(cases, this.#protocol);
        if (unitResultSortKey(result) > after) own.push(result);
        if (own.length >= limit) break;
      }
      return own;
    });
    return found.toSorted((a, b) => (unitResultSortKey(a) < unitResultSortKey(b) ? -1 : 1)).slice(0, limit);
  }

  async computeBreakdown(by: BreakdownBy): Promise<BreakdownGroup[]> {
    await this.#figures.ensureAllCasesAdded();
    return this.#figures.getCachedOrComputeAnswer(`breakdown ${by}`, z.array(breakdownGroup), async () => {
      const groups: BreakdownGroup[] = [];
      const basis = {
        ...this.#collectAgentBases(this.#agents),
        units: this.#store.listUnitsForResultsWithoutTexts(),
        tools: this.#store.listToolTraitsForResults(),
      };
      for (const group of generateBreakdownGroups(by, this.#agents, basis)) {
        groups.push(group);
        await yieldToOtherCalls();
      }
      return groups;
    });
  }

  /** After a cursor (agent, line break, tool, line break, tool), at most `limit`. */
  async listAgentTransitions(after: string, limit: number): Promise<AgentTransition[]> {
    await this.#figures.ensureAllCasesAdded();
    const [from = ''] = after.split('\n');
    const expected = countUnitsByExpectedTransition(this.#store.listUnitsForResultsWithoutTexts());
    const domains = new Map(this.#store.listToolTraitsForResults().map(({ name, domain }) => [name, domain]));
    const found: AgentTransition[] = [];
    for (const agent of this.#agents.toSorted()) {
      if (agent < from) continue;
      const own = makeAgentTransitions(agent, this.#figures.countUnitsByExecutedTransition(agent), expected, domains);
      found.push(...own.filter((each) => transitionSortKey(each) > after));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** Markdown, with the measures of its judges; the floor of the benchmark is shown where the evaluation has no null agents. */
  async renderReport(
    record: EvaluationRecord,
    { floor, judges }: { readonly floor: BenchmarkFloor | null; readonly judges: readonly ShownMeasure[] },
  ): Promise<string> {
    await this.#figures.ensureAllCasesAdded();
    this.#held = { revision: this.#figures.revision, agents: new Map() };
    const own = await this.computeResults();
    const results = addJudgeMeasures({ ...own, floor: own.floor ?? floor }, judges, record);
    const comparisons: Comparison[] = [];
    for (const [a, b] of pairNeighboursInRanking(results)) comparisons.push(await this.#compareAgentsCached(a, b));
    const broken = await this.#figures.getCachedOrComputeAnswer('broken', z.array(brokenAttempt), async () =>
      this.#agents.flatMap((agent) => countBrokenAttemptsByCause([agent], this.#collectAgentBases([agent]))),
    );
    const breakdowns: BreakdownGroup[][] = [];
    for (const { by } of reportedBreakdowns) breakdowns.push(await this.computeBreakdown(by));
    const failedCases = await this.#figures.getCachedOrComputeAnswer('failed cases', z.array(explainedCase), async () =>
      this.#explainFailedPublicCases(failedCasesPerAgent),
    );
    return evaluationReportMarkdown(record, { results, comparisons, breakdowns, broken, failedCases });
  }

  /** Returns the errors of the servers' tools that their servers could have marked, over all agents. */
  async sumErrorsByServer(): Promise<ServerErrors[]> {
    await this.#figures.ensureAllCasesAdded();
    return sumToolErrorsByServer(this.#agents.flatMap((agent) => this.#figures.countCallsByTool(agent)));
  }

  /** Returns cases of public units by id, after `after`, at most `limit`, with the reasons of their scores. */
  explainFinishedPublicCases(after: string, limit: number): ExplainedCase[] {
    return this.#store.listFinishedPublicCases(after, limit).map((each) => this.#explainCase(each));
  }

  /** Returns the first cases of public units, by unit and trial, that each agent failed; none without a verdict. */
  #explainFailedPublicCases(perAgent: number): ExplainedCase[] {
    const { verdict } = getProtocol(this.#protocol);
    if (verdict === null) return [];
    const open = this.#store.unitIdsOfSplit('public');
    return this.#agents.flatMap((agent) => {
      const failed = this.#figures
        .iterateFiguresOfAgent(agent)
        .filter(({ unit, values }) => values[verdict] === 0 && open.has(unit))
        .take(perAgent);
      return [...failed].map((place) => this.#explainCase(this.#store.getCaseOrThrow(makeCaseId(place))));
    });
  }

  #explainCase(each: EvaluationCase): ExplainedCase {
    return makeExplainedCase(each, this.#store.getUnitAndSubIntentPlanOrThrow(each.unit).plan);
  }

  async compareAgents(a: string, b: string): Promise<Result<Comparison>> {
    const known = this.#refuseUnknownAgents([a, b]);
    if (!known.ok) return known;
    await this.#figures.ensureAllCasesAdded();
    return ok({ ...(await this.#compareAgentsCached(a, b)), ...this.#listRuleAgentsAmong([a, b]) });
  }

  /** Nothing where none of them follows rules. */
  #listRuleAgentsAmong(names: readonly string[]): { ruleAgents?: string[] } {
    const rules = this.#ruleAgents.filter((name) => names.includes(name));
    return rules.length === 0 ? {} : { ruleAgents: rules };
  }

  /** Compares two agents so that the answer holds however often one looks. */
  async compareAnytime(asked: AnytimeQuestion): Promise<Result<AnytimeComparison>> {
    const known = this.#refuseUnknownAgents([asked.a, asked.b]);
    if (!known.ok) return known;
    await this.#figures.ensureAllCasesAdded();
    const { a, b, d } = asked;
    return ok(
      await this.#figures.getCachedOrComputeAnswer(`compare anytime ${a} ${b} ${d}`, anytimeComparison, async () => {
        return compareAnytime(asked, this.#basisInOrder(), [
          this.#computeAgentResultsByUnit(a),
          this.#computeAgentResultsByUnit(b),
        ]);
      }),
    );
  }

  /** Compares all agents by the headline and by what they take, so that the answer holds however often one looks. */
  async compareOffering(d: number): Promise<Offering> {
    await this.#figures.ensureAllCasesAdded();
    return this.#figures.getCachedOrComputeAnswer(`offering ${d}`, offering, async () => {
      const outcomes = this.#agents.map((agent) => {
        const groups = [...groupConsecutiveByUnit(this.#figures.iterateFiguresOfAgent(agent))];
        const byUnit = groups.map((cases) => [cases[0].unit, summariseUnitForOffering(cases, this.#protocol)] as const);
        return [agent, new Map(byUnit)] as const;
      });
      return compareOffering(d, this.#basisInOrder(), new Map(outcomes));
    });
  }

  #basisInOrder() {
    const { trials, seed } = this.#config;
    const units = this.#store.listUnitsForResultsWithoutTexts().map(({ id }) => id);
    return { protocol: this.#protocol, trials, order: orderUnits(seed, units) };
  }

  #computeAgentResultsByUnit(agent: string): Map<string, UnitResult> {
    return new Map(
      groupConsecutiveByUnit(this.#figures.iterateFiguresOfAgent(agent)).map((cases) => {
        const result = makeResultOfAgentInUnit(cases, this.#protocol);
        return [result.unit, result];
      }),
    );
  }

  #refuseUnknownAgents(asked: readonly string[]): Result<null> {
    const unknown = asked.filter((name) => !this.#agents.includes(name));
    const names = this.#agents.join(', ');
    return unknown.length === 0
      ? ok(null)
      : refuse('not-found', `there is no agent ${unknown.join(', ')} in it; it has ${names}`);
  }

  /** Returns an agent's figures for a leaderboard, and which tools it saw in public units. */
  async computeSubmissionFigures(agent: string): Promise<SubmissionFigures> {
    await this.#figures.ensureAllCasesAdded();
    const chains = this.#store.listUnitsForResultsWithoutTexts();
    const tools = this.#store.listToolTraitsForResults();
    const basisOfSplit = (split: ChainOfUnit['split']): ResultsBasis => {
      const units = chains.filter((unit) => unit.split === split);
      const ids = new Set(units.map(({ id }) => id));
      const figures = collectAgentFigures(
        this.#figures.iterateFiguresOfAgent(agent).filter(({ unit }) => ids.has(unit)),
      );
      // Calls by tool cover both splits and are not part of an entry.
      return { ...this.#collectAgentBases([]), units, tools, agents: new Map([[agent, { figures, calls: [] }]]) };
    };
    const closed = basisOfSplit('private');
    const open = basisOfSplit('public');
    const mounted = this.#mountings.summariseMountedTools(agent, open.units);
    const isolation = this.#mountings.listServerIsolations();
    const isSplit = closed.units.length > 0;
    return {
      ...computeEntryFiguresAndUnitValues(agent, open, isSplit ? closed : null),
      mounted,
      isolation,
      splits: isSplit ? compareSplitsOrNull(agent, open, closed, mapToLineages(this.#store.listUnitOrigins())) : null,
    };
  }

  #compareAgentsCached(a: string, b: string): Promise<Comparison> {
    return this.#figures.getCachedOrComputeAnswer(`compare ${a} ${b}`, comparison, async () => {
      await yieldToOtherCalls();
      return compareAgents(a, b, this.#collectAgentBases([a, b]));
    });
  }

  #collectAgentBases(agents: readonly string[]): Pick<ResultsBasis, 'protocol' | 'agents' | 'trials' | 'seed'> {
    const { trials, seed } = this.#config;
    return {
      protocol: this.#protocol,
      agents: new Map(agents.map((agent) => [agent, this.#getCachedAgentBasis(agent)])),
      trials,
      seed,
    };
  }

  #getCachedAgentBasis(name: string): AgentBasis {
    const held = this.#held?.revision === this.#figures.revision ? this.#held.agents : null;
    const known = held?.get(name) ?? this.#figures.collectAgentBasis(name);
    held?.set(name, known);
    return known;
  }
}
