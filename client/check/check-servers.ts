import { effectOfTool, isEffectWithinLimit, type AllowedEffect } from '#core/catalog/effect.ts';
import { findNearSiblings, type DescribedTool } from '#core/exploration/near-siblings.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { ToolReport } from '#core/tool-report/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { countWithNoun } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import { showExplorationUntilEnd } from '../progress/follow.ts';
import type { NewServer } from '../resources/servers.ts';

/** Units of a round, or fewer. */
const mostUnitsOfRound = 10;
/** One unit in so many, or fewer, is for one tool that is easily taken for another one. */
const unitsPerSiblingUnit = 3;

export interface CheckOptions {
  readonly servers: readonly NewServer[];
  /** The most that calls may do. */
  readonly allows: AllowedEffect;
  readonly units: number;
  readonly seed: number;
  /** US dollars. */
  readonly maxCost: number | undefined;
  readonly progress: Sink;
}

/** What a check found out. */
export interface Checked {
  readonly run: ExplorationRecord;
  readonly report: ToolReport;
  /** Tools that were not called because of what they may do, or say nothing of. */
  readonly leftOut: readonly string[];
}

/** Registers servers, explores their tools within the limits, and returns what the attempts say about each tool. */
export async function registerServersAndExploreTools(client: Client, options: CheckOptions): Promise<Checked> {
  const { servers, allows, units, seed, maxCost, progress } = options;
  const ids: string[] = [];
  const leftOut: string[] = [];
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
    leftOut.push(...left.map(({ name }) => name));
  }
  if (leftOut.length > 0)
    progress.write(`not called, because they may do more than "${allows}" allows: ${leftOut.join(', ')}\n`);
  if (leftOut.length === listed)
    throw new CommandError(
      `no tool is declared to do no more than "${allows}" allows; if the servers hold nothing of value, give --allow ${allows === 'reads' ? 'writes or --allow destroys' : 'destroys'}`,
    );
  const catalog = await client.catalogs.create(ids);
  const batch = Math.min(mostUnitsOfRound, units);
  const started = await client.explorations.create({
    name: 'check',
    catalog: catalog.id,
    batch,
    siblingUnits: Math.min(findNearSiblings(callable).size, Math.floor(batch / unitsPerSiblingUnit)),
    seed,
    budget: { rounds: Math.ceil(units / batch), ...(maxCost === undefined ? {} : { costUsd: maxCost }) },
  });
  const run = await showExplorationUntilEnd(client, started, progress);
  return { run, report: await client.explorations.tools(run.id), leftOut };
}
