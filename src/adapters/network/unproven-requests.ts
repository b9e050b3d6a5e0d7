import type { Settings } from '#adapters/settings.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import { hostOf } from '#core/catalog/hosts/proof.ts';
import type { RequestLeave } from '#core/catalog/hosts/standing.ts';
import { isPublicAddress } from './address-guard.ts';
import { FetchGuardError } from './guarded-fetch.ts';
import { findPlatformError, PlatformError } from './platform-errors.ts';

/** How many requests are taken at a time, so that an attempt costs the ledger two calls for each host. */
const batch = 8;

/** What is left of what was taken for a host. */
type Taken = { readonly kind: 'proven'; readonly untilMs: number } | { kind: 'counted'; day: number; left: number };

/**
 * The requests of one attempt, survey or listing to hosts that its workspace may not have proven to be its own. They are taken from the
 * deployment's ledger a few at a time; `giveBackRest` returns the others.
 */
export class UnprovenRequests {
  readonly #ledger: HostLedger;
  readonly #workspace: string;
  readonly #taken = new Map<string, Taken>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(ledger: HostLedger, workspace: string) {
    this.#ledger = ledger;
    this.#workspace = workspace;
  }

  /** Counts a request to a public host. Rejects with a FetchGuardError if the host gets no more today. */
  async admit(url: URL): Promise<void> {
    if (!isPublicAddress(url)) return;
    const host = hostOf(url);
    while (!this.#tryUseOne(host)) {
      const asking = this.#asking.get(host) ?? this.#takeBatchFromLedger(host).finally(() => this.#asking.delete(host));
      this.#asking.set(host, asking);
      await asking;
    }
  }

  /** Gives back what was taken and not used. What cannot be given back counts as used, which spares the host. */
  async giveBackRest(): Promise<void> {
    const rest = [...this.#taken].flatMap(([host, taken]) =>
      taken.kind === 'counted' && taken.left > 0 ? [{ host, ...taken }] : [],
    );
    this.#taken.clear();
    await Promise.allSettled(rest.map(({ host, day, left }) => this.#ledger.giveBack(host, day, left)));
  }

  #tryUseOne(host: string): boolean {
    const taken = this.#taken.get(host);
    if (taken === undefined) return false;
    if (taken.kind === 'proven') return taken.untilMs > Date.now();
    if (taken.left === 0) return false;
    taken.left -= 1;
    return true;
  }

  async #takeBatchFromLedger(host: string): Promise<void> {
    const leave = await this.#askLedger(host);
    if (leave.kind === 'none') throw new FetchGuardError('not-proven', notProvenText(host, leave));
    this.#taken.set(host, leave.kind === 'proven' ? leave : { kind: 'counted', day: leave.day, left: leave.requests });
  }

  /** An error of the ledger says nothing about the host. */
  async #askLedger(host: string): Promise<RequestLeave> {
    try {
      return await this.#ledger.takeRequests(host, this.#workspace, batch);
    } catch (error) {
      throw findPlatformError(error) ?? new PlatformError('requests to a host could not be counted', { cause: error });
    }
  }
}

const notProvenText = (host: string, { limit, untilMs }: Extract<RequestLeave, { readonly kind: 'none' }>): string =>
  `${host} gets ${limit} requests a day until somebody proves that it is theirs, and had them; more from ${new Date(untilMs).toISOString()}, or with a proof (sextant servers prove, POST /v1/hosts/${host}/proof)`;

/** Returns what counts requests to hosts for a workspace; null where the deployment has no limit, so that nothing is asked. */
export const makeUnprovenRequestCounterOrNull = (
  { REQUESTS_PER_DAY_PER_UNPROVEN_HOST: limit }: Pick<Settings, 'REQUESTS_PER_DAY_PER_UNPROVEN_HOST'>,
  ledger: HostLedger,
  workspace: string,
): UnprovenRequests | null => (limit === 0 ? null : new UnprovenRequests(ledger, workspace));
