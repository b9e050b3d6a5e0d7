import { z } from 'zod';
import type { FaultCode } from '#core/models/faults.ts';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { restLengthAfterFailures } from '#core/values/server-rests.ts';
import type { Step } from '#core/traces/trace.ts';

/** The servers that an evaluation leaves alone for a while, because they spoilt calls; times are in ms since 1970. */
export const serverRests = z.record(z.string(), z.object({ strikes: z.int().min(1), untilMs: z.number() }));
export type ServerRests = Readonly<z.infer<typeof serverRests>>;

/** The unit of a rest. */
const restUnitMs = 2_000;

/**
 * Returns the rests after an attempt. A server that spoilt a call rests for 2 seconds, then 4, 8, 16, and at most 32;
 * an answer of one of its tools ends that, and one with both in an attempt starts over. While it rests, further faults
 * do not count: they are of attempts that had begun before. What a disturbance made is no doing of a server. A server that is only described never rests: waiting would not help.
 */
export function restsAfterAttempt(
  before: ServerRests,
  steps: readonly Pick<Step, 'tool' | 'sha256' | 'fault' | 'disturbed'>[],
  nowMs: number,
): ServerRests {
  const own = steps.filter(({ disturbed }) => disturbed !== true);
  const answered = new Set(own.filter(({ sha256 }) => sha256 !== null).map(({ tool }) => serverNameOfToolName(tool)));
  const faulty = new Set(
    own.flatMap(({ fault }) =>
      fault?.where === 'server' && !isFaultThatWaitingCannotFix(fault.code) ? [fault.name] : [],
    ),
  );
  const rests = new Map(Object.entries(before).filter(([server]) => !answered.has(server)));
  for (const server of faulty) {
    const known = rests.get(server);
    if (known !== undefined && known.untilMs > nowMs) continue;
    const strikes = (known?.strikes ?? 0) + 1;
    rests.set(server, { strikes, untilMs: nowMs + restLengthAfterFailures(strikes) * restUnitMs });
  }
  return Object.fromEntries(rests);
}

/** Returns whether a fault says what the run may call: waiting would not help. */
const isFaultThatWaitingCannotFix = (code: FaultCode): boolean =>
  code === 'not-connected' || code === 'not-allowed' || code === 'not-proven';

/** Returns the servers that rest now, by name. */
export const restingServers = (rests: ServerRests, nowMs: number): string[] =>
  Object.entries(rests).flatMap(([server, { untilMs }]) => (untilMs > nowMs ? [server] : []));

/** Returns how long an attempt at this chain has to wait until none of its servers rests, in milliseconds. */
export const remainingRestOfChainMs = (rests: ServerRests, chain: readonly string[], nowMs: number): number =>
  Math.max(0, ...chain.map((tool) => (rests[serverNameOfToolName(tool)]?.untilMs ?? nowMs) - nowMs));
