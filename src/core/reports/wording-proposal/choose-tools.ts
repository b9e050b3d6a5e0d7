import { z } from 'zod';
import type { ToolFindings, ToolReport } from '../tool-report/record.ts';
import { categoryOfFailure, layerOfFailure } from '#core/traces/failure.ts';

/** Tools that one question to a model is about, at most. */
export const mostRewordedTools = 10;

/** What agents had trouble with at one tool, in the units that were seen. */
export const toolTrouble = z.object({
  /** `server/tool` */
  tool: z.string(),
  /** Attempts that should have called it, and those among them that did not. */
  expected: z.int().min(0),
  missed: z.int().min(0),
  /** Attempts in which it was called in the place of another tool. */
  taken: z.int().min(0),
  /** Answered calls, and those among them that failed. */
  calls: z.int().min(0),
  failed: z.int().min(0),
  /** The error that it gave most, shortened. */
  commonError: z.string().nullable(),
});
export type ToolTrouble = Readonly<z.infer<typeof toolTrouble>>;

/**
 * Returns the tools whose wording is to be changed: those that a client names, in its order, or else those that agents had trouble
 * with, the worst first. Failures that lie in the world and not in how a tool is called count as none: no wording helps there.
 */
export function chooseToolsToReword(
  report: Pick<ToolReport, 'tools' | 'confusions'>,
  wanted: readonly string[] | undefined,
): ToolTrouble[] {
  const troubles = report.tools.map((tool) => makeTrouble(tool, report.confusions));
  if (wanted !== undefined) return wanted.flatMap((name) => troubles.find(({ tool }) => tool === name) ?? []);
  return troubles
    .filter((trouble) => sumTrouble(trouble) > 0)
    .toSorted((a, b) => sumTrouble(b) - sumTrouble(a) || (a.tool < b.tool ? -1 : 1))
    .slice(0, mostRewordedTools);
}

const sumTrouble = ({ missed, taken, failed }: ToolTrouble): number => missed + taken + failed;

function makeTrouble(
  { tool, success, missed, commonFailure, commonError }: ToolFindings,
  confusions: ToolReport['confusions'],
): ToolTrouble {
  const isOfTheWorld =
    commonFailure !== null && layerOfFailure[categoryOfFailure[commonFailure.class]] === 'environment';
  return {
    tool,
    expected: missed.of,
    missed: missed.count,
    taken: confusions.reduce((sum, { called, attempts }) => sum + (called === tool ? attempts.count : 0), 0),
    calls: success.of,
    failed: isOfTheWorld ? 0 : success.of - success.count,
    commonError: isOfTheWorld ? null : (commonError?.text ?? null),
  };
}
