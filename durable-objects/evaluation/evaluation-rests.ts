import {
  restingServers,
  remainingRestOfChainMs,
  restsAfterAttempt,
  serverRests,
} from '#core/evaluation/server-rests.ts';
import type { ServerRests } from '#core/evaluation/server-rests.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';

const none: ServerRests = {};

/** The servers that an evaluation leaves alone for a while. */
export class EvaluationRests {
  readonly #singletons: SingletonTable;

  constructor(singletons: SingletonTable) {
    this.#singletons = singletons;
  }

  /** Notes which servers answered in an attempt, and which did not. */
  recordWhichServersAnswered({ steps }: Pick<Trace, 'steps'>): void {
    const before = this.#readServerRests();
    const after = restsAfterAttempt(before, steps, Date.now());
    if (JSON.stringify(after) !== JSON.stringify(before)) this.#singletons.write('rests', after);
  }

  /** The servers that rest now. */
  listRestingServers(): string[] {
    return restingServers(this.#readServerRests(), Date.now());
  }

  /** How long an attempt at this chain has to wait. */
  computeChainWaitMs(chain: readonly string[]): number {
    return remainingRestOfChainMs(this.#readServerRests(), chain, Date.now());
  }

  #readServerRests(): ServerRests {
    return this.#singletons.read('rests', serverRests) ?? none;
  }
}
