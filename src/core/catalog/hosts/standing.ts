import { z } from 'zod';

/** Where the token that proves a host was found: in a DNS record, or in a file of the host. */
export const proofPlace = z.enum(['dns', 'file']);
export type ProofPlace = z.infer<typeof proofPlace>;

/** That a workspace showed that a host is its own; times are in milliseconds since 1970. */
const proof = z.object({
  by: proofPlace,
  /** When its token was found first, and last. */
  sinceMs: z.number(),
  foundMs: z.number(),
});
export type Proof = Readonly<z.infer<typeof proof>>;

/** What is known of one host. */
export const hostStanding = z.object({
  host: z.string(),
  /** The day (UTC, as a number since 1970) whose requests are counted, and those of workspaces without a proof. */
  day: z.int(),
  unproven: z.int(),
  /** By workspace. */
  proofs: z.record(z.string(), proof),
});
export type HostStanding = Readonly<z.infer<typeof hostStanding>>;

const dayMs = 24 * 3_600_000;

/** A proof holds for so long after its token was last found. */
const validMs = 30 * dayMs;

/** A proof is looked for again this long after it was last found, once a day. So an owner has a week to repair what went wrong. */
const soughtAfterMs = 23 * dayMs;

const dayOf = (nowMs: number): number => Math.floor(nowMs / dayMs);

export const newHostStanding = (host: string): HostStanding => ({ host, day: 0, unproven: 0, proofs: {} });

/** Returns when a proof ends unless its token is found again, in milliseconds since 1970. */
export const endOfProofMs = ({ foundMs }: Pick<Proof, 'foundMs'>): number => foundMs + validMs;

/** Returns the proof of a workspace that holds now, or null. */
export function findProof({ proofs }: HostStanding, workspace: string, nowMs: number): Proof | null {
  const known = proofs[workspace];
  return known !== undefined && endOfProofMs(known) > nowMs ? known : null;
}

/** Returns how many requests of workspaces without a proof the host got today. */
export const countRequestsTodayWithoutProof = ({ day, unproven }: HostStanding, nowMs: number): number =>
  day === dayOf(nowMs) ? unproven : 0;

/** How many requests a host may get from a workspace. */
export type RequestLeave =
  /** Any number until then. */
  | { readonly kind: 'proven'; readonly untilMs: number }
  /** So many, which are counted on that day; what is not used is given back. */
  | { readonly kind: 'counted'; readonly requests: number; readonly day: number }
  /** None before then: the limit of the day is reached. */
  | { readonly kind: 'none'; readonly untilMs: number; readonly limit: number };

/**
 * Takes up to `wanted` requests for a workspace. `limit` is how many a host gets in a day of all workspaces together that have not
 * proven it, so no number of workspaces gets a host more.
 */
export function takeRequests(
  standing: HostStanding,
  { workspace, wanted, limit }: { readonly workspace: string; readonly wanted: number; readonly limit: number },
  nowMs: number,
): { readonly standing: HostStanding; readonly leave: RequestLeave } {
  const known = findProof(standing, workspace, nowMs);
  if (known !== null) return { standing, leave: { kind: 'proven', untilMs: endOfProofMs(known) } };
  const day = dayOf(nowMs);
  const counted = countRequestsTodayWithoutProof(standing, nowMs);
  const requests = Math.min(wanted, limit - counted);
  if (requests <= 0) return { standing, leave: { kind: 'none', untilMs: (day + 1) * dayMs, limit } };
  return { standing: { ...standing, day, unproven: counted + requests }, leave: { kind: 'counted', requests, day } };
}

/** Takes back requests that were not made. Those of an earlier day no longer matter. */
export const giveBackRequests = (standing: HostStanding, day: number, requests: number): HostStanding =>
  day === standing.day ? { ...standing, unproven: Math.max(0, standing.unproven - requests) } : standing;

/** Returns the standing after the token of a workspace was found. */
export function withProof(standing: HostStanding, workspace: string, by: ProofPlace, nowMs: number): HostStanding {
  const sinceMs = findProof(standing, workspace, nowMs)?.sinceMs ?? nowMs;
  return { ...standing, proofs: { ...standing.proofs, [workspace]: { by, sinceMs, foundMs: nowMs } } };
}

/** Returns the workspaces whose proofs hold and are to be looked for again. */
export const listWorkspacesToProveAgain = ({ proofs }: HostStanding, nowMs: number): string[] =>
  Object.entries(proofs).flatMap(([workspace, known]) =>
    known.foundMs + soughtAfterMs <= nowMs && endOfProofMs(known) > nowMs ? [workspace] : [],
  );

/** Returns the standing without what no longer holds; null if nothing is left. */
export function withoutPastProofsOrNull(standing: HostStanding, nowMs: number): HostStanding | null {
  const proofs = Object.fromEntries(Object.entries(standing.proofs).filter(([, each]) => endOfProofMs(each) > nowMs));
  const unproven = countRequestsTodayWithoutProof(standing, nowMs);
  return unproven === 0 && Object.keys(proofs).length === 0 ? null : { ...standing, unproven, proofs };
}
