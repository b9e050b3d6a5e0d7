import { firstCharacters } from '#core/values/excerpt.ts';
import { routeQueryChars } from '#core/traces/trace.ts';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { requestTextOrThrow, type RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { CaseResult } from '#core/evaluation/case.ts';
import type { FindTools } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { classifyRoutingError, listNeededToolsNotFound } from '#core/traces/error-class.ts';
import type { VerdictKey } from '#core/evaluation/scorers.ts';
import type { Trace } from '#core/traces/trace.ts';

/** The time of one search for a request or a key point. */
const searchTimeoutMs = 30_000;

type Judgement = Extract<CaseResult, { kind: 'judgement' }>;

/** An attempt that was judged, the scorer that says whether it passed (null without one), and how to open the search of its agent; null if it has none. `shown` are the tools that the agent has without a search. */
interface JudgedSearch {
  readonly unit: BenchmarkUnit;
  readonly side: RequestName;
  readonly trace: Trace;
  readonly verdict: VerdictKey | null;
  readonly openSearch: () => Promise<FindTools | null>;
  readonly shown: readonly string[];
}

/**
 * Returns the judgement with the class of its failure, if the attempt searched for tools and failed. Where no query found a
 * needed tool, the request and the key points are searched for, to tell the agent's queries from the search; this counts
 * as the judges' cost. A broken embedder leaves the class out.
 */
export async function judgementWithRoutingErrorIfFailed(
  judgement: Judgement,
  { unit, side, trace, verdict, openSearch, shown }: JudgedSearch,
): Promise<Judgement> {
  if (trace.routes === undefined || verdict === null || judgement.scores[verdict]?.value !== 0) return judgement;
  const findTools = await openSearch();
  if (findTools === null) return judgement;
  const searched = { ...trace, shown };
  const findable = new Set<string>();
  const calls: ModelCall[] = [];
  if (listNeededToolsNotFound(unit.chain, searched).length > 0) {
    const keyPoints = unit.kind === 'task' ? unit.keyPoints : [];
    for (const text of [requestTextOrThrow(unit, side), ...keyPoints]) {
      const found = await findTools({ tool: firstCharacters(text, routeQueryChars), server: null }, searchTimeoutMs);
      calls.push(...found.calls);
      if (!found.ok) return { ...judgement, calls: [...judgement.calls, ...calls] };
      for (const { name } of found.tools) findable.add(name);
    }
  }
  return {
    ...judgement,
    calls: [...judgement.calls, ...calls],
    routingError: classifyRoutingError(unit.chain, searched, findable),
  };
}
