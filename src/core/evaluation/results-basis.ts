import type { PairUnit } from '#core/benchmarks/benchmark.ts';
import type { TaskUnit } from '#core/units/task-unit.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { collectAgentFigures, type AgentFigures } from './agent-figures.ts';
import { addCallCounts, noCalls, type CallCounts } from '#core/catalog/call-counts.ts';
import { defaultScoring, type ScoringParameters } from '#core/scoring/parameters.ts';
import type { EvaluationCase } from './case.ts';
import { countEvaluatedCallsByTool, makeFiguresOfFinishedCaseOrNull, type CaseFigures } from './case-figures.ts';

/** A unit, as far as results depend on it. */
export interface ResultUnit
  extends
    Pick<PairUnit, 'id' | 'chain' | 'witness' | 'provenElsewhere' | 'relation' | 'looksLike'>,
    Pick<TaskUnit, 'level'> {
  /** The servers that a task needs besides those of its chain. */
  readonly servers?: readonly string[];
}

/** The data behind results: the units of the evaluation, their tools, and what its agents did. */
export interface ResultsBasis {
  /** How the units were evaluated. */
  readonly protocol: ProtocolKey;
  readonly units: readonly ResultUnit[];
  readonly tools: readonly Pick<Tool, 'name' | 'server' | 'domain' | 'category'>[];
  readonly agents: ReadonlyMap<string, AgentBasis>;
  /** Trials per unit. */
  readonly trials: number;
  readonly seed: number;
}

/** The sums over an agent's finished cases. */
export interface AgentBasis {
  readonly figures: AgentFigures;
  /** Its answered calls. */
  readonly calls: readonly ToolCalls[];
}

/** An agent's calls of a tool. */
export interface ToolCalls extends CallCounts {
  readonly tool: string;
}

/** Builds the basis from cases in memory; unfinished ones are left out. */
export function makeBasisFromCases(
  cases: readonly EvaluationCase[],
  { protocol, units, tools, trials, seed }: Omit<ResultsBasis, 'agents'>,
  scoring: ScoringParameters = defaultScoring,
): ResultsBasis {
  const chains = new Map(units.map(({ id, chain }) => [id, chain]));
  const traits = new Map(tools.map((tool) => [tool.name, tool]));
  const done = cases.filter(({ stage }) => stage.kind === 'done').toSorted(compareByUnitAndTrial);
  const agents = Array.from(
    Map.groupBy(done, ({ agent }) => agent),
    ([agent, own]) =>
      [
        agent,
        makeAgentBasisFromCases(own, (each) =>
          makeFiguresOfFinishedCaseOrNull(each, chains.get(each.unit) ?? [], traits, { protocol, scoring }),
        ),
      ] as const,
  );
  return { protocol, units, tools, agents: new Map(agents), trials, seed };
}

function makeAgentBasisFromCases(
  own: readonly EvaluationCase[],
  figuresOf: (each: EvaluationCase) => CaseFigures | null,
): AgentBasis {
  const calls = new Map<string, ToolCalls>();
  for (const each of own)
    for (const [tool, more] of countEvaluatedCallsByTool(each))
      calls.set(tool, { tool, ...addCallCounts(calls.get(tool) ?? noCalls, more) });
  const figures = own.flatMap((each) => figuresOf(each) ?? []);
  return { figures: collectAgentFigures(figures), calls: [...calls.values()] };
}

const compareByUnitAndTrial = (a: EvaluationCase, b: EvaluationCase): number =>
  a.unit === b.unit ? a.trial - b.trial : a.unit < b.unit ? -1 : 1;

/** Returns an agent's figures; empty ones if none of its cases is done. */
export const agentBasisOrEmpty = ({ agents }: Pick<ResultsBasis, 'agents'>, name: string): AgentBasis =>
  agents.get(name) ?? { figures: collectAgentFigures([]), calls: [] };
