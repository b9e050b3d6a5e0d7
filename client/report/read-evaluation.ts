import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { Client } from '../client.ts';
import { readRecordOfEachItem } from '../http/read-each.ts';
import { comparedAgents, type ReportedEvaluation } from './evaluation-report.ts';

/** Failed cases that a report shows. */
const mostFailed = 30;

/** Reads all that the report of an evaluation shows. */
export async function readReportedEvaluation(client: Client, id: string): Promise<ReportedEvaluation> {
  const { evaluations } = client;
  const [run, results, tools] = await Promise.all([
    evaluations.get(id),
    evaluations.results(id),
    evaluations.tools(id),
  ]);
  const comparisons = await Array.fromAsync(
    readRecordOfEachItem(comparedAgents(results), ([a, b]) => evaluations.compare(id, a, b)),
  );
  const failed: string[] = [];
  if (getProtocol(run.protocol).verdict !== null)
    for await (const each of evaluations.cases(id, { filter: { outcome: 'failed' } })) failed.push(each.id);
  const shown = await Array.fromAsync(
    readRecordOfEachItem(failed.slice(0, mostFailed), (each) => evaluations.case(id, each)),
  );
  return { run, results, comparisons, tools, failed: shown, failedInAll: failed.length };
}
