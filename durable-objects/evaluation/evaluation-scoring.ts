import { RpcTarget } from 'cloudflare:workers';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import type { Sight } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import { waitsForAttemptAtRequest, type EvaluationCase } from '#core/evaluation/case.ts';
import { threeMostFrequentFaultTexts } from '#core/evaluation/common-fault-texts.ts';
import { configurationOfAgent, type StoredAgent } from '#core/evaluation/config.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import type { ScoredSubmission } from '#core/leaderboards/scored-submission.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import { makeImportedAttempt } from '#core/leaderboards/submissions/imported-attempt.ts';
import type { TraceHeader, TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import { initialStanding } from '#durable-objects/shared/run-lifecycle.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import { refuseUnlessSeesUnits, type EvaluationLife } from './evaluation-life.ts';
import type { EvaluationReader } from './evaluation-reader.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import type { EvaluationTexts } from './evaluation-texts.ts';
import { EvaluationTraces } from './evaluation-traces.ts';

/** Uploaded attempts that are taken before other calls have their turn: each is a transaction. */
const linesPerTurn = 10;

/** What an evaluation does for a submission: takes uploaded attempts, and gives what an entry is made of and its traces. */
export class EvaluationScoring extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;
  readonly #texts: EvaluationTexts;
  readonly #openReader: () => EvaluationReader;

  constructor({
    store,
    life,
    cases,
    texts,
    openReader,
  }: {
    readonly store: EvaluationStore;
    readonly life: EvaluationLife;
    readonly cases: EvaluationCases;
    readonly texts: EvaluationTexts;
    readonly openReader: () => EvaluationReader;
  }) {
    super();
    this.#store = store;
    this.#life = life;
    this.#cases = cases;
    this.#texts = texts;
    this.#openReader = openReader;
  }

  /**
   * Takes attempts that were made elsewhere; those that are here already are passed over. With `settingAside`, one that cannot be
   * taken is not evaluated.
   */
  async importLines(lines: readonly TraceLine[], settingAside: boolean): Promise<void> {
    const [agent] = this.#life.creation.agents;
    if (agent === undefined) throw new Error('an evaluation has an agent');
    const configuration = configurationOfAgent(agent);
    for (const [n, line] of lines.entries()) {
      if (n > 0 && n % linesPerTurn === 0) await yieldToOtherCalls();
      const { unit, trial, side } = line;
      const present = this.#store.getCaseOrThrow(makeCaseId({ unit, agent: agent.name, trial }));
      if (isOver(this.#life.standing.status)) return;
      if (!waitsForAttemptAtRequest(present, side)) continue;
      const taken = this.#cases.commitResultAndEndWhatIsDone(present, makeImportedAttempt(line, configuration));
      await (settingAside ? taken.catch((error: unknown) => this.#setAttemptAsideOrRethrow(present, error)) : taken);
    }
  }

  /** Has the imported attempts judged. */
  judgeImported(): Promise<void> {
    return this.#life.startNextDriver(initialStanding.driver);
  }

  /** Returns what broke attempts for good, most frequent first. */
  listCommonFaultTexts(): string[] {
    return threeMostFrequentFaultTexts(this.#store.iterateCasesBrokenByFaults());
  }

  /** What an entry is made of, once the evaluation is over and everything in it was done. */
  async makeScoredSubmissionIfComplete(): Promise<Result<ScoredSubmission>> {
    const { status, reason, progress } = this.#life.standing;
    // The submitter is not told what went wrong on our side.
    if (status === 'failed') return refuse('wrong-state', 'its evaluation failed on our side; submit it again');
    if (status !== 'completed' || progress.unitsDone < progress.units)
      return refuse('wrong-state', `its evaluation is ${status}: ${reason ?? 'not all attempts were made'}`);
    const [agent] = this.#life.creation.agents;
    if (agent === undefined) throw new Error('the evaluation has no agent');
    return ok(
      await this.#makeTraceReaderOfAgent(agent).makeScoredSubmission(
        await this.#openReader().computeSubmissionFigures(agent.name),
      ),
    );
  }

  traceHeader(name: string, sight: Sight): Result<TraceHeader> {
    const readable = refuseUnlessSeesUnits(this.#life, sight);
    if (!readable.ok) return readable;
    const kept = this.#texts.refuseIfDeleted(name);
    if (!kept.ok) return kept;
    const agent = this.#getAgentIfEvaluationIsOver(name);
    return agent.ok ? ok(this.#makeTraceReaderOfAgent(agent.value).makeTraceHeader()) : agent;
  }

  /** An agent's attempts at public units after one of them, both of some cases. */
  async listPublicLines(
    name: string,
    after: Pick<TraceLine, 'unit' | 'trial'> | null,
    sight: Sight,
  ): Promise<Result<TraceLine[]>> {
    const readable = refuseUnlessSeesUnits(this.#life, sight);
    if (!readable.ok) return readable;
    const agent = this.#getAgentIfEvaluationIsOver(name);
    return agent.ok ? ok(await this.#makeTraceReaderOfAgent(agent.value).makeNextPublicTraceLines(after)) : agent;
  }

  /** Continues without an attempt that could not be taken. A failure after the attempt was taken leads to a retry. */
  async #setAttemptAsideOrRethrow({ id, revision }: EvaluationCase, error: unknown): Promise<void> {
    const isPoisoned = this.#store.getCaseOrThrow(id).revision === revision;
    if (!isPoisoned || findPlatformError(error) !== undefined) throw error;
    await this.#cases.failOpenStage(id, error instanceof Error ? error.message : String(error));
  }

  #getAgentIfEvaluationIsOver(name: string): Result<StoredAgent> {
    const { agents } = this.#life.creation;
    const agent = agents.find((each) => each.name === name);
    if (agent === undefined)
      return refuse(
        'not-found',
        `there is no agent ${name} in it; it has ${agents.map((each) => each.name).join(', ')}`,
      );
    const { status } = this.#life.standing;
    return isOver(status)
      ? ok(agent)
      : refuse('wrong-state', `the evaluation is ${status}; its traces can be taken when it is over`);
  }

  #makeTraceReaderOfAgent(agent: StoredAgent): EvaluationTraces {
    const { endedAt } = this.#life.standing;
    const { creation } = this.#life;
    return new EvaluationTraces(this.#store, { ...creation, endedAt: endedAt ?? creation.at }, agent);
  }
}
