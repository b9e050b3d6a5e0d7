import { z } from 'zod';
import type { EvaluationCase } from '../case.ts';
import type { AgentResult, EvaluationRecord } from '../record.ts';
import { addUsage, noUsage, type Usage } from '#core/models/usage.ts';
import { scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import type { ShownAgent } from '../config.ts';
import { inspectLimitsOfAgent, inspectModelName } from './agent.ts';
import type { makeInspectSamples } from './sample.ts';
import { makeInspectUsage } from './usage.ts';

/** What the cases of an agent add up to. */
export interface InspectTotals {
  /** Attempts that there will be, and those that were made and evaluated. */
  readonly attempts: number;
  readonly evaluated: number;
  readonly units: number;
  /** The unit of the case that was added last; null before. */
  readonly lastUnit: string | null;
  readonly agent: Usage;
  readonly judges: Usage;
}

export const noInspectTotals: InspectTotals = {
  attempts: 0,
  evaluated: 0,
  units: 0,
  lastUnit: null,
  agent: noUsage,
  judges: noUsage,
};

/** Adds a case of the agent to its totals. Cases have to come by unit, so that each unit counts once. */
export function addCaseToInspectTotals(totals: InspectTotals, each: EvaluationCase): InspectTotals {
  const made = Object.values(each.attempts);
  return {
    attempts: totals.attempts + each.requests.length,
    evaluated: totals.evaluated + made.filter((attempt) => attempt.evaluated).length,
    units: totals.units + (each.unit === totals.lastUnit ? 0 : 1),
    lastUnit: each.unit,
    agent: made.map(({ usage }) => usage).reduce(addUsage, totals.agent),
    judges: addUsage(totals.judges, each.judgeUsage),
  };
}

/** What a log has of an evaluation besides its samples. */
export interface InspectLogBasis {
  readonly run: EvaluationRecord;
  readonly agent: ShownAgent;
  readonly result: AgentResult;
  readonly totals: InspectTotals;
}

/**
 * Returns the pieces of the text of one agent's log in Inspect AI's JSON format, version 2, sample by sample. Its fields have the order
 * that Inspect's reader of headers needs: `samples` last.
 */
export function* generateInspectLogText(
  basis: InspectLogBasis,
  samples: Iterable<ReturnType<typeof makeInspectSamples>[number]>,
): Generator<string, undefined> {
  yield `${JSON.stringify(makeInspectLogHead(basis)).slice(0, -1)},"samples":[`;
  let separator = '';
  for (const sample of samples) {
    yield `${separator}${JSON.stringify(sample)}`;
    separator = ',';
  }
  yield ']}\n';
  return undefined;
}

/** Returns the name of a file by which Inspect's viewer finds the log in a folder: it begins with the time and has no underscore in the task. */
export const inspectLogFileName = (
  { id, createdAt }: Pick<EvaluationRecord, 'id' | 'createdAt'>,
  agent: string,
): string => `${createdAt.replaceAll(/[:.]/g, '-')}_${id.replaceAll('_', '-')}_${agent}.json`;

const inspectStatus = z.enum(['started', 'success', 'cancelled', 'error']);

/** An eval log, as far as the document of the API describes it; Inspect AI publishes the whole schema. */
export const inspectLog = z.looseObject({
  version: z.literal(2),
  status: inspectStatus,
  eval: z.looseObject({ eval_id: z.string(), task: z.string(), model: z.string() }),
  samples: z.array(z.looseObject({ id: z.string(), epoch: z.int() })),
});

const statuses: Readonly<Record<RunStatus, z.infer<typeof inspectStatus>>> = {
  running: 'started',
  paused: 'started',
  completed: 'success',
  cancelled: 'cancelled',
  failed: 'error',
};

function makeInspectLogHead({ run, agent, result, totals }: InspectLogBasis) {
  const spec = makeInspectSpec(run, agent, totals);
  return {
    version: 2,
    status: statuses[run.status],
    eval: spec,
    plan: {
      name: 'plan',
      steps: [{ solver: agent.loop, params: { mounting: agent.mounting }, params_passed: {} }],
      config: {},
    },
    results: {
      total_samples: totals.attempts,
      completed_samples: totals.evaluated,
      scores: makeInspectScores(run, result),
    },
    stats: {
      started_at: run.createdAt,
      completed_at: run.endedAt ?? '',
      model_usage: { [inspectModelName(agent)]: makeInspectUsage(totals.agent) },
      role_usage: { judge: makeInspectUsage(totals.judges) },
      connection_limit_history: [],
    },
    error:
      run.status === 'failed'
        ? { message: run.reason ?? 'the evaluation failed', traceback: '', traceback_ansi: '' }
        : undefined,
    invalidated: false,
    tags: spec.tags,
    metadata: spec.metadata,
  };
}

function makeInspectSpec(run: EvaluationRecord, agent: ShownAgent, totals: InspectTotals) {
  const { id, config, protocol, provenance, createdAt } = run;
  const limits = inspectLimitsOfAgent(agent);
  return {
    eval_id: `${id}.${agent.name}`,
    run_id: id,
    created: createdAt,
    task: config.name === '' ? config.benchmark : config.name,
    task_id: config.benchmark,
    task_version: 0,
    task_attribs: {},
    task_args: { protocol, split: config.split, seed: config.seed },
    task_args_passed: {},
    solver: agent.loop,
    tags: [...(run.offline ? ['offline'] : []), protocol].toSorted(),
    dataset: { name: config.benchmark, samples: config.trials === 0 ? 0 : totals.attempts / config.trials },
    model: inspectModelName(agent),
    model_generate_config: {
      temperature: 'limits' in agent && 'temperature' in agent.limits ? agent.limits.temperature : undefined,
    },
    model_base_url: 'baseUrl' in agent ? agent.baseUrl : undefined,
    model_args: {},
    config: {
      epochs: config.trials,
      fail_on_error: false,
      turn_limit: limits.turn,
      token_limit: limits.token,
      time_limit: limits.time === undefined ? undefined : Math.round(limits.time),
    },
    packages: { sextant: provenance.harness.replace(/^sextant@/, '') },
    metadata: {
      agent: agent.name,
      evaluation: id,
      offline: run.offline,
      units: totals.units,
      provenance,
      judge: run.judge,
      panel: run.panel,
    },
    scorers: scorersOfProtocol(protocol).map(({ key, title, question, formula, unit }) => ({
      name: key,
      metadata: { title, question, formula, of: unit },
    })),
  };
}

/** Means over units with their 95% intervals, as Sextant computes them; a scorer without a mean is left out. */
const makeInspectScores = ({ protocol }: EvaluationRecord, { scores }: AgentResult) =>
  scorersOfProtocol(protocol).flatMap(({ key }) => {
    const { mean, low, high, n, unscored } = scores[key];
    if (mean === null) return [];
    const figures = { mean, low, high };
    return [
      {
        name: key,
        scorer: key,
        params: {},
        metrics: Object.fromEntries(
          Object.entries(figures).flatMap(([name, value]) =>
            value === null ? [] : [[name, { name, value, params: {} }] as const],
          ),
        ),
        metadata: { units: n, unscoredUnits: unscored },
      },
    ];
  });
