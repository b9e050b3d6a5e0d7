import { dependenciesText } from '#core/scoring/dependencies.ts';
import type { Pair } from '#core/units/answers.ts';
import { listServersOfTools } from '#core/units/task-stages.ts';
import type { Unit } from '#core/units/unit.ts';
import { computeTaskUnitId, type TaskUnit } from '#core/units/task-unit.ts';

/** What a benchmark says of a unit, pair or task. */
interface KnownOfUnit {
  readonly exploration: string;
  readonly proof: Pick<TaskUnit, 'witness' | 'provenElsewhere'>;
  readonly made: Omit<NonNullable<TaskUnit['provenance']['made']>, 'solvability' | 'utility'>;
}

/**
 * Returns the task that an accepted unit becomes: its source is the concrete request, its follow-up the fuzzy one. It needs the servers of its
 * chain, and judges are told which results feed which calls. Throws if it was never graded, which is a defect of the caller.
 */
export async function convertUnitToTask(
  { id, task }: Pick<Unit, 'id' | 'task'>,
  { source, followUp, chain, arguments: origins }: Pair,
  { exploration, proof, made }: KnownOfUnit,
): Promise<Omit<TaskUnit, 'split'>> {
  const quality = task?.qualities.at(-1);
  if (quality === undefined) throw new Error(`unit ${id} was never graded`);
  const servers = listServersOfTools(chain);
  const dependencies = dependenciesText(chain, origins);
  const content = {
    kind: 'task' as const,
    request: source,
    fuzzy: followUp,
    keyPoints: [],
    chain,
    ...(dependencies === '' ? {} : { dependencies }),
    servers,
  };
  return {
    id: await computeTaskUnitId(content),
    ...content,
    ...(origins.length === 0 ? {} : { arguments: origins }),
    ...proof,
    provenance: {
      collection: exploration,
      task: id,
      category: combinations[servers.length - 1] ?? 'more_server_combinations',
      made: { ...made, solvability: quality.solvability, utility: quality.utility },
    },
  };
}

/** How MCP-Bench calls tasks by the number of their servers. */
export const combinations = ['single_server', 'two_server_combinations', 'three_server_combinations'] as const;
