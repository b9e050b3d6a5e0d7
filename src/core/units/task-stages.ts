import { toolNameWithoutServer, serverNameOfToolName, type Tool } from '#core/catalog/tool.ts';
import { listLostValues } from '#core/similarity/entities.ts';
import type { ArgumentOrigin, Pair } from './answers.ts';
import { doneStage, getPairOrThrow } from './ending.ts';
import { checkPairStatically, isWholeIdentifierIn } from './static-check.ts';
import type { FuzzyAnswer, QualityAnswer, TaskRecord } from './task-record.ts';
import type { Stage, Unit } from './unit.ts';

/** The grades from which a task is kept. Source: MCP-Bench, section 4.2. */
const leastSolvability = 9;
const leastUtility = 5;

/** Returns what a new unit knows about its task; null for a pair. */
export const makeTaskRecordOrNullForPair = (task: Pick<TaskRecord, 'usesAllServers'> | undefined): TaskRecord | null =>
  task === undefined ? null : { usesAllServers: task.usesAllServers, qualities: [], rejectedFuzzy: [] };

/** Returns the servers that a unit's chain had to use and does not. */
export const listRequiredServersNotUsed = ({ task, draws, drawn }: Unit, chain: readonly string[]): string[] => {
  if (task === null || !task.usesAllServers) return [];
  const used = new Set(chain.map(serverNameOfToolName));
  return listServersOfTools(draws[drawn - 1]?.tools ?? []).filter((server) => !used.has(server));
};

/** Returns the servers of some tools, each once. */
export const listServersOfTools = (tools: readonly string[]): string[] => [...new Set(tools.map(serverNameOfToolName))];

/** Returns what follows once a unit's wording is settled: a task is graded and gets its fuzzy wording, a pair is executed. */
export const nextStageOnceWorded = ({ task }: Pick<Unit, 'task'>): Stage =>
  task === null ? { kind: 'execution', side: 'source' } : { kind: 'quality' };

/** Returns a task after it was graded: it continues, is reworded once with the reasons, or is rejected. */
export function taskAfterQualityGrades(
  unit: Unit,
  answer: QualityAnswer,
  { maxRefinements }: { readonly maxRefinements: number },
): Unit {
  const task = getTaskOrThrow(unit);
  const graded = {
    ...unit,
    task: { ...task, qualities: [...task.qualities, { ...answer, wording: unit.superseded.length }] },
  };
  if (isTaskGoodEnough(answer)) return { ...graded, stage: { kind: 'fuzzy' } };
  if (task.qualities.length === 0 && maxRefinements > 0) return { ...graded, stage: { kind: 'refinement' } };
  return { ...graded, stage: doneStage('rejected', qualityReasonText(answer)) };
}

/** Returns whether a task is kept. */
export const isTaskGoodEnough = ({ solvability, utility }: Pick<QualityAnswer, 'solvability' | 'utility'>): boolean =>
  solvability >= leastSolvability && utility >= leastUtility;

const qualityReasonText = ({ solvability, utility, solvabilityReason, utilityReason }: QualityAnswer): string =>
  `as a task, solvability ${solvability} (${leastSolvability} is needed) and utility ${utility} (${leastUtility} is needed): ${
    solvability < leastSolvability ? solvabilityReason : utilityReason
  }`;

/** Returns the grades of a unit's current wording, if they asked for another one; null otherwise. */
export function findPoorGradesOfCurrentWording({
  task,
  superseded,
}: Pick<Unit, 'task' | 'superseded'>): QualityAnswer | null {
  const last = task?.qualities.at(-1);
  return last === undefined || last.wording !== superseded.length || isTaskGoodEnough(last) ? null : last;
}

/**
 * Returns a task after its fuzzy wording was written. A usable one replaces the follow-up, and both requests are executed; else it is
 * written once more with what is wrong, and then the task is rejected. `tools` are the unit's candidates.
 */
export function taskAfterFuzzyWording(unit: Unit, { request }: FuzzyAnswer, tools: readonly Tool[]): Unit {
  const task = getTaskOrThrow(unit);
  const pair = pairWithFuzzyFollowUp(getPairOrThrow(unit), request);
  const flaws = listFuzzyFlaws(pair, tools);
  if (flaws.length === 0) return { ...unit, pair, stage: { kind: 'execution', side: 'source' } };
  const rejectedFuzzy = [...task.rejectedFuzzy, { request, flaws }];
  const after = { ...unit, task: { ...task, rejectedFuzzy } };
  return task.rejectedFuzzy.length === 0
    ? { ...after, stage: { kind: 'fuzzy' } }
    : { ...after, stage: doneStage('rejected', `no usable fuzzy wording: ${flaws.join('; ')}`) };
}

/** Returns a pair with a fuzzy wording as its follow-up, which says each value in the words of the source. */
const pairWithFuzzyFollowUp = (pair: Pair, followUp: string): Pair => ({
  ...pair,
  followUp,
  arguments: pair.arguments.map(originWithSourceSpanOnly),
});

const originWithSourceSpanOnly = (origin: ArgumentOrigin): ArgumentOrigin =>
  origin.source.kind === 'spans' ? { ...origin, source: { kind: 'span', text: origin.source.source } } : origin;

/** Returns the values of a pair that its fuzzy wording has to keep, letter by letter: the words from which its arguments come. */
export const listValuesToKeep = ({ arguments: origins }: Pick<Pair, 'arguments'>): string[] => [
  ...new Set(
    origins.map(originWithSourceSpanOnly).flatMap(({ source }) => (source.kind === 'span' ? [source.text] : [])),
  ),
];

/** Returns what is wrong with the fuzzy wording of a pair, in words that tell its writer what to do. Empty if nothing is. */
function listFuzzyFlaws(pair: Pair, tools: readonly Tool[]): string[] {
  const { findings, violations } = checkPairStatically(pair, tools, 'paraphrase');
  const lost = listLostValues(pair.source, pair.followUp);
  const named = listServersOfTools(tools.map(({ name }) => name)).filter((server) =>
    isServerNamedIn(server, pair.followUp),
  );
  return [
    ...lost.map((value) => `it lacks ${value}`),
    ...findings.flatMap(({ verdict, argument, tool, reason }) =>
      verdict === 'no' ? [`${argument} of ${toolNameWithoutServer(tool)}: ${reason}`] : [],
    ),
    ...violations,
    ...named.map((server) => `it names the server ${server}`),
  ];
}

/** Returns whether a text names a server: by an identifier, or by a plain word as that of a server (`the git server`). */
const isServerNamedIn = (server: string, text: string): boolean =>
  /[_\-.]/.test(server)
    ? isWholeIdentifierIn(server.toLowerCase(), text.toLowerCase())
    : ['server', 'mcp', 'tool'].some((kind) =>
        isWholeIdentifierIn(`${server.toLowerCase()} ${kind}`, text.toLowerCase()),
      );

function getTaskOrThrow(unit: Unit): TaskRecord {
  if (unit.task === null) throw new Error(`unit ${unit.id} is no task at ${unit.stage.kind}`);
  return unit.task;
}
