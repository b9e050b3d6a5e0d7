import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { waitsForAttemptAtRequest, type AttemptResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { requestTextOrThrow } from '#core/benchmarks/protocols/case-requests.ts';
import {
  maxExpiredClaims,
  waitBeforeNextClaimMs,
  type AttemptEnd,
  type ClaimAnswer,
  type GivenBack,
} from '#core/evaluation/claim.ts';
import type { CrashSettlement, SettledCrashes } from '#core/evaluation/crashes.ts';
import type { EvaluationConfig, StoredAgent } from '#core/evaluation/config.ts';
import type { StoredModel } from '#core/models/choices.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import { recordedAttemptName } from '#core/evaluation/new-cases.ts';
import type { EventBody } from '#core/reports/events.ts';
import type { Overlay } from '#core/evaluation/overlay/overlay.ts';
import { isOver, type RunStatus } from '#core/exploration/runs.ts';
import type { Attempt } from '#durable-objects/attempt/attempt.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { AttemptUserBasis } from '#durable-objects/attempt/attempt-user.ts';
import type { HeldCrash } from './crashes-table.ts';
import type { EvaluationMountings } from './evaluation-mountings.ts';
import type { EvaluationTurns } from './evaluation-turns.ts';
import type { Claim, EvaluationStore } from './evaluation-store.ts';

/** Everything that the recording gateway needs for an attempt. */
export interface AttemptBasis {
  readonly servers: readonly ServerConnection[];
  readonly tools: readonly Tool[];
  /** What the agent reads in place of what the servers say; absent if it reads that. */
  readonly overlay?: Overlay | undefined;
  /** What a model needs that plays the user; null if what servers ask is declined. */
  readonly user: AttemptUserBasis | null;
}

/** What claims need from their evaluation. */
interface ClaimedRun {
  readonly store: EvaluationStore;
  creation(): {
    readonly id: string;
    readonly workspace: string;
    readonly serversOf?: string | undefined;
    readonly config: EvaluationConfig;
    readonly agents: readonly StoredAgent[];
    readonly submission: string | null;
    readonly servers: readonly ServerConnection[];
    readonly judge: StoredModel;
  };
  status(): RunStatus;
  progress(): EvaluationProgress;
  /** Time since the last event. */
  quietMs(): number;
  /** Servers that are left alone for a while. */
  resting(): string[];
  readonly turns: EvaluationTurns;
  readonly mountings: Pick<EvaluationMountings, 'listMountedToolsOfCase'>;
  emit(events: readonly EventBody[]): void;
  transaction(change: () => void): void;
  /** Has private units handed out if nothing else is left to do. */
  startPrivateUnitsIfPublicDone(): Promise<void>;
  /** The objects of attempts. */
  readonly attempts: { getByName(id: string): RpcOf<Attempt, 'openAttemptOrRestoreAlarm' | 'endAsEvaluationIsOver'> };
  /** Commits the result of an attempt with everything that belongs to it, and has it judged. */
  commit(claim: Claim, result: AttemptResult, more: (after: EvaluationCase) => void): Promise<EvaluationCase>;
}

/** An attempt ends its own turns; they run out this long after its deadline if it cannot. */
const turnAfterDeadlineMs = 5 * 60_000;

/** Hands out attempts of external agents, accepts their results, and takes them back when their time is over. */
export class EvaluationClaims {
  readonly #run: ClaimedRun;

  constructor(run: ClaimedRun) {
    this.#run = run;
  }

  /** Claims an attempt under the id that the caller generated. The same `key` returns the same attempt. */
  async claimAttempt(request: { agent: string; attempt: string; key: string | null }): Promise<Result<ClaimAnswer>> {
    const { store } = this.#run;
    const { agents, submission } = this.#run.creation();
    const agent = findExternalAgent(agents, request.agent);
    if (agent === null) return refuseUnknownAgent(agents, request.agent);
    const known = request.key === null ? null : store.findClaimByKey(request.key);
    if (known !== null) return ok(await this.#openAttemptAndMakeClaimAnswer(known));
    await this.#run.startPrivateUnitsIfPublicDone();
    const again = request.key === null ? null : store.findClaimByKey(request.key);
    if (again !== null) return ok(await this.#openAttemptAndMakeClaimAnswer(again));
    const status = this.#run.status();
    if (isOver(status)) return ok({ kind: 'finished' });
    const { attempt, key } = request;
    const untilMs = Date.now() + agent.limits.timeMs + turnAfterDeadlineMs;
    const id =
      status === 'running' ? await this.#findNextCaseIdAndTakeItsTurn(request, submission !== null, untilMs) : null;
    const meanwhile = key === null ? null : store.findClaimByKey(key);
    if (meanwhile !== null) {
      await this.#run.turns.endTurnsOfAttempt(attempt);
      return ok(await this.#openAttemptAndMakeClaimAnswer(meanwhile));
    }
    if (id === null && !store.hasUnfinishedClientWork(request.agent)) return ok({ kind: 'finished' });
    if (id === null) return ok({ kind: 'wait', retryAfterMs: waitBeforeNextClaimMs(this.#run.quietMs()) });
    const { stage } = store.getCaseOrThrow(id);
    if (stage.kind !== 'attempt') throw new Error(`case ${id} is not at an attempt`);
    const deadline = new Date(Date.now() + agent.limits.timeMs).toISOString();
    const claim: Claim = { attempt, evaluated: id, side: stage.side, deadline, state: 'open' };
    this.#run.transaction(() => {
      store.storeNewClaim(claim, key);
      store.setCaseWorker(id, 'claimed');
      this.#run.emit([{ type: 'attempt.claimed', attempt, case: id, side: stage.side, deadline }]);
    });
    return ok(await this.#openAttemptAndMakeClaimAnswer(claim));
  }

  /**
   * Returns the next case of an agent whose attempt has its turn at the servers that attempts share; null if there is none, or
   * other attempts use its servers.
   */
  async #findNextCaseIdAndTakeItsTurn(
    { agent, attempt }: { readonly agent: string; readonly attempt: string },
    privateOneByOne: boolean,
    untilMs: number,
  ): Promise<string | null> {
    const { store } = this.#run;
    const busy: string[] = [];
    for (;;) {
      const find = (): string | null =>
        store.findNextClientCaseId(agent, privateOneByOne, [...this.#run.resting(), ...busy]);
      const id = find();
      const shared = id === null ? [] : this.#run.turns.listSharedServersOfCase(id);
      if (shared.length === 0) return id;
      if (shared.some(({ name }) => busy.includes(name))) return null;
      const urls = shared.map(({ url }) => url);
      const isTurn = await this.#run.turns.takeTurnsNowIfFree(attempt, urls, untilMs);
      // Another claim may have taken the case meanwhile.
      if (isTurn && find() === id) return id;
      if (isTurn) await this.#run.turns.endTurnsOfAttempt(attempt);
      else busy.push(...shared.map(({ name }) => name));
    }
  }

  /**
   * Accepts the result of an attempt, once. Other answers, and late ones, are refused; the same answer gets the same
   * result. One that crashed is held, unless it is of a submission.
   */
  async acceptAttemptResultOnce(attempt: string, result: AttemptResult, sha256: string): Promise<Result<AttemptEnd>> {
    const { store } = this.#run;
    const before = this.findAttemptEndByDigest(attempt, sha256);
    if (before !== null) return ok(before);
    const claim = store.getClaimOrThrow(attempt);
    const status = this.#run.status();
    if (claim.state === 'answered') return refuse('attempt-over', 'the claim was answered already');
    if (claim.state === 'expired') return refuse('attempt-over', 'the claim ran out before the answer came');
    if (isOver(status)) return refuse('attempt-over', `the evaluation is ${status}`);
    const { crashed } = result;
    const isCrash = crashed === true && result.fault === null;
    if (isCrash && this.#run.creation().submission === null) return ok(this.#holdCrashedAttempt(claim, result, sha256));
    const endOf = (after: EvaluationCase): AttemptEnd => {
      const made = after.attempts[result.side];
      return { evaluated: made?.evaluated === true, again: made === undefined, calls: result.trace.steps.length };
    };
    const take = (after: EvaluationCase): void => {
      store.endClaimWithAcceptedResponse(attempt, { sha256, ended: endOf(after) });
      if (isCrash) store.crashes.addFailed({ ...claim, agent: after.agent });
    };
    const after = await this.#commit(claim, result, take);
    return ok({ ...endOf(after), ...this.#progressOfAgent(after.agent) });
  }

  #progressOfAgent(agent: string): Pick<AttemptEnd, 'progress'> {
    const { attempts, madeByAgent } = this.#run.progress();
    if (madeByAgent === undefined) return {};
    return { progress: { made: madeByAgent[agent] ?? 0, of: attempts / this.#run.creation().agents.length } };
  }

  /** Keeps what the gateway saw of an attempt that crashed; its case waits. */
  #holdCrashedAttempt(claim: Claim, result: AttemptResult, sha256: string): AttemptEnd {
    const { store } = this.#run;
    const { attempt, evaluated, side } = claim;
    const ended: AttemptEnd = { evaluated: false, again: false, held: true, calls: result.trace.steps.length };
    const { agent } = store.getCaseOrThrow(evaluated);
    this.#run.transaction(() => {
      store.endClaimWithAcceptedResponse(attempt, { sha256, ended });
      store.crashes.hold({ attempt, evaluated, side, agent, result });
      store.setCaseWorker(evaluated, 'crashed');
      this.#run.emit([{ type: 'attempt.crashed', attempt, case: evaluated, side }]);
    });
    return { ...ended, ...this.#progressOfAgent(agent) };
  }

  /** Puts held attempts back into the queue, or scores them with an empty response. Repeating it finds none. */
  async settleCrashes({ do: what, agent }: CrashSettlement): Promise<Result<SettledCrashes>> {
    const { agents } = this.#run.creation();
    if (agent !== undefined && findExternalAgent(agents, agent) === null) return refuseUnknownAgent(agents, agent);
    const { store } = this.#run;
    for (let attempts = 0; ; attempts += 1) {
      const held = isOver(this.#run.status()) ? null : store.crashes.findNextHeld(agent);
      if (held === null) return ok({ attempts });
      if (what === 'fail') {
        const claim = store.getClaimOrThrow(held.attempt);
        await this.#commit(claim, held.result, () => this.#settleHeldCrash(held, 'failed'));
      } else
        this.#run.transaction(() => {
          this.#settleHeldCrash(held, 'retried');
          store.setCaseWorker(held.evaluated, 'client');
        });
    }
  }

  #settleHeldCrash({ attempt, evaluated, side }: HeldCrash, as: 'retried' | 'failed'): void {
    this.#run.store.crashes.settle(attempt, as);
    this.#run.emit([{ type: 'attempt.settled', attempt, case: evaluated, side, as }]);
  }

  #commit(claim: Claim, result: AttemptResult, more: (after: EvaluationCase) => void): Promise<EvaluationCase> {
    const isAfterCrash = this.#run.store.crashes.wasRetried(claim.evaluated, claim.side);
    return this.#run.commit(claim, isAfterCrash ? { ...result, isAfterCrash } : result, more);
  }

  /** Returns everything that the gateway needs for an attempt. */
  getToolsAndServers(attempt: string): AttemptBasis {
    const { evaluated, side } = this.#run.store.getClaimOrThrow(attempt);
    const { servers, agents, config, judge } = this.#run.creation();
    const { store } = this.#run;
    const found = store.getCaseOrThrow(evaluated);
    const { unit } = store.getUnitAndSubIntentPlanOrThrow(found.unit);
    const request = requestTextOrThrow(unit, side);
    const user = config.user === 'answer' ? { judge, request, seed: config.seed } : null;
    return {
      servers,
      tools: this.#run.mountings.listMountedToolsOfCase(evaluated),
      overlay: findExternalAgent(agents, found.agent)?.overlay,
      user,
    };
  }

  /** Logs a request to an attempt's endpoint without its token. */
  recordTokenlessRequest(attempt: string): void {
    if (!isOver(this.#run.status())) this.#run.emit([{ type: 'attempt.intruded', attempt }]);
  }

  /** Returns the result of an attempt that ended with this response; null if it did not. */
  findAttemptEndByDigest(attempt: string, sha256: string): AttemptEnd | null {
    const { store } = this.#run;
    const taken = store.findAcceptedResponse(attempt);
    if (taken?.sha256 !== sha256) return null;
    const { agent } = store.getCaseOrThrow(store.getClaimOrThrow(attempt).evaluated);
    return { ...taken.ended, ...this.#progressOfAgent(agent) };
  }

  /**
   * Returns an attempt whose claim expired to the queue. At the third expiry (in a submission at the first) the agent
   * has used up its time.
   */
  async expireClaim(attempt: string, result: AttemptResult): Promise<void> {
    const { store } = this.#run;
    const claim = store.getClaimOrThrow(attempt);
    if (claim.state !== 'open') return;
    if (isOver(this.#run.status())) return store.setClaimState(attempt, 'expired');
    const { evaluated, side } = claim;
    const expire = (): void => {
      store.setClaimState(attempt, 'expired');
      this.#run.emit([{ type: 'attempt.expired', attempt, case: evaluated, side }]);
    };
    const isSubmitted = this.#run.creation().submission !== null;
    if (store.countExpiredClaims(evaluated, side) + 1 >= maxExpiredClaims(isSubmitted)) {
      await this.#commit(claim, { ...result, fault: null }, expire);
      return;
    }
    this.#run.transaction(() => {
      expire();
      store.setCaseWorker(evaluated, 'client');
    });
  }

  /**
   * Takes back an attempt whose client ends it without a response. One that made no call is as if nobody had claimed it; any other one, and each of a
   * submission, of which every claim is a try, counts as expired.
   */
  async giveBackClaim(attempt: string, result: AttemptResult): Promise<GivenBack> {
    const { store } = this.#run;
    const claim = store.getClaimOrThrow(attempt);
    const isUntouched = this.#run.creation().submission === null && result.trace.steps.length === 0;
    const { evaluated, side, state } = claim;
    if (state === 'open' && isUntouched && !isOver(this.#run.status())) {
      this.#run.transaction(() => {
        store.setClaimState(attempt, 'given-back');
        this.#run.emit([{ type: 'attempt.given-back', attempt, case: evaluated, side }]);
        store.setCaseWorker(evaluated, 'client');
      });
    } else await this.expireClaim(attempt, result);
    return { again: !isOver(this.#run.status()) && waitsForAttemptAtRequest(store.getCaseOrThrow(evaluated), side) };
  }

  /** Ends what clients still work on when the evaluation is over, so that nobody waits for the turns of such attempts. Idempotent. */
  async abandonOpenAttempts(): Promise<void> {
    this.#run.store.crashes.deleteHeldTraces();
    const open = this.#run.store.listOpenClaims();
    await Promise.all(
      open.map(async ({ attempt }) => {
        await this.#run.attempts.getByName(attempt).endAsEvaluationIsOver();
        await this.#run.turns.endTurnsOfAttempt(attempt);
        this.#run.store.setClaimState(attempt, 'expired');
      }),
    );
  }

  /**
   * Opens the objects of running attempts, because a crash may have come between a claim and its attempt, which alone
   * watches the deadline: all of them, or those whose deadline has passed.
   */
  async reopenAttemptObjects(all: boolean): Promise<void> {
    if (isOver(this.#run.status())) return;
    const open = this.#run.store.listOpenClaims().filter(({ deadline }) => all || Date.parse(deadline) < Date.now());
    await Promise.all(open.map((claim) => this.#openAttemptAndMakeClaimAnswer(claim)));
  }

  async #openAttemptAndMakeClaimAnswer({ attempt, evaluated, side, deadline, state }: Claim): Promise<ClaimAnswer> {
    const { id, workspace, serversOf, config, agents } = this.#run.creation();
    const claimed = this.#run.store.getCaseOrThrow(evaluated);
    const agent = findExternalAgent(agents, claimed.agent);
    if (agent === null) throw new Error(`${claimed.agent} is no external agent`);
    if (state === 'open') {
      const { recording, recordingId = null } = config;
      await this.#run.attempts.getByName(attempt).openAttemptOrRestoreAlarm({
        id: attempt,
        run: id,
        workspace,
        serversOf: serversOf ?? workspace,
        unit: claimed.unit,
        side,
        place: recordedAttemptName(claimed, side),
        deadline,
        callTimeoutMs: agent.limits.callTimeoutMs,
        recording,
        recordingId,
        hasTurn: this.#run.turns.listSharedServersOfCase(evaluated).length > 0,
        at: new Date().toISOString(),
      });
    }
    const { unit } = this.#run.store.getUnitAndSubIntentPlanOrThrow(claimed.unit);
    return { kind: 'claimed', attempt, request: requestTextOrThrow(unit, side), deadline };
  }
}

const findExternalAgent = (agents: readonly StoredAgent[], name: string) => {
  const found = agents.find((agent) => agent.name === name);
  return found?.loop === 'external' ? found : null;
};

function refuseUnknownAgent(agents: readonly StoredAgent[], name: string): Result<never> {
  const names = agents.flatMap((agent) => (agent.loop === 'external' ? [agent.name] : [])).join(', ') || 'none';
  return refuse('not-found', `there is no external agent ${name} in it; it has ${names}`);
}
