import type { EventBody } from '#core/events.ts';
import type { HealthChanges } from '#core/exploration/server-health.ts';

type Committed = Omit<Extract<EventBody, { type: 'round.committed' }>, 'type' | 'units'>;

/** What the commit of a round tells those who follow the run: how the health of servers changed, and what the round came to. */
export const announceRound = (health: HealthChanges, { round, reading, ...committed }: Committed): EventBody[] => [
  ...healthEvents(health),
  { type: 'round.committed', round, units: reading.units, reading, ...committed },
];

const healthEvents = ({ down, retrying, recovered }: HealthChanges): EventBody[] => [
  ...down.map(({ server, untilRound }): EventBody => ({ type: 'server.down', server, untilRound })),
  ...retrying.map((server): EventBody => ({ type: 'server.retried', server })),
  ...recovered.map((server): EventBody => ({ type: 'server.recovered', server })),
];
