import { effectOfTool, isEffectWithinLimit, type AllowedEffect } from '#core/catalog/effect.ts';
import { findNearSiblings, type DescribedTool } from '#core/exploration/near-siblings.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { countWithNoun } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { ApiError } from '../http/errors.ts';
import { showExplorationUntilEnd } from '../progress/follow.ts';
import type { NewServer } from '../resources/servers.ts';
import { evaluateModelsOnUnits, requireUsableModels, type EvaluatedModels, type GivenModels } from './given-models.ts';

/** Units of a round, or fewer. */
const mostUnitsOfRound = 10;
/** One unit in so many, or fewer, is for one tool that is easily taken for another one. */
const unitsPerSiblingUnit = 3;
/** One unit in so many looks like something for a tool, and is for none. */
const unitsPerNegativeUnit = 10;

export interface CheckOptions {
  readonly servers: readonly NewServer[];
  /** The most that calls may do. */
  readonly allows: AllowedEffect;
  readonly units: number;
  readonly seed: number;
  /** US dollars, for the exploration and the evaluation together. */
  readonly maxCost: number | undefined;
  /** Models that get the accepted units; none if there are no agents. */
  readonly given: GivenModels;
  readonly progress: Sink;
}

/** What a check found out. */
export interface Checked {
  readonly run: ExplorationRecord;
  readonly report: ToolReport;
  /** What the given models did; null without any, or for the reason in `unevaluated`. */
  readonly evaluated: EvaluatedModels | null;
  readonly unevaluated: string | null;
}

/** Registers servers, explores their tools within the limits, lets given models work on the units, and returns what the attempts say. */
export async function checkServers(client: Client, options: CheckOptions): Promise<Checked> {
  const { maxCost, given } = options;
  await requireUsableModels(client, given.agents, maxCost);
  const registered = await registerServers(client, options);
  // Rules have no price, so a limit in dollars would be refused for them.
  const isFree = maxCost === undefined || (await client.system.health()).offline;
  const run = await exploreTools(client, registered, isFree ? undefined : maxCost, options);
  const found = { run, report: await client.explorations.tools(run.id) };
  if (given.agents.length === 0) return { ...found, evaluated: null, unevaluated: null };
  const left = maxCost === undefined ? undefined : maxCost - run.usage.costUsd;
  const unevaluated = reasonAgainstEvaluation(run, left);
  if (unevaluated !== null) return { ...found, evaluated: null, unevaluated };
  const isPriced = given.agents.some((agent) => 'model' in agent && agent.endpoint !== undefined);
  const costUsd = isFree && !isPriced ? undefined : left;
  try {
    const evaluated = await evaluateModelsOnUnits(client, run, { ...options, costUsd });
    return { ...found, evaluated, unevaluated };
  } catch (error) {
    // What the exploration found is worth showing all the same.
    if (error instanceof ApiError) return { ...found, evaluated: null, unevaluated: error.message };
    throw error;
  }
}

/** The share of the money that exploring may spend where agents need some of it too. */
const exploringShare = 0.5;

async function exploreTools(
  client: Client,
  { ids, callable }: Pick<Registered, 'ids' | 'callable'>,
  maxCost: number | undefined,
  { units, seed, given, progress }: CheckOptions,
): Promise<ExplorationRecord> {
  const catalog = await client.catalogs.create(ids);
  const batch = Math.min(mostUnitsOfRound, units);
  const costUsd = maxCost === undefined ? undefined : maxCost * (given.agents.length === 0 ? 1 : exploringShare);
  const started = await client.explorations.create({
    name: 'check',
    catalog: catalog.id,
    batch,
    siblingUnits: Math.min(findNearSiblings(callable).size, Math.floor(batch / unitsPerSiblingUnit)),
    negativeUnits: Math.floor(batch / unitsPerNegativeUnit),
    seed,
    budget: { rounds: Math.ceil(units / batch), ...(costUsd === undefined ? {} : { costUsd }) },
  });
  return showExplorationUntilEnd(client, started, progress);
}

/** Returns why agents cannot work on the units of an exploration; null if they can. */
function reasonAgainstEvaluation({ status, units }: ExplorationRecord, costUsd: number | undefined): string | null {
  if (status !== 'completed') return `the exploration is ${status}`;
  if (units.accepted === 0) return 'the exploration accepted no unit';
  return costUsd !== undefined && costUsd <= 0 ? 'the exploration used up --max-cost' : null;
}

interface Registered {
  readonly ids: readonly string[];
  readonly callable: readonly DescribedTool[];
}

async function registerServers(client: Client, { servers, allows, progress }: CheckOptions): Promise<Registered> {
  const ids: string[] = [];
  const leftOut: Tool[] = [];
  const callable: DescribedTool[] = [];
  let listed = 0;
  for (const server of servers) {
    const added = await client.servers.add({ ...server, allows });
    progress.write(`registered ${added.name}: ${countWithNoun(added.tools, 'tool')}\n`);
    ids.push(added.id);
    listed += added.tools;
    const { tools } = await client.servers.get(added.id);
    const { called = [], left = [] } = Object.groupBy(tools, (tool) =>
      isEffectWithinLimit(effectOfTool(tool), allows) ? 'called' : 'left',
    );
    callable.push(...called);
    leftOut.push(...left);
  }
  if (leftOut.length > 0)
    progress.write(
      `not called, because they may do more than "${allows}" allows: ${leftOut.map(({ name }) => name).join(', ')}\n`,
    );
  if (leftOut.length === listed)
    throw new CommandError(
      `no tool is declared to do no more than "${allows}" allows; if the servers hold nothing of value, give --allow ${allows === 'reads' ? 'writes or --allow destroys' : 'destroys'}`,
    );
  return {
    ids,
    callable,
  };
}
