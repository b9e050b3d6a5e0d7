import type { EventBody } from '../events.ts';
import type { HealthChanges } from '#core/exploration/server-health.ts';

type Committed = Omit<Extract<EventBody, { type: 'round.committed' }>, 'type' | 'units'>;

/** Returns the events of a committed round: changes in the health of servers, and the round's results. */
export const listEventsOfCommittedRound = (
  health: HealthChanges,
  { round, reading, ...committed }: Committed,
): EventBody[] => [
  ...listServerHealthEvents(health),
  { type: 'round.committed', round, units: reading.units, reading, ...committed },
];

const listServerHealthEvents = ({ down, retrying, recovered }: HealthChanges): EventBody[] => [
  ...down.map(({ server, untilRound }): EventBody => ({ type: 'server.down', server, untilRound })),
  ...retrying.map((server): EventBody => ({ type: 'server.retried', server })),
  ...recovered.map((server): EventBody => ({ type: 'server.recovered', server })),
];
