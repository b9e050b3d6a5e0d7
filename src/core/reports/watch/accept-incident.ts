import { emptySeries } from '#core/statistics/rate-rise.ts';
import { overAt, type Advanced } from './advance-watch.ts';
import { unlearntCall } from './learnt-call.ts';
import type { WatchState } from './state.ts';

/**
 * Ends an incident because the owner takes the server as it is now: new definitions count, and what is usual for the calls of its tools is
 * learnt again. Null if no such incident lasts, or if it cannot be accepted because the server is not reached.
 */
export function acceptIncident(state: WatchState, number: number, at: string): Advanced | null {
  const found = state.open.find(({ incident }) => incident.number === number);
  if (found === undefined || found.incident.kind === 'unreached') return null;
  const { incident } = found;
  const ended = { ...state, open: state.open.filter((each) => each !== found) };
  const told = [overAt(incident, at, 'accepted')];
  if (incident.kind === 'definitions')
    return { state: { ...ended, accepted: ended.held ?? ended.accepted, held: null }, told };
  if (incident.kind === 'success') return { state: { ...ended, agents: emptySeries, agentsAt: [] }, told };
  const isOfIt = (tool: string): boolean => incident.tools.includes(tool);
  const series = Object.fromEntries(
    Object.entries(ended.series).filter(([key]) => !isOfIt(key.slice(0, key.lastIndexOf(' ')))),
  );
  const calls = ended.calls.map((call) => (isOfIt(call.tool) ? unlearntCall(call) : call));
  return { state: { ...ended, series, calls }, told };
}
