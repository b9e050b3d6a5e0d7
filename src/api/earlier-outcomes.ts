import type { Context } from 'hono';
import { unitSightOfCaller } from '#core/access/access.ts';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { EarlierOutcomes } from '#core/evaluation/expected-spread.ts';
import { unitResultSortKey } from '#core/evaluation/unit-results.ts';
import type { ApiEnv } from './context.ts';

/** How many of a workspace's latest evaluations are looked at for earlier ones of the same benchmark. */
const lookedAt = 10;
const unitsPerRead = 500;

/**
 * Returns what agents came to at the units of a benchmark, by the headline, in the latest evaluations of the caller's workspace that are
 * of it under this protocol. Where nothing is found, or the caller may not see it, units are expected to tell equally much.
 */
export async function readEarlierOutcomes(
  c: Context<ApiEnv>,
  benchmark: string,
  protocol: ProtocolKey,
): Promise<Map<string, EarlierOutcomes>> {
  const { services, caller } = c.var;
  const { headline } = getProtocol(protocol);
  const latest = await services
    .object('workspace', caller.workspace)
    .listLatestResourcesOfKind('evaluation', '', lookedAt);
  const outcomes = new Map<string, EarlierOutcomes>();
  for (const { object } of latest) {
    const run = services.object('evaluation', object);
    const record = await run.get();
    if (!record.ok || record.value.config.benchmark !== benchmark || record.value.protocol !== protocol) continue;
    for (let after = ''; ;) {
      const page = await run.results.listByUnit(after, unitsPerRead, unitSightOfCaller(caller));
      const last = page.ok ? page.value.at(-1) : undefined;
      if (!page.ok || last === undefined) break;
      for (const { unit, scores } of page.value) {
        const score = scores[headline];
        if (score === null) continue;
        const { scored, sum } = outcomes.get(unit) ?? { scored: 0, sum: 0 };
        outcomes.set(unit, { scored: scored + 1, sum: sum + score });
      }
      after = unitResultSortKey(last);
    }
  }
  return outcomes;
}
