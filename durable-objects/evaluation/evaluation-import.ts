import { RpcTarget } from 'cloudflare:workers';
import type { Sight } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import { waitsForAttemptAtRequest, type EvaluationCase } from '#core/evaluation/case.ts';
import { configurationOfAgent, type StoredAgent } from '#core/evaluation/config.ts';
import type { ImportedAttempts, ImportedCounts } from '#core/evaluation/imported-attempts.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import { ok, type Result } from '#core/values/result.ts';
import { makeImportedAttempt } from '#core/leaderboards/submissions/imported-attempt.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import { refuseUnlessSeesUnits, type EvaluationLife } from './evaluation-life.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Cases that one call ends without an attempt: each is a transaction. */
const endedPerCall = 200;

/** Attempts that are taken or ended before other calls have their turn. */
const attemptsPerTurn = 10;

/** Why an attempt is not evaluated that a complete import does not have. */
const notImported = 'the import does not have this attempt';

type Attempt = ImportedAttempts['attempts'][number];

/** Takes attempts that were made elsewhere, of agents with the loop `uploaded`. */
export class EvaluationImport extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;

  constructor(store: EvaluationStore, life: EvaluationLife, cases: EvaluationCases) {
    super();
    this.#store = store;
    this.#life = life;
    this.#cases = cases;
  }

  /**
   * Takes attempts; those that are here already are passed over, so that an import can be repeated. Refuses all of them if one
   * is of no case, or of an agent that is not uploaded. With `complete`, what is missing then is not evaluated, and judges begin.
   */
  async add({ attempts, complete }: ImportedAttempts, sight: Sight): Promise<Result<ImportedCounts>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const { rejudges, submission, config } = this.#life.creation;
    if (rejudges !== null || submission !== null)
      return refuse('wrong-state', 'the attempts of this evaluation are taken from elsewhere');
    const ordered = this.#matchAttemptsWithCasesInOrder(attempts);
    if (!ordered.ok) return ordered;
    let stored = 0;
    for (const [n, { attempt, agent, id }] of ordered.value.entries()) {
      if (n > 0 && n % attemptsPerTurn === 0) await yieldToOtherCalls();
      const present = this.#store.getCaseOrThrow(id);
      if (present.attempts[attempt.request] !== undefined) continue;
      if (this.#life.standing.status !== 'running')
        return refuse('wrong-state', `the evaluation is ${this.#life.standing.status}; it takes no attempts`);
      if (!waitsForAttemptAtRequest(present, attempt.request))
        return refuse('wrong-state', `${id} waits for an attempt at an earlier request`);
      await this.#commitImportedAttempt(present, attempt, agent);
      stored += 1;
    }
    const missing = complete && this.#life.standing.status === 'running' ? await this.#failSomeMissingAttempts() : 0;
    const waiting = this.#store.findIdBeforeFirstClientCase() !== null;
    if (complete && !waiting && config.judges) await this.#life.startNextDriver(this.#life.standing.driver);
    return ok({ stored, unchanged: attempts.length - stored, missing, waiting });
  }

  async #commitImportedAttempt(
    present: EvaluationCase,
    { request, trace }: Attempt,
    agent: StoredAgent,
  ): Promise<void> {
    const { promptTokens, completionTokens } = trace;
    const spent = { promptTokens, completionTokens, relaunched: false };
    await this.#cases.commitResultAndEndWhatIsDone(
      present,
      makeImportedAttempt({ side: request, trace, spent }, configurationOfAgent(agent)),
    );
  }

  /** Finds the case of each attempt, in the order in which cases take attempts. */
  #matchAttemptsWithCasesInOrder(
    attempts: readonly Attempt[],
  ): Result<{ readonly attempt: Attempt; readonly agent: StoredAgent; readonly id: string; readonly place: number }[]> {
    const found = [];
    for (const attempt of attempts) {
      const agent = this.#life.creation.agents.find(({ name }) => name === attempt.agent);
      if (agent?.loop !== 'uploaded')
        return refuse('not-found', `there is no agent ${attempt.agent} in it whose attempts are imported`);
      const id = makeCaseId(attempt);
      const place = this.#store.findCase(id)?.requests.indexOf(attempt.request) ?? -1;
      if (place < 0) return refuse('not-found', `there is no attempt at the ${attempt.request} of ${id} in it`);
      found.push({ attempt, agent, id, place });
    }
    return ok(found.toSorted((one, other) => one.place - other.place));
  }

  /** Ends the missing attempts of some cases, which are then not evaluated. Returns how many attempts. */
  async #failSomeMissingAttempts(): Promise<number> {
    let ended = 0;
    while (ended < endedPerCall) {
      const before = this.#store.findIdBeforeFirstClientCase();
      const [open] = before === null ? [] : this.#store.listCases(before, 1);
      if (open === undefined) return ended;
      while (this.#store.getCaseOrThrow(open.id).stage.kind === 'attempt') {
        await this.#cases.failOpenStage(open.id, notImported);
        ended += 1;
        if (ended % attemptsPerTurn === 0) await yieldToOtherCalls();
      }
    }
    return ended;
  }
}
