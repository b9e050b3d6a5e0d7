import type { ServerRecord } from '#core/catalog/server.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { pickReportOfServer } from '#core/reports/tool-report/report-of-server.ts';
import { isFloor } from './floor.ts';
import type { Client } from '../../client/client.ts';

/** How many of the latest runs of each kind are looked through. */
export const lookedThrough = 30;

/** What the latest run of a kind says about the tools of a server. */
export interface ReportOfRun {
  readonly kind: 'explorations' | 'evaluations';
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly report: ToolReport;
}

/** A server, and what its latest evaluation and its latest exploration say about it. */
export interface ReadServer {
  readonly server: ServerRecord;
  readonly found: readonly ReportOfRun[];
}

/** Reads a server with what its latest runs say about its tools. */
export async function readServer(client: Client, id: string): Promise<ReadServer> {
  const [{ server }, catalogs, explorations, evaluations] = await Promise.all([
    client.servers.get(id),
    Array.fromAsync(client.catalogs.list()),
    client.explorations.latest(lookedThrough),
    client.evaluations.latest(lookedThrough),
  ]);
  const own = new Set(catalogs.filter(({ servers }) => servers.some((each) => each.id === id)).map((each) => each.id));
  const found: ReportOfRun[] = [];
  for (const { id: run } of evaluations) {
    const { provenance, config, createdAt, agents } = await client.evaluations.get(run);
    if (!own.has(provenance.catalog) || isFloor({ agents })) continue;
    const report = pickReportOfServer(await client.evaluations.tools(run), server.name);
    found.push({ kind: 'evaluations', id: run, name: config.name, createdAt, report });
    break;
  }
  for (const { id: run } of explorations) {
    const { config, name, createdAt } = await client.explorations.get(run);
    if (!own.has(config.catalog)) continue;
    const report = pickReportOfServer(await client.explorations.tools(run), server.name);
    found.push({ kind: 'explorations', id: run, name, createdAt, report });
    break;
  }
  return { server, found };
}
