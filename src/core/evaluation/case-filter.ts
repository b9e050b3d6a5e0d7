import { z } from 'zod';
import { refuse } from '#core/values/errors.ts';
import { getProtocol, scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { ok, type Result } from '#core/values/result.ts';
import { failureClass } from '#core/traces/failure.ts';
import type { EvaluationCase } from './case.ts';
import { caseOutcomes, findCaseOutcome } from './case-outcome.ts';
import { agentName } from './config.ts';

/** Which cases of an evaluation are listed: those that have all of what is given; all cases if nothing is. */
export const caseFilter = z.object({
  /** What became of the case. */
  outcome: z.enum(caseOutcomes).optional(),
  agent: agentName.optional(),
  unit: z.string().min(1).max(100).optional(),
  /** A tool that one of its attempts called. */
  tool: z.string().min(1).max(300).optional(),
  /** The class of a call that failed; with `tool`, of a call of that tool. */
  failure: failureClass.optional(),
});
export type CaseFilter = z.infer<typeof caseFilter>;

/** Returns whether a case has all that a filter asks for. */
export function isWantedCase(each: EvaluationCase, filter: CaseFilter, protocol: ProtocolKey): boolean {
  const { outcome, agent, unit, tool, failure } = filter;
  return (
    (agent === undefined || each.agent === agent) &&
    (unit === undefined || each.unit === unit) &&
    ((tool === undefined && failure === undefined) || hasWantedCall(each, filter)) &&
    (outcome === undefined || findCaseOutcome(each, protocol) === outcome)
  );
}

const hasWantedCall = ({ attempts }: EvaluationCase, { tool, failure }: CaseFilter): boolean =>
  Object.values(attempts).some(({ calls }) =>
    calls.some(
      (call) => (tool === undefined || call.tool === tool) && (failure === undefined || call.failure === failure),
    ),
  );

/** Cases that one call looks at when a filter leaves some out: so many are read and parsed at once without a filter too. */
const mostCasesPerCall = 500;

/** Returns how many cases one call looks at for a page of `limit` cases. */
export const countCasesToLookAt = (filter: CaseFilter, limit: number): number =>
  Object.values(filter).every((value) => value === undefined) ? limit : mostCasesPerCall;

export interface PageOfCases {
  readonly items: EvaluationCase[];
  /** The id of the last case that was looked at, if there are more behind it; null at the end. */
  readonly nextCursor: string | null;
}

/**
 * Returns a page of the wanted ones of the next cases, in their order. `next` has at most one case more than `lookedAt`: it
 * says that there are more. A page that looked at so many can have fewer than `limit` cases, or none, and a cursor.
 */
export function makePageOfWantedCases(
  next: readonly EvaluationCase[],
  { lookedAt, limit }: { readonly lookedAt: number; readonly limit: number },
  isWanted: (each: EvaluationCase) => boolean,
): PageOfCases {
  const items: EvaluationCase[] = [];
  for (const [index, each] of next.slice(0, lookedAt).entries()) {
    if (isWanted(each)) items.push(each);
    const isFull = items.length === limit || index + 1 === lookedAt;
    if (isFull && index + 1 < next.length) return { items, nextCursor: each.id };
    if (isFull) break;
  }
  return { items, nextCursor: null };
}

/** What a filter is checked against. */
export interface FilteredEvaluation {
  readonly protocol: ProtocolKey;
  readonly agents: readonly string[];
  hasUnit(id: string): boolean;
  hasTool(name: string): boolean;
  /** The names of some of its tools, those of the same server as a name first. */
  listToolNamesLike(name: string): readonly string[];
}

/** Refuses a filter that no case of an evaluation can have, and says what would be right. */
export function refuseWrongCaseFilter(
  { outcome, agent, unit, tool }: CaseFilter,
  run: FilteredEvaluation,
): Result<null> {
  if ((outcome === 'passed' || outcome === 'failed') && getProtocol(run.protocol).verdict === null)
    return refuse('invalid-request', `outcome: ${noVerdictText(run.protocol)}`);
  if (agent !== undefined && !run.agents.includes(agent))
    return refuse('not-found', `there is no agent ${agent} in it; it has ${run.agents.join(', ')}`);
  if (unit !== undefined && !run.hasUnit(unit))
    return refuse(
      'not-found',
      `there is no unit ${unit} in it; the list of its cases without this filter names its units`,
    );
  if (tool !== undefined && !run.hasTool(tool))
    return refuse(
      'not-found',
      `there is no tool ${tool} in it; a tool is named server/tool, such as ${run.listToolNamesLike(tool).join(', ')}`,
    );
  return ok(null);
}

const noVerdictText = (protocol: ProtocolKey): string =>
  `the protocol ${protocol} has no verdict, so no case passes or fails; its scores are ${scorersOfProtocol(protocol)
    .map(({ title }) => title)
    .join(', ')}`;
