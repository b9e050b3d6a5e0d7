import { restLengthAfterFailures } from '#core/values/server-rests.ts';

export interface ServerHealth {
  /** Consecutive rounds, of those that tried it, in which the server spoilt a call. */
  readonly strikes: number;
  /** The last round whose draws exclude it; 0 for none. */
  readonly outUntilRound: number;
}

/** A commit's changes to the servers, for the run's events; names in alphabetical order. */
export interface HealthChanges {
  /** Excluded from the draws of the next `rounds` rounds, the last of which is `untilRound`. */
  readonly down: readonly { readonly server: string; readonly rounds: number; readonly untilRound: number }[];
  /** Their pause is over: the next round may draw them again. */
  readonly retrying: readonly string[];
  /** They had spoilt calls, and a call of one of their tools has now succeeded. */
  readonly recovered: readonly string[];
}

export type Servers = ReadonlyMap<string, ServerHealth>;

/** Returns whether the draws of a round exclude a server. */
export const isExcludedFromDraws = (servers: Servers, server: string, round: number): boolean =>
  (servers.get(server)?.outUntilRound ?? 0) >= round;

/**
 * Returns the servers after a round. One that spoilt a call is excluded from the draws of the next 1, 2, 4, 8 and then
 * 16 rounds; a success of one of its tools resets that. A server with both in one round starts over: it is excluded for
 * one round.
 */
export const serverHealthAfterRound = (
  servers: Servers,
  round: number,
  faulty: ReadonlySet<string>,
  succeeded: ReadonlySet<string>,
): { readonly servers: Servers; readonly changed: readonly string[]; readonly changes: HealthChanges } => {
  const next = new Map(servers);
  const changed = new Set<string>();
  const recovered = [...succeeded].filter((server) => (servers.get(server)?.strikes ?? 0) > 0);
  for (const server of recovered) {
    next.set(server, { strikes: 0, outUntilRound: 0 });
    changed.add(server);
  }
  const down = [...faulty].map((server) => {
    const strikes = (next.get(server)?.strikes ?? 0) + 1;
    const rounds = restLengthAfterFailures(strikes);
    next.set(server, { strikes, outUntilRound: round + rounds });
    changed.add(server);
    return { server, rounds, untilRound: round + rounds };
  });
  const retrying = [...servers.keys()].filter(
    (server) => servers.get(server)?.outUntilRound === round && !changed.has(server),
  );
  return {
    servers: changed.size === 0 ? servers : next,
    changed: [...changed].toSorted(),
    changes: {
      down: down.toSorted((a, b) => (a.server < b.server ? -1 : 1)),
      retrying: retrying.toSorted(),
      recovered: recovered.filter((server) => !faulty.has(server)).toSorted(),
    },
  };
};
