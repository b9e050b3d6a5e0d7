import { DurableObject } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import { findHostProof } from '#adapters/network/find-host-proof.ts';
import { computeHostToken } from '#adapters/secrets/host-tokens.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import { makeShownHost, type HostRecord } from '#core/catalog/hosts/proof.ts';
import {
  withoutPastProofsOrNull,
  giveBackRequests,
  hostStanding,
  listWorkspacesToProveAgain,
  newHostStanding,
  takeRequests,
  withProof,
  type HostStanding,
  type RequestLeave,
} from '#core/catalog/hosts/standing.ts';
import { err, ok, type Result } from '#core/values/result.ts';

/** How often the proofs of a host are looked at, and its count is forgotten. */
const alarmMs = 24 * 3_600_000;
/** A workspace that asks again so soon gets the same answer, so that no host is asked for its file more often because of it. */
const repeatedAfterMs = 60_000;

/**
 * One host with MCP servers: the requests that it got today of workspaces that have not proven it, and the proofs of the others. It looks
 * for proofs itself, when it is asked to and before they end. A host of which nothing is known has no storage.
 */
export class ServerHost extends DurableObject implements HostLedger {
  // One value under one key, so that reading it creates nothing.
  readonly #storage: DurableObjectStorage;
  /** The latest search of each workspace. */
  readonly #sought = new Map<string, { readonly atMs: number; readonly found: Promise<string | null> }>();
  #standing: HostStanding | null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    const stored = state.storage.kv.get('standing');
    this.#standing = stored === undefined ? null : hostStanding.parse(stored);
  }

  async takeRequests(host: string, workspace: string, wanted: number): Promise<RequestLeave> {
    const { REQUESTS_PER_DAY_PER_UNPROVEN_HOST: limit } = settingsSchema.parse(this.env);
    const { standing, leave } = takeRequests(this.#getOrMakeStanding(host), { workspace, wanted, limit }, Date.now());
    if (leave.kind === 'counted') await this.#storeStanding(standing);
    return leave;
  }

  async giveBack(_host: string, day: number, requests: number): Promise<void> {
    if (this.#standing !== null) await this.#storeStanding(giveBackRequests(this.#standing, day, requests));
  }

  /** Returns what a workspace sees of the host. Creates nothing. */
  async describe(host: string, workspace: string): Promise<HostRecord> {
    const { ENCRYPTION_KEY: key, REQUESTS_PER_DAY_PER_UNPROVEN_HOST: limit } = settingsSchema.parse(this.env);
    const token = await computeHostToken(key, workspace, host);
    return makeShownHost(this.#getOrMakeStanding(host), { workspace, token, limit }, Date.now());
  }

  /** Looks for the proof of a workspace. */
  async prove(host: string, workspace: string): Promise<Result<HostRecord>> {
    const nowMs = Date.now();
    const known = this.#sought.get(workspace);
    const isRecent = known !== undefined && nowMs - known.atMs < repeatedAfterMs;
    const search = isRecent ? known : { atMs: nowMs, found: this.#searchAndStoreProof(host, workspace) };
    this.#sought.set(workspace, search);
    const problem = await search.found;
    if (problem === null) return ok(await this.describe(host, workspace));
    const againMs = search.atMs + repeatedAfterMs;
    const detail = `${problem}. It is looked for once a minute, next from ${new Date(againMs).toISOString()}`;
    return err({ code: 'host-not-proven', detail, retryAfterMs: Math.max(0, againMs - Date.now()) });
  }

  /** Looks for proofs that would end soon. What is not found keeps its time. */
  override async alarm(): Promise<void> {
    const standing = this.#standing;
    if (standing === null) return;
    // Set first, so that a search that fails is made again.
    await this.#storage.setAlarm(Date.now() + alarmMs);
    for (const workspace of listWorkspacesToProveAgain(standing, Date.now()))
      await this.#searchAndStoreProof(standing.host, workspace);
    const left = this.#standing === null ? null : withoutPastProofsOrNull(this.#standing, Date.now());
    if (left !== null) return this.#storeStanding(left);
    this.#standing = null;
    this.#sought.clear();
    await this.#storage.deleteAll();
  }

  /** Returns null if the proof is there, else what was found in its place. */
  async #searchAndStoreProof(host: string, workspace: string): Promise<string | null> {
    const { DNS_RESOLVER_URL: resolver, ALLOW_LOCAL_SERVERS: allowLocal } = settingsSchema.parse(this.env);
    const found = await findHostProof(await this.describe(host, workspace), {
      admission: new Admission(),
      resolver,
      allowLocal,
    });
    if (!found.ok) return found.problem;
    await this.#storeStanding(withProof(this.#getOrMakeStanding(host), workspace, found.value, Date.now()));
    return null;
  }

  #getOrMakeStanding(host: string): HostStanding {
    return this.#standing ?? newHostStanding(host);
  }

  async #storeStanding(standing: HostStanding): Promise<void> {
    const isNew = this.#standing === null;
    this.#standing = standing;
    this.#storage.kv.put('standing', standing);
    if (isNew) await this.#storage.setAlarm(Date.now() + alarmMs);
  }
}
