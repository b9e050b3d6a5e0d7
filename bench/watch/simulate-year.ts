import { advanceWatch, type Advanced } from '#core/reports/watch/advance-watch.ts';
import { acceptIncident } from '#core/reports/watch/accept-incident.ts';
import { countAgents } from '#core/reports/watch/count-agents.ts';
import type { Incident } from '#core/reports/watch/incident.ts';
import { wantsSecondTry } from '#core/reports/watch/learnt-call.ts';
import { newWatchState, type WatchState } from '#core/reports/watch/state.ts';
import { makeRandom } from '#core/values/random.ts';
import type { Plant, SimulatedServer } from './simulated-server.ts';

const plan = { everyHours: 24, hold: false };
const attemptsAWeek = 24;
const dayMs = 86_400_000;

/** An incident, and the day on which it was found. */
export interface Found {
  readonly day: number;
  readonly incident: Incident;
}

/** Watches a server day by day, and returns the incidents that opened. Owners accept each at once, so that it can be followed by others. */
export function simulateDays(server: SimulatedServer, seed: number, days: number, plant: Plant | null): Found[] {
  const random = makeRandom('agents', seed);
  const found: Found[] = [];
  let state: WatchState = newWatchState(server.calls);
  const take = (advanced: Advanced, day: number, at: string): void => {
    state = advanced.state;
    for (const { event, incident } of advanced.told) {
      if (event !== 'opened') continue;
      found.push({ day, incident });
      state = acceptIncident(state, incident.number, at)?.state ?? state;
    }
  };
  for (let day = 0; day < days; day += 1) {
    const at = new Date(Date.UTC(2026, 0, 1) + day * dayMs).toISOString();
    const definitions = server.definitions(day, plant);
    const offered = new Set(definitions.tools.map(({ name }) => name));
    const tries = state.calls.map((call) => {
      if (!offered.has(call.tool)) return [];
      const first = server.answer(call, day, 0, plant);
      return wantsSecondTry(call, first) ? [first, server.answer(call, day, 1, plant)] : [first];
    });
    take(advanceWatch(state, { kind: 'reached', at, definitions, tries }, plan), day, at);
    if (day % 7 !== 0) continue;
    const rate = server.agentSuccess - (plant?.kind === 'success of agents down by 0.2' && day >= plant.day ? 0.2 : 0);
    const successes = Array.from({ length: attemptsAWeek }, () => random.next() < rate).filter(Boolean).length;
    take(countAgents(state, { at, attempts: attemptsAWeek, successes }, 52), day, at);
  }
  return found;
}

/** Whether an incident is about what was planted. */
export function isOfPlant({ day, incident }: Found, plant: Plant): boolean {
  if (day < plant.day) return false;
  return plant.kind === 'success of agents down by 0.2'
    ? incident.kind === 'success'
    : incident.tools.includes(plant.tool);
}
