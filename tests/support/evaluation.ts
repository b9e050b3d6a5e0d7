import { benchmarkRecord, type BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { evaluationCase, type EvaluationCase } from '#core/evaluation/case.ts';
import {
  caseDetail,
  evaluationRecord,
  evaluationResults,
  type AgentResult,
  type CaseDetail,
  type EvaluationRecord,
} from '#core/evaluation/record.ts';
import type { RunEvent } from '#core/reports/events.ts';
import { exploreToEnd, follow, modelKey, prepare, type Ground, type GroundOptions } from './exploration.ts';
import type { Rule } from './script.ts';
import { expectStatus, pageOf } from './workspace.ts';
import { startModel, type OutsideModel } from './world.ts';

/** Evaluations by the real workflow on a benchmark of scripted units. For tests inside workerd. */

export interface TestBed extends Ground {
  readonly benchmark: BenchmarkRecord;
}

/** A benchmark of a number of units, frozen from a small exploration. */
export async function frozen(units: number, options: GroundOptions = {}): Promise<TestBed> {
  const ground = await prepare(options);
  const { run } = await exploreToEnd(ground, { batch: units });
  const answer = await ground.workspace.post('/v1/benchmarks', { explorations: [run], privateShare: 0, floor: false });
  return { ...ground, benchmark: benchmarkRecord.parse(expectStatus(answer, 201)) };
}

/** The same benchmark and servers, with a separate model that follows the rules. */
export async function withRules(bed: TestBed, ...rules: readonly Rule[]): Promise<TestBed> {
  return { ...bed, model: await startModel(rules) };
}

/** The body of a request for an evaluation. Each agent uses a model of its name. */
export function evaluationBody(
  { benchmark, model }: { readonly benchmark: { readonly id: string }; readonly model: OutsideModel },
  agents: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
) {
  const endpoint = { baseUrl: model.baseUrl, apiKey: modelKey, promptPricePerMTok: 1, completionPricePerMTok: 2 };
  return {
    benchmark: benchmark.id,
    agents: agents.map((name) => ({ name, model: name, endpoint, limits: { timeMs: 5_000, callTimeoutMs: 2_000 } })),
    judge: { ...endpoint, model: 'judge' },
    embedder: { ...endpoint, model: 'embedder' },
    ...more,
  };
}

export async function evaluate(
  bed: TestBed,
  agents: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await bed.workspace.post('/v1/evaluations', evaluationBody(bed, agents, more));
  return evaluationRecord.parse(expectStatus(answer, 202)).id;
}

export const followEvaluation = async (
  { workspace }: Ground,
  run: string,
  enough: (event: RunEvent) => boolean = () => false,
): Promise<RunEvent[]> => (await follow(workspace.key, run, { of: 'evaluations', enough })).events;

export async function evaluationOf({ workspace }: Ground, run: string): Promise<EvaluationRecord> {
  return evaluationRecord.parse(expectStatus(await workspace.get(`/v1/evaluations/${run}`), 200));
}

export async function casesOf({ workspace }: Ground, run: string): Promise<EvaluationCase[]> {
  const answer = await workspace.get(`/v1/evaluations/${run}/cases?limit=500`);
  return pageOf(evaluationCase).parse(expectStatus(answer, 200)).items;
}

export async function caseOf({ workspace }: Ground, run: string, id: string): Promise<CaseDetail> {
  return caseDetail.parse(expectStatus(await workspace.get(`/v1/evaluations/${run}/cases/${id}`), 200));
}

/** The results of an evaluation by agent. */
export async function resultsOf({ workspace }: Ground, run: string): Promise<(name: string) => AgentResult> {
  const { agents } = evaluationResults.parse(expectStatus(await workspace.get(`/v1/evaluations/${run}/results`), 200));
  return (name) => {
    const found = agents.find((agent) => agent.name === name);
    if (found === undefined) throw new Error(`there is no agent ${name} in the results`);
    return found;
  };
}

/** Evaluates to the end. */
export async function evaluateToEnd(
  bed: TestBed,
  agents: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
) {
  const run = await evaluate(bed, agents, more);
  const events = await followEvaluation(bed, run);
  const [record, cases, results] = await Promise.all([evaluationOf(bed, run), casesOf(bed, run), resultsOf(bed, run)]);
  return { run, events, record, cases, results };
}

/** How often the model was asked for each form. */
export async function askedFor({ model }: Ground): Promise<Readonly<Record<string, number>>> {
  const forms = (await model.asked()).map(({ form }) => form);
  return Object.fromEntries([...new Set(forms)].map((form) => [form, forms.filter((each) => each === form).length]));
}

/** Turns of the model in all the traces of an evaluation. */
export async function turnsIn(bed: Ground, run: string): Promise<number> {
  const details = await Promise.all((await casesOf(bed, run)).map(({ id }) => caseOf(bed, run, id)));
  return details
    .flatMap(({ traces }) => [traces.source, traces.followUp])
    .reduce((sum, trace) => sum + (trace?.turns ?? 0), 0);
}
