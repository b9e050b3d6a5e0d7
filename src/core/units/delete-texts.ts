import { z } from 'zod';
import type { ExecutionRecord, RequestSide, Unit } from './unit.ts';

/** The attempts at a unit whose texts are deleted, and since when. */
export const deletedUnitTexts = z.object({
  unit: z.string(),
  attempts: z.array(z.object({ request: z.enum(['source', 'followUp']), textsDeleted: z.string() })),
});
export type DeletedUnitTexts = z.infer<typeof deletedUnitTexts>;

/**
 * Returns a unit without what tools answered in the attempts at these requests, in earlier wordings too. Its requests, audits, calls and counts stay, and so
 * do all estimates.
 */
export function deleteToolTextsOfUnit(unit: Unit, requests: readonly RequestSide[]): Unit {
  const withoutTexts = (executions: Unit['executions']): Unit['executions'] => ({
    ...executions,
    ...Object.fromEntries(requests.map((side) => [side, deleteErrorTexts(executions[side])])),
  });
  const { earlierExecution: earlier } = unit;
  return {
    ...unit,
    executions: withoutTexts(unit.executions),
    earlierExecution: earlier === null ? null : { ...earlier, executions: withoutTexts(earlier.executions) },
  };
}

const deleteErrorTexts = (record: ExecutionRecord | null): ExecutionRecord | null =>
  record === null ? null : { ...record, errors: record.errors.map((error) => ({ ...error, text: '' })) };
