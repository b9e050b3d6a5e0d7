import { refuse } from '#core/values/errors.ts';
import { waitsForAttemptAtRequest, type EvaluationCase } from '#core/evaluation/case.ts';
import { configurationOfAgent, type StoredAgent } from '#core/evaluation/config.ts';
import type { ImportedAttempts, ImportedCounts } from '#core/evaluation/imported-attempts.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import { ok, type Result } from '#core/values/result.ts';
import { makeImportedAttempt } from '#core/leaderboards/submissions/imported-attempt.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import type { EvaluationLife } from './evaluation-life.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Cases that one call ends without an attempt: each is a transaction. */
const endedPerCall = 200;

/** Why an attempt is not evaluated that a complete import does not have. */
const notImported = 'the import does not have this attempt';

type Attempt = ImportedAttempts['attempts'][number];

/** What importing attempts needs of an evaluation. */
interface Host {
  readonly store: EvaluationStore;
  readonly life: EvaluationLife;
  readonly cases: EvaluationCases;
}

/** Takes attempts that were made elsewhere, of agents with the loop `uploaded`. */
export class EvaluationImport {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /**
   * Takes attempts; those that are here already are passed over, so that an import can be repeated. Refuses all of them if one
   * is of no case, or of an agent that is not uploaded. With `complete`, what is missing then is not evaluated, and judges begin.
   */
  async importAttempts({ attempts, complete }: ImportedAttempts): Promise<Result<ImportedCounts>> {
    const { life, store } = this.#host;
    const { rejudges, submission, config } = life.creation;
    if (rejudges !== null || submission !== null)
      return refuse('wrong-state', 'the attempts of this evaluation are taken from elsewhere');
    const ordered = this.#matchAttemptsWithCasesInOrder(attempts);
    if (!ordered.ok) return ordered;
    let stored = 0;
    for (const { attempt, agent, id } of ordered.value) {
      const present = store.getCaseOrThrow(id);
      if (present.attempts[attempt.request] !== undefined) continue;
      if (life.standing.status !== 'running')
        return refuse('wrong-state', `the evaluation is ${life.standing.status}; it takes no attempts`);
      if (!waitsForAttemptAtRequest(present, attempt.request))
        return refuse('wrong-state', `${id} waits for an attempt at an earlier request`);
      await this.#commitImportedAttempt(present, attempt, agent);
      stored += 1;
    }
    const missing = complete && life.standing.status === 'running' ? await this.#failSomeMissingAttempts() : 0;
    const waiting = store.findIdBeforeFirstClientCase() !== null;
    if (complete && !waiting && config.judges) await life.startNextDriver(life.standing.driver);
    return ok({ stored, unchanged: attempts.length - stored, missing, waiting });
  }

  async #commitImportedAttempt(
    present: EvaluationCase,
    { request, trace }: Attempt,
    agent: StoredAgent,
  ): Promise<void> {
    const { promptTokens, completionTokens } = trace;
    const spent = { promptTokens, completionTokens, relaunched: false };
    await this.#host.cases.commitResultAndEndWhatIsDone(
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
      const agent = this.#host.life.creation.agents.find(({ name }) => name === attempt.agent);
      if (agent?.loop !== 'uploaded')
        return refuse('not-found', `there is no agent ${attempt.agent} in it whose attempts are imported`);
      const id = makeCaseId(attempt);
      const place = this.#host.store.findCase(id)?.requests.indexOf(attempt.request) ?? -1;
      if (place < 0) return refuse('not-found', `there is no attempt at the ${attempt.request} of ${id} in it`);
      found.push({ attempt, agent, id, place });
    }
    return ok(found.toSorted((one, other) => one.place - other.place));
  }

  /** Ends the missing attempts of some cases, which are then not evaluated. Returns how many attempts. */
  async #failSomeMissingAttempts(): Promise<number> {
    const { store, cases } = this.#host;
    let ended = 0;
    while (ended < endedPerCall) {
      const before = store.findIdBeforeFirstClientCase();
      const [open] = before === null ? [] : store.listCases(before, 1);
      if (open === undefined) return ended;
      while (store.getCaseOrThrow(open.id).stage.kind === 'attempt') {
        await cases.failOpenStage(open.id, notImported);
        ended += 1;
      }
    }
    return ended;
  }
}
