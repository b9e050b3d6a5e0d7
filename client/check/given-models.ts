import { modelCheckText } from '#core/models/preflight.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { countWithNoun } from '../command-line/text.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { showEvaluationUntilEnd } from '../progress/follow.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';

type Agents = NewEvaluation['agents'];

/** Models that get the units of a check, and within which limits. */
export interface GivenModels {
  readonly agents: Agents;
  /** Units that each agent gets at most. */
  readonly sample: number | undefined;
}

/** What the evaluation of given models found out. */
export interface EvaluatedModels {
  readonly run: EvaluationRecord;
  readonly agents: readonly { readonly name: string; readonly report: ToolReport }[];
}

interface Limits {
  readonly given: GivenModels;
  /** US dollars that are left; undefined for any. */
  readonly costUsd: number | undefined;
  readonly seed: number;
  readonly progress: Sink;
}

/**
 * Asks each model at an endpoint of its own one test question, so that a wrong key or name is known before servers are charted. Throws
 * if one cannot be used, or if it has no price and a limit in dollars would bound nothing.
 */
export async function requireUsableModels(client: Client, agents: Agents, maxCost: number | undefined): Promise<void> {
  for (const agent of agents) {
    if (!('model' in agent) || agent.endpoint === undefined) continue;
    const { name, model, endpoint, loop } = agent;
    const { works, models } = await client.models.check({
      roles: ['agent'],
      models: { agent: { ...endpoint, model } },
      loop,
    });
    if (!works) throw new CommandError(`the agent ${name} cannot work: ${models.map(modelCheckText).join('; ')}`);
    if (maxCost !== undefined && models.some(({ priced }) => !priced))
      throw new UsageError(
        `--max-cost bounds nothing, because ${model} has no price: give --prompt-price and --completion-price`,
      );
  }
}

/** Freezes the accepted units of an exploration, lets the agents work on them, and returns what each says about the tools. */
export async function evaluateModelsOnUnits(
  client: Client,
  explored: ExplorationRecord,
  { given: { agents, sample }, costUsd, seed, progress }: Limits,
): Promise<EvaluatedModels> {
  // Units of whose chain a tool never worked are those that show which tools fail.
  const benchmark = await client.benchmarks.freeze({
    explorations: [explored.id],
    name: 'check',
    seed,
    privateShare: 0,
    unproven: 'keep',
    floor: false,
  });
  const units = Math.min(sample ?? benchmark.publicUnits, benchmark.publicUnits);
  progress.write(
    `benchmark ${benchmark.id}: ${countWithNoun(units, 'unit')} for ${countWithNoun(agents.length, 'agent')}\n`,
  );
  const started = await client.evaluations.create({
    benchmark: benchmark.id,
    agents,
    name: 'check',
    sample: { units, seed },
    judges: false,
    seed,
    budget: costUsd === undefined ? {} : { costUsd },
  });
  const run = await showEvaluationUntilEnd(client, started, progress);
  const reports: { name: string; report: ToolReport }[] = [];
  for (const { name } of run.agents) reports.push({ name, report: await client.evaluations.tools(run.id, name) });
  return { run, agents: reports };
}
