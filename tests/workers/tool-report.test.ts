import { beforeAll, expect, test } from 'vitest';
import { comparison, evaluationResults } from '#core/evaluation/record.ts';
import { toolReport, type ToolReport } from '#core/reports/tool-report/record.ts';
import { hasSucceeded } from '#core/traces/step-outcome.ts';
import type { Trace } from '#core/traces/trace.ts';
import { caseOf, evaluateToEnd, evaluationBody, frozen, type TestBed } from '../support/evaluation.ts';
import { exploreToEnd, prepare, wholeUnitsOf, type Ground } from '../support/exploration.ts';
import { call, expectStatus, keyFor, problemOf } from '../support/workspace.ts';

let bed: TestBed;
let evaluated: Awaited<ReturnType<typeof evaluateToEnd>>;

beforeAll(async () => {
  bed = await frozen(3);
  evaluated = await evaluateToEnd(bed, ['steady', 'other'], { trials: 2 });
});

const reportAt = async ({ workspace }: Ground, path: string): Promise<ToolReport> =>
  toolReport.parse(expectStatus(await workspace.get(path), 200));

/** Counts calls by tool in the plainest way. */
function countCalls(traces: readonly (Trace | null)[]): Record<string, readonly [calls: number, successes: number]> {
  const counts: Record<string, [number, number]> = {};
  for (const step of traces.flatMap((each) => each?.steps ?? [])) {
    const count = (counts[step.tool] ??= [0, 0]);
    count[0] += 1;
    count[1] += Number(hasSucceeded(step));
  }
  return counts;
}

const countsOf = ({ tools }: ToolReport) =>
  Object.fromEntries(
    tools.flatMap(({ tool, success }) => (success.of === 0 ? [] : [[tool, [success.count, success.of].toReversed()]])),
  );

async function tracesOf(agent: string | null): Promise<(Trace | null)[]> {
  const cases = evaluated.cases.filter((each) => agent === null || each.agent === agent);
  const details = await Promise.all(cases.map(({ id }) => caseOf(bed, evaluated.run, id)));
  return details.flatMap(({ traces }) => Object.values(traces));
}

test('the report of an evaluation counts the calls of all agents, or of one', async () => {
  const path = `/v1/evaluations/${evaluated.run}/tools`;
  const all = await reportAt(bed, path);
  expect(all).toMatchObject({ final: true, units: 3, attempts: evaluated.cases.length * 2 });
  expect(countsOf(all)).toEqual(countCalls(await tracesOf(null)));
  const one = await reportAt(bed, `${path}?agent=steady`);
  expect(one.attempts).toBe(all.attempts / 2);
  expect(countsOf(one)).toEqual(countCalls(await tracesOf('steady')));
  expect(problemOf(await bed.workspace.get(`${path}?agent=nobody`))).toEqual([404, 'not-found']);
});

test('attempts of null agents are no evidence about tools, unless they alone are asked for', async () => {
  const nobody = { name: 'nobody', loop: 'null', policy: 'call-everything' };
  const { agents } = evaluationBody(bed, ['steady']);
  const { run, cases } = await evaluateToEnd(bed, [], { agents: [...agents, nobody] });
  const ofSteady = cases.filter(({ agent }) => agent === 'steady').length * 2;
  const path = `/v1/evaluations/${run}/tools`;
  expect(await reportAt(bed, path)).toMatchObject({ offline: false, attempts: ofSteady });
  const blind = await reportAt(bed, `${path}?agent=nobody`);
  expect(blind).toMatchObject({ offline: true, attempts: ofSteady, confusions: [] });
  expect(blind.findings.filter(({ kind }) => ['failing', 'missed', 'confused', 'taken'].includes(kind))).toEqual([]);
  const results = expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/results`), 200);
  expect(evaluationResults.parse(results).ruleAgents).toEqual(['nobody']);
  const compared = expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/compare?a=steady&b=nobody`), 200);
  expect(comparison.parse(compared).ruleAgents).toEqual(['nobody']);
});

test('the report of an exploration counts every attempt, and names tools that nobody called', async () => {
  const ground = await prepare();
  const { run } = await exploreToEnd(ground, { rounds: 2, batch: 5 });
  const report = await reportAt(ground, `/v1/explorations/${run}/tools`);
  const units = await wholeUnitsOf(ground, run);
  const traces = units.flatMap((unit) => [unit.traces.source, unit.traces.followUp]);
  expect(countsOf(report)).toEqual(countCalls(traces));
  expect(report.attempts).toBe(traces.filter((each) => each !== null).length);
  const named = report.tools.map(({ tool }) => tool).toSorted();
  expect(named).toEqual([...new Set(named)]);
  expect(named.length).toBeGreaterThanOrEqual(Object.keys(countsOf(report)).length);
});

test('a report has what the definitions of its tools show, the same each time it is read', async () => {
  const path = `/v1/evaluations/${evaluated.run}/tools`;
  const [first, again] = [await reportAt(bed, path), await reportAt(bed, path)];
  expect(again).toEqual(first);
  expect(first.schemaTokens).toBe(first.tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0));
  expect(first.schemaTokens).toBeGreaterThan(0);
  expect(first.findings.map(({ kind }) => kind)).toContain('effect-undeclared');
});

test('the report of an exploration leaves held-out units out for keys that may not see them', async () => {
  const ground = await prepare();
  const { run } = await exploreToEnd(ground, { rounds: 2, batch: 5 });
  const body = { explorations: [run], privateShare: 0.4, floor: false };
  expectStatus(await ground.workspace.post('/v1/benchmarks', body), 201);
  const path = `/v1/explorations/${run}/tools`;
  const reader = await keyFor(ground.workspace.id, 'read');
  const seen = toolReport.parse(expectStatus(await call(reader, 'GET', path), 200));
  const all = await reportAt(ground, path);
  const units = await wholeUnitsOf(ground, run);
  expect(all.units).toBe(units.filter(({ traces }) => traces.source !== null).length);
  expect(seen.units).toBeLessThan(all.units);
  expect(seen.units).toBeGreaterThan(0);
});
