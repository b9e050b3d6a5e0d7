import { addBlock, anyRates, findRateRise, mostRecentBlocks, withoutLastBlocks } from '#core/statistics/rate-rise.ts';
import { openIncident, overAt, type Advanced } from './advance-watch.ts';
import type { WatchState } from './state.ts';

/** The chance that the agents on one server raise a false alarm within a year, at most, where attempts are independent. */
const falseAlarmsOfAgents = 0.1;
/** Evaluations in a row that are as before, after which a decline is over. */
const calmToEnd = 2;

/** What agents came to in one evaluation. */
export interface AgentsSeen {
  /** ISO 8601. */
  readonly at: string;
  readonly attempts: number;
  readonly successes: number;
}

/** Counts an evaluation of agents, which is an incident once they succeed less often than before. `perYear`: evaluations a year. */
export function countAgents(state: WatchState, { at, attempts, successes }: AgentsSeen, perYear: number): Advanced {
  const open = state.open.find(({ incident }) => incident.kind === 'success');
  const block = { n: attempts, k: attempts - successes };
  if (open !== undefined) return lookForRecovery(state, open, block, at);
  const agents = addBlock(state.agents, block);
  const counted = { ...state, agents, agentsAt: [...state.agentsAt, at].slice(-mostRecentBlocks) };
  const { logEvidence, blocks } = findRateRise(agents, anyRates);
  if (logEvidence < Math.log(perYear / falseAlarmsOfAgents)) return { state: counted, told: [] };
  const before = withoutLastBlocks(agents, blocks);
  const [usual, now] = [successOf(before), successOf({ old: { n: 0, k: 0 }, recent: agents.recent.slice(-blocks) })];
  return openIncident(
    { ...counted, agents: before },
    {
      kind: 'success',
      tools: [],
      class: null,
      since: counted.agentsAt.at(-blocks) ?? at,
      foundAt: at,
      what: `agents succeed in ${percent(now)} of their attempts, and did in ${percent(usual)}`,
      changes: [],
      call: null,
    },
  );
}

const successOf = ({ old, recent }: WatchState['agents']): number => {
  const [n, k] = recent.reduce(([a, b], block) => [a + block.n, b + block.k], [old.n, old.k]);
  return n === 0 ? 0 : 1 - k / n;
};

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** A decline is over when agents do as well as before twice in a row, or nearly. */
function lookForRecovery(
  state: WatchState,
  open: WatchState['open'][number],
  { n, k }: { readonly n: number; readonly k: number },
  at: string,
): Advanced {
  const usual = successOf(state.agents);
  const error = Math.sqrt((usual * (1 - usual)) / Math.max(1, n));
  const calm = 1 - k / Math.max(1, n) >= usual - error ? open.calm + 1 : 0;
  const others = state.open.filter((each) => each !== open);
  return calm < calmToEnd
    ? { state: { ...state, open: [...others, { ...open, calm }] }, told: [] }
    : { state: { ...state, open: others }, told: [overAt(open.incident, at, 'returned')] };
}
