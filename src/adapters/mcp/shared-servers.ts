import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { CalledTool } from '#core/catalog/effect-of-call.ts';
import type { AllowedEffect, OwnersEffects } from '#core/catalog/effect.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { listServersWithTurns, type Isolation } from '#core/catalog/isolation/isolation.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import type { ServerAuth } from './oauth/tokens.ts';
import type { ServerGate } from './server-gate.ts';
import { resetServerWithRetries } from './reset-server.ts';

/** How long an attempt waits for its turn. */
const longestWaitMs = 30 * 60_000;

/** A turn is kept for this long at a time, so that one whose holder was killed ends by itself. */
const turnMs = 20 * 60_000;

/** A turn is taken again by the first call after this. */
const renewedAfterMs = 60_000;

/** The turns of attempts at servers whose state they share. */
export interface Turns {
  /**
   * Takes the turn at all these servers, or keeps it until later if this attempt has it. Waits some seconds for it; false says
   * that others still have it.
   */
  take(attempt: string, urls: readonly string[], untilMs: number): Promise<boolean>;
  /** Ends the turns that an attempt has; others may take them. */
  end(attempt: string): Promise<void>;
}

/** The attempt that uses servers. */
export interface ServerUse {
  /** The same for all tries of an attempt, so that a repeated one has its turn at once. */
  readonly attempt: string;
  readonly turns: Turns;
  /** Servers that were made ready for the attempt's calls before these connections were opened. */
  readonly alreadyUsed?: readonly string[];
  /** Called when a server is ready for the attempt's first call. */
  readonly onUse?: (server: string) => void;
}

interface SharedAccess {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allows: AllowedEffect;
  readonly effects: OwnersEffects;
  readonly auth?: ServerAuth | null | undefined;
  readonly protocolVersion: string | null;
  readonly isolation: Isolation;
  readonly gate?: ServerGate | undefined;
}

interface SharingOptions {
  readonly admission: Admission;
  readonly fetch: FetchLike;
  readonly allowLocal: boolean;
  readonly admit: ((url: URL) => Promise<void>) | undefined;
}

type ResetFault = Pick<InfrastructureFault, 'code' | 'detail'>;

/** The servers of one attempt that other attempts may change: they are used one attempt at a time, and reset where they can be. */
export class SharedServers {
  readonly #use: ServerUse;
  readonly #options: SharingOptions;
  readonly #shared: ReadonlyMap<string, SharedAccess>;
  readonly #preparing = new Map<string, Promise<Result<null, ResetFault>>>();
  readonly #used: Set<string>;
  #takenAtMs = 0;
  #taking: Promise<boolean> | null = null;

  constructor(
    use: ServerUse,
    servers: readonly (Omit<SharedAccess, 'url'> & { readonly url: string | null })[],
    tools: readonly CalledTool[],
    options: SharingOptions,
  ) {
    this.#use = use;
    this.#options = options;
    this.#shared = new Map(listServersWithTurns(servers, tools).map((server) => [server.name, server]));
    this.#used = new Set(use.alreadyUsed);
    for (const name of this.#used) this.#preparing.set(name, Promise.resolve(ok(null)));
  }

  /**
   * Makes a server ready for a call: waits for the attempt's turn, and resets the server before the first call if its owner says so.
   * Returns how long that took, which is nobody's time but ours.
   */
  async waitForTurnAndResetBeforeFirstCall(
    name: string,
  ): Promise<Result<null, ResetFault> & { readonly waitedMs: number }> {
    const server = this.#shared.get(name);
    if (server === undefined) return { ...ok(null), waitedMs: 0 };
    const begun = Date.now();
    const isTurn = await this.#takeTurnsUnlessTakenRecently();
    const ready = isTurn ? await this.#resetBeforeFirstCall(server) : err(busyForTooLong);
    if (ready.ok && !this.#used.has(name)) {
      this.#used.add(name);
      this.#use.onUse?.(name);
    }
    return { ...ready, waitedMs: Date.now() - begun };
  }

  /** Resets what has to be reset after the attempt, and ends its turns. Returns the first fault. */
  async resetAfterAttemptAndEndTurns(): Promise<InfrastructureFault | null> {
    let fault: InfrastructureFault | null = null;
    for (const server of this.#shared.values()) {
      if (!this.#used.has(server.name) || server.isolation.kind !== 'reset' || server.isolation.when !== 'after')
        continue;
      const done = await this.#resetOneServer(server);
      if (!done.ok) fault ??= { where: 'server', name: server.name, ...done.problem };
    }
    this.#used.clear();
    if (this.#shared.size > 0) await this.#use.turns.end(this.#use.attempt);
    return fault;
  }

  /** All turns are taken at once, so that two attempts never wait for each other. */
  #takeTurnsUnlessTakenRecently(): Promise<boolean> {
    if (Date.now() - this.#takenAtMs < renewedAfterMs) return Promise.resolve(true);
    this.#taking ??= this.#waitForTurnsAtAllServers().finally(() => {
      this.#taking = null;
    });
    return this.#taking;
  }

  async #waitForTurnsAtAllServers(): Promise<boolean> {
    const { attempt, turns } = this.#use;
    const urls = [...this.#shared.values()].map(({ url }) => url);
    for (const begun = Date.now(); Date.now() - begun < longestWaitMs;) {
      if (!(await turns.take(attempt, urls, Date.now() + turnMs))) continue;
      this.#takenAtMs = Date.now();
      return true;
    }
    return false;
  }

  #resetBeforeFirstCall(server: SharedAccess): Promise<Result<null, ResetFault>> {
    const { name, isolation } = server;
    if (isolation.kind !== 'reset' || isolation.when !== 'before') return Promise.resolve(ok(null));
    const known = this.#preparing.get(name);
    if (known !== undefined) return known;
    const preparing = this.#resetOneServer(server);
    this.#preparing.set(name, preparing);
    return preparing;
  }

  async #resetOneServer(server: SharedAccess): Promise<Result<null, ResetFault>> {
    const { isolation } = server;
    if (isolation.kind !== 'reset') return ok(null);
    const { attempt } = this.#use;
    const done = await resetServerWithRetries({ ...server, isolation }, { ...this.#options, attempt });
    if (done.ok) return ok(null);
    return err({
      code: 'not-isolated',
      detail: `the server could not be reset ${isolation.when} the attempt: ${done.problem}`,
    });
  }
}

const busyForTooLong = {
  code: 'not-isolated',
  detail: `other attempts used the server for ${longestWaitMs / 60_000} minutes`,
} as const;
