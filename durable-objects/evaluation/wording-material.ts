import { z } from 'zod';
import { drawSeenUnits, originOfUnit, unitProvenance } from '#core/benchmarks/seen-units.ts';
import { requestTextOrThrow } from '#core/benchmarks/protocols/case-requests.ts';
import { configurationOfAgent, type StoredAgent } from '#core/evaluation/config.ts';
import { refuse } from '#core/values/errors.ts';
import { mostSeenUnits } from '#core/evaluation/overlay/written-from.ts';
import { ok, type Result } from '#core/values/result.ts';
import { makeObservedCall, observedStep } from '#core/reports/tool-report/observed-attempt.ts';
import { chooseToolsToReword } from '#core/reports/wording-proposal/choose-tools.ts';
import { listSiblingNames, type WordingMaterial } from '#core/reports/wording-proposal/question.ts';
import type { NewProposal } from '#core/reports/wording-proposal/record.ts';
import { TroubleExamples } from '#core/reports/wording-proposal/seen-attempts.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';
import { makeToolReportFromTraces, readTraces, tracesOfCases } from '#durable-objects/shared/tool-report.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** The traces of some agents with the beginnings of the arguments and errors of their calls. */
const tracesWithArguments = `
  SELECT t.evaluated AS id, t.side, cases.unit, json_extract(units.json, '$.chain') AS expected,
         (SELECT json_group_array(json_object(
            'tool', s.value ->> '$.tool', 'outcome', s.value ->> '$.outcome', 'cause', s.value ->> '$.cause',
            'reported', s.value -> '$.reported', 'failure', s.value -> '$.failure', 'latencyMs', s.value ->> '$.latencyMs',
            'text', substr(s.value ->> '$.text', 1, 200), 'arguments', substr(json_extract(s.value, '$.arguments'), 1, 200)))
          FROM json_each(t.json, '$.steps') AS s) AS steps
    FROM traces AS t JOIN cases ON cases.id = t.evaluated JOIN units ON units.id = cases.unit
   WHERE (t.evaluated, t.side) > (?1, ?2) AND json_extract(t.json, '$.end') <> 'fault'
     AND json_extract(t.json, '$.disturbance') IS NULL
     AND cases.agent IN (SELECT value FROM json_each(?3))
   ORDER BY t.evaluated, t.side LIMIT ?4`;

const seenTraceRow = z.object({
  id: z.string(),
  side: z.string(),
  unit: z.string(),
  expected: jsonColumnSchema(z.array(z.string())).nullable(),
  steps: jsonColumnSchema(z.array(observedStep.extend({ arguments: z.string().nullable() }))),
});

const originRow = z.object({ id: z.string(), provenance: jsonColumnSchema(unitProvenance) });

/** The attempts of an evaluation: at what, where they are, and by whom. */
interface Attempted {
  readonly benchmark: string;
  readonly sql: SqlStorage;
  readonly store: Pick<EvaluationStore, 'listToolsWithNames' | 'getUnitAndSubIntentPlanOrThrow'>;
  readonly agents: readonly StoredAgent[];
}

/** Returns what a wording is written from: units that are drawn, and what agents had trouble with at them. */
export async function collectWordingMaterial(
  { benchmark, sql, store, agents }: Attempted,
  { agent, tools: wanted, seenShare, seed }: NewProposal,
): Promise<Result<WordingMaterial>> {
  const names = listAgentsThatReadOwnWording(agents, agent);
  if (!names.ok) return names;
  const only = JSON.stringify(names.value);
  const units = parseRows(
    originRow,
    sql.exec("SELECT id, json_extract(json, '$.provenance') AS provenance FROM units"),
  );
  const drawn = { share: seenShare, seed, most: mostSeenUnits };
  const seen = await drawSeenUnits(units.map(originOfUnit), drawn);
  const inSeen = new Set(seen);
  const report = await makeToolReportFromTraces(sql, {
    tools: 'tools',
    traces: tracesOfCases,
    only,
    units: inSeen,
    run: { offline: false, final: true },
  });
  const of = `${seen.length} of ${units.length} units`;
  if (report.attempts === 0) return refuse('no-wording', `there is no attempt at the ${of} that were drawn to be seen`);
  const unknown = wanted?.find((name) => !report.tools.some(({ tool }) => tool === name));
  if (unknown !== undefined) return refuse('not-found', `the evaluation has no tool ${unknown}`);
  const troubles = chooseToolsToReword(report, wanted);
  if (troubles.length === 0)
    return refuse('no-wording', `no tool was missed, taken for another or called in vain in the ${of} that were seen`);
  const chosen = troubles.map(({ tool }) => tool);
  const examples = new TroubleExamples(chosen);
  for await (const { unit, side, expected, steps } of readTraces(sql, seenTraceRow, tracesWithArguments, only)) {
    if (examples.isComplete) break;
    if (!inSeen.has(unit)) continue;
    const calls = steps.map((step) => ({ ...makeObservedCall(step), arguments: step.arguments }));
    examples.add({ unit, side, expected: expected ?? [], calls });
  }
  return ok({
    benchmark,
    units: { seen, of: units.length },
    attempts: report.attempts,
    troubles,
    confusions: report.confusions,
    tools: store.listToolsWithNames(chosen),
    siblings: store.listToolsWithNames(listSiblingNames(troubles, report.confusions)),
    examples: examples.attempts.map((attempt) => ({
      ...attempt,
      request: requestTextOrThrow(store.getUnitAndSubIntentPlanOrThrow(attempt.unit).unit, attempt.side),
    })),
  });
}

/**
 * Returns the agents whose attempts show what the servers' own wording leads to: those that read another one, and those that read
 * nothing, do not.
 */
function listAgentsThatReadOwnWording(
  agents: readonly StoredAgent[],
  wanted: string | undefined,
): Result<readonly string[]> {
  const asked = agents.filter(({ name }) => wanted === undefined || name === wanted);
  if (asked.length === 0) return refuse('not-found', `there is no agent ${wanted} in this evaluation`);
  const fit = asked.filter((each) => each.loop !== 'null' && configurationOfAgent(each).overlay === undefined);
  return fit.length > 0
    ? ok(fit.map(({ name }) => name))
    : refuse(
        'no-wording',
        `${asked.map(({ name }) => name).join(', ')}: a new wording is written from attempts of agents that read what the servers say; these read an overlay, or nothing`,
      );
}
