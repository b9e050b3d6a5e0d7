import { z } from 'zod';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { unitCounts } from '#core/exploration/counts.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { shownRest } from '#core/models/governor/undone-stage.ts';
import { isOver, runStatus } from '#core/exploration/runs.ts';

/** The kinds of runs that the tools of `/mcp` start and read. */
export const briefedKind = z.enum(['exploration', 'evaluation']);
export type BriefedKind = z.infer<typeof briefedKind>;

const count = z.int().min(0);
const share = z.object({ done: count, of: count });

const common = {
  id: z.string(),
  name: z.string(),
  status: runStatus,
  reason: z.string().nullable().describe('Why it ended; null while it runs'),
  offline: z
    .boolean()
    .describe(
      'Whether rules replaced models: then its figures show that the machinery works, and say nothing about models',
    ),
  waiting: shownRest.nullable().describe('The model whose endpoint takes no requests for now, if work waits for it'),
  costUsd: z.number().min(0),
  tokens: count,
  createdAt: z.string(),
  endedAt: z.string().nullable(),
};

const explorationBrief = z.object({
  kind: z.literal('exploration'),
  ...common,
  catalog: z.string(),
  models: z.record(z.string(), z.string()).describe('The name of the model in each role'),
  rounds: share,
  units: unitCounts,
  tools: z.object({ worked: count, of: count.nullable() }).describe('Tools that were called with success'),
  transitions: count.describe('Ordered pairs of tools whose successful calls followed each other'),
  probeCoverage: z
    .object({ value: z.number(), low: z.number(), high: z.number() })
    .nullable()
    .describe('Share of the transitions of fresh units that are known already, 0 to 1, with its 95% interval'),
  allTransitions: z
    .object({ value: z.number(), low: z.number(), high: z.number() })
    .nullable()
    .describe('An estimate of how many transitions there are, with its 95% interval; null while it has too few probes'),
  serversDown: z.array(z.string()).describe('At most 20 of them'),
});

const evaluationBrief = z.object({
  kind: z.literal('evaluation'),
  ...common,
  benchmark: z.string(),
  protocol: z.string(),
  agents: z.array(z.string()),
  attempts: share.extend({ notEvaluated: count.describe('Broken by faults, which count for and against nobody') }),
  units: share,
});

/** What a model is told about a run: its state, how far it is and what it cost. */
export const runBrief = z.discriminatedUnion('kind', [explorationBrief, evaluationBrief]);
export type RunBrief = Readonly<z.infer<typeof runBrief>>;

const mostServersDown = 20;

export const briefExploration = (run: ExplorationRecord): RunBrief => ({
  kind: 'exploration',
  ...commonOf(run, run.config.name),
  costUsd: run.usage.costUsd,
  tokens: run.usage.promptTokens + run.usage.completionTokens,
  catalog: run.config.catalog,
  models: Object.fromEntries(Object.entries(run.models).map(([role, { model }]) => [role, model])),
  rounds: { done: run.rounds, of: run.config.budget.rounds },
  units: run.units,
  tools: { worked: run.toolsExecuted, of: run.reading === null ? null : countToolsOfReading(run.reading) },
  transitions: run.transitions,
  probeCoverage: run.reading?.probeCoverage ?? null,
  allTransitions: run.reading?.allTransitions?.estimate ?? null,
  serversDown: run.serversDown.slice(0, mostServersDown),
});

const countToolsOfReading = ({ nodeCoverage: { of, setAside } }: NonNullable<ExplorationRecord['reading']>): number =>
  of + setAside;

export const briefEvaluation = (run: EvaluationRecord): RunBrief => ({
  kind: 'evaluation',
  ...commonOf(run, run.config.name),
  costUsd: run.usage.costUsd + run.judgeUsage.costUsd,
  tokens: [run.usage, run.judgeUsage].reduce((sum, each) => sum + each.promptTokens + each.completionTokens, 0),
  benchmark: run.config.benchmark,
  protocol: run.protocol,
  agents: run.agents.map(({ name }) => name),
  attempts: { done: run.progress.made, of: run.progress.attempts, notEvaluated: run.progress.notEvaluated },
  units: { done: run.progress.unitsDone, of: run.progress.units },
});

const commonOf = (
  { id, status, reason, offline, waiting, createdAt, endedAt }: ExplorationRecord | EvaluationRecord,
  name: string,
) => ({ id, name, status, reason, offline, waiting, createdAt, endedAt });

/** Returns how far a run is, such as `2 of 5 rounds`. */
export const progressText = (run: RunBrief): string =>
  run.kind === 'exploration'
    ? `${run.rounds.done} of ${run.rounds.of} rounds, ${run.units.accepted} units accepted`
    : `${run.attempts.done} of ${run.attempts.of} attempts, ${run.units.done} of ${run.units.of} units done`;

/** Returns a run in one or two sentences. */
export function runText(run: RunBrief): string {
  const why = run.reason === null ? '' : ` (${run.reason})`;
  const cost = `${run.tokens} tokens, ${Number(run.costUsd.toPrecision(3))} USD`;
  const rules = run.offline ? ' Rules replaced models, so its figures say nothing about models.' : '';
  return `The ${run.kind} ${run.id} is ${run.status}${why}: ${progressText(run)}; ${cost}.${rules}`;
}

/** Returns what a model can do next with a run, with the tools of `/mcp`. */
export function listNextSteps(run: RunBrief): string[] {
  if (run.status === 'running')
    return [`wait_for_run {"run": "${run.id}"} until it ends; read_tool_report shows what it has found so far`];
  if (run.status === 'paused') return ['it is paused: a person resumes it on its page or over the API'];
  return run.kind === 'exploration' ? nextStepsOfEndedExploration(run) : nextStepsOfEndedEvaluation(run);
}

function nextStepsOfEndedExploration({ id, units }: Extract<RunBrief, { kind: 'exploration' }>): string[] {
  const parked = `${units.review} units wait for a person, who decides on its page or over the API`;
  return [
    `read_tool_report {"run": "${id}"} says for each tool whether it works`,
    ...(units.review > 0 ? [parked] : []),
    units.accepted > 0
      ? `freeze_benchmark {"explorations": ["${id}"]}, then start_evaluation on it`
      : 'no unit was accepted, so there is nothing to freeze',
  ];
}

const nextStepsOfEndedEvaluation = ({ id, attempts }: Extract<RunBrief, { kind: 'evaluation' }>): string[] =>
  attempts.done === 0
    ? ['no attempt was made, so there are no results']
    : [
        `read_results {"run": "${id}"} has the figures of each agent`,
        `list_cases {"run": "${id}", "outcome": "failed"}, then read_case, shows why attempts failed`,
        `read_tool_report {"run": "${id}"} says for each tool whether agents can use it`,
      ];

/** Returns whether nothing about a run changes until a person acts. */
export const standsStill = ({ status }: RunBrief): boolean => isOver(status) || status === 'paused';
