import { findExhaustedPartOfBudget } from './budget.ts';
import type { ExplorationConfig, StopRule } from './config.ts';
import { chao1PlateauMeanOrNull } from './plateau.ts';
import type { ExplorationState } from './state.ts';
import type { UnitCounts } from './counts.ts';
import type { RoundReading } from './reading-record.ts';
import type { RunEnd } from './runs.ts';

/** What the rules read. */
type StopReading = Pick<RoundReading, 'transitions' | 'f1' | 'probeCoverage' | 'transitionCoverage'>;

/** Why a stop rule applies. */
export type StopReason = 'probe-target' | 'chao1-reached' | 'chao1-plateau' | 'bound-target';

/**
 * Returns why a rule applies after a round; null while it does not. `probe`: the anytime lower bound has reached the
 * target. `chao1`: S has reached the estimate, which is the loop guard of the paper's Algorithm 1 (there the estimate is made
 * again in each iteration), or the estimate has settled (Table 5 of the paper; fires at its batch 31). `bound`: the
 * share of the run's fixed bound has reached the target.
 */
export const stopRuleReasonOrNull = (
  rule: StopRule,
  reading: StopReading,
  recentChao1: readonly number[],
): StopReason | null => {
  switch (rule.rule) {
    case 'probe':
      return reading.probeCoverage && reading.probeCoverage.anytimeLow >= rule.target ? 'probe-target' : null;
    case 'chao1':
      // S reaches the estimate if f1 is 0. It also does with one singleton and no doubleton, which is no evidence at
      // all.
      if (reading.transitions > 0 && reading.f1 === 0) return 'chao1-reached';
      return chao1PlateauMeanOrNull(recentChao1) === null ? null : 'chao1-plateau';
    case 'bound': {
      const { transitionCoverage } = reading;
      const isShareOfBound = typeof transitionCoverage?.bound === 'number';
      return isShareOfBound && transitionCoverage.value >= rule.target ? 'bound-target' : null;
    }
    case 'none':
      return null;
  }
};

/**
 * Returns how a run that ended for this reason is over. It failed if the way to servers or models broke every unit, for
 * then nothing was found out.
 */
export function explorationEndStatusAndReason(
  { accepted, review, rejected, dropped }: UnitCounts,
  toolsExecuted: number,
  reason: string,
): RunEnd {
  const isVain = dropped > 0 && accepted + review + rejected + toolsExecuted === 0;
  return isVain
    ? { status: 'failed', reason: `no unit could be carried out (${reason})` }
    : { status: 'completed', reason };
}

/**
 * Returns why a run ends after a round: its stop rule applies, or a part of its budget is used up. Null while it
 * continues.
 */
export function explorationEndReasonOrNull(
  { stop, budget }: Pick<ExplorationConfig, 'stop' | 'budget'>,
  reading: StopReading,
  recentChao1: readonly number[],
  spent: Readonly<Record<'rounds' | 'tokens' | 'costUsd' | 'wallMs' | 'writes', number>>,
): string | null {
  const rule = stopRuleReasonOrNull(stop, reading, recentChao1);
  if (rule !== null) return `stop rule: ${rule}`;
  const part = findExhaustedPartOfBudget(budget, spent);
  return part === null ? null : `budget: ${part} used up`;
}

/** So many rounds in a row in which servers spoilt calls, and no call succeeded, are no short outage. */
const fewestRoundsDown = 3;

/**
 * Returns how a run is over whose servers are all down, also one that found something before; null while one may still answer. A server
 * is down if it spoilt calls in three rounds in a row, of those that tried it, and had no success in them.
 */
export function endOfRunWithoutServersOrNull({
  catalog,
  servers,
}: Pick<ExplorationState, 'servers'> & {
  readonly catalog: { readonly servers: readonly { readonly name: string }[] };
}): RunEnd | null {
  const names = catalog.servers.map(({ name }) => name);
  if (names.length === 0 || names.some((name) => (servers.get(name)?.strikes ?? 0) < fewestRoundsDown)) return null;
  const reason = `all servers are down: ${names.toSorted().join(', ')} spoilt the calls of ${fewestRoundsDown} rounds in a row`;
  return { status: 'failed', reason };
}
