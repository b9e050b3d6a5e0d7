import { RpcTarget } from 'cloudflare:workers';
import type { Sight } from '#core/access/access.ts';
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
import { strangerLease, workerLease, type Lease } from '#core/evaluation/lease.ts';
import type { CrashSettlement, SettledCrashes } from '#core/evaluation/crashes.ts';
import type { StoredAgent } from '#core/evaluation/config.ts';
import { recordedAttemptName } from '#core/evaluation/new-cases.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { AttemptBasis, ClaimedAttempt } from '#durable-objects/shared/objects.ts';
import type { ObjectsOf } from '#durable-objects/shared/rpc.ts';
import type { HeldCrash } from './crashes-table.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import type { EvaluationLanes } from './evaluation-lanes.ts';
import { refuseUnlessSeesUnits, type EvaluationLife } from './evaluation-life.ts';
import type { EvaluationMountings } from './evaluation-mountings.ts';
import type { EvaluationRests } from './evaluation-rests.ts';
import type { EvaluationTurns } from './evaluation-turns.ts';
import type { Claim, EvaluationStore } from './evaluation-store.ts';

/** An attempt ends its own turns; they run out this long after its deadline if it cannot. */
const turnAfterDeadlineMs = 5 * 60_000;

/** Hands out attempts of external agents, accepts their results, and takes them back when their time is over. */
export class EvaluationClaims extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;
  readonly #lanes: EvaluationLanes;
  readonly #rests: EvaluationRests;
  readonly #mountings: EvaluationMountings;
  readonly #turns: EvaluationTurns;
  readonly #attempts: ObjectsOf<ClaimedAttempt>;

  constructor(of: {
    readonly store: EvaluationStore;
    readonly life: EvaluationLife;
    readonly cases: EvaluationCases;
    readonly lanes: EvaluationLanes;
    readonly rests: EvaluationRests;
    readonly mountings: EvaluationMountings;
    readonly turns: EvaluationTurns;
    readonly attempts: ObjectsOf<ClaimedAttempt>;
  }) {
    super();
    this.#store = of.store;
    this.#life = of.life;
    this.#cases = of.cases;
    this.#lanes = of.lanes;
    this.#rests = of.rests;
    this.#mountings = of.mountings;
    this.#turns = of.turns;
    this.#attempts = of.attempts;
  }

  /** Claims an attempt under the id that the caller generated. The same `key` returns the same attempt. */
  async claimAttempt(
    request: { agent: string; attempt: string; key: string | null; heartbeat?: boolean },
    sight: Sight,
  ): Promise<Result<ClaimAnswer>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const { agents } = this.#life.creation;
    const agent = findExternalAgent(agents, request.agent);
    if (agent === null) return refuseUnknownAgent(agents, request.agent);
    const known = request.key === null ? null : this.#store.findClaimByKey(request.key);
    if (known !== null) return ok(await this.#openAttemptAndMakeClaimAnswer(known));
    await this.#cases.startNextUnitsIfRestDone();
    const again = request.key === null ? null : this.#store.findClaimByKey(request.key);
    if (again !== null) return ok(await this.#openAttemptAndMakeClaimAnswer(again));
    const status = this.#life.standing.status;
    if (isOver(status)) return ok({ kind: 'finished' });
    const { attempt, key } = request;
    const untilMs = Date.now() + agent.limits.timeMs + turnAfterDeadlineMs;
    const id = status === 'running' ? await this.#findNextCaseIdAndTakeItsTurn(request, untilMs) : null;
    const meanwhile = key === null ? null : this.#store.findClaimByKey(key);
    if (meanwhile !== null) {
      await this.#turns.endTurnsOfAttempt(attempt);
      return ok(await this.#openAttemptAndMakeClaimAnswer(meanwhile));
    }
    if (id === null && !this.#store.hasUnfinishedClientWork(request.agent)) return ok({ kind: 'finished' });
    if (id === null) return ok({ kind: 'wait', retryAfterMs: waitBeforeNextClaimMs(this.#life.quietMs ?? 0) });
    const { stage } = this.#store.getCaseOrThrow(id);
    if (stage.kind !== 'attempt') throw new Error(`case ${id} is not at an attempt`);
    const deadline = new Date(Date.now() + agent.limits.timeMs).toISOString();
    const lease = this.#chooseLease(id, request.heartbeat === true);
    const claim: Claim = { attempt, evaluated: id, side: stage.side, deadline, state: 'open', lease };
    this.#life.transaction(() => {
      this.#store.storeNewClaim(claim, key);
      this.#store.setCaseWorker(id, 'claimed');
      this.#life.emit([{ type: 'attempt.claimed', attempt, case: id, side: stage.side, deadline }]);
    });
    return ok(await this.#openAttemptAndMakeClaimAnswer(claim));
  }

  /** Returns how long an attempt of a case is held without a sign of life; null if to its deadline. */
  #chooseLease(id: string, promisesHeartbeat: boolean): Lease | null {
    if (this.#turns.isOfStranger) return this.#turns.listSharedServersOfCase(id).length > 0 ? strangerLease : null;
    return promisesHeartbeat ? workerLease : null;
  }

  /**
   * Returns the next case of an agent whose attempt has its turn at the servers that attempts share; null if there is none, or
   * other attempts use its servers.
   */
  async #findNextCaseIdAndTakeItsTurn(
    { agent, attempt }: { readonly agent: string; readonly attempt: string },
    untilMs: number,
  ): Promise<string | null> {
    const busy: string[] = [];
    for (;;) {
      const find = (): string | null =>
        this.#store.findNextClientCaseId(agent, [...this.#rests.listRestingServers(), ...busy]);
      const id = find();
      const shared = id === null ? [] : this.#turns.listSharedServersOfCase(id);
      if (shared.length === 0) return id;
      if (shared.some(({ name }) => busy.includes(name))) return null;
      const urls = shared.map(({ url }) => url);
      const isTurn = await this.#turns.takeTurnsNowIfFree(attempt, urls, untilMs);
      // Another claim may have taken the case meanwhile.
      if (isTurn && find() === id) return id;
      if (isTurn) await this.#turns.endTurnsOfAttempt(attempt);
      else busy.push(...shared.map(({ name }) => name));
    }
  }

  /**
   * Accepts the result of an attempt, once. Other answers, and late ones, are refused; the same answer gets the same
   * result. One that crashed is held, unless it is of a submission.
   */
  async acceptAttemptResultOnce(attempt: string, result: AttemptResult, sha256: string): Promise<Result<AttemptEnd>> {
    const before = this.findAttemptEndByDigest(attempt, sha256);
    if (before !== null) return ok(before);
    const claim = this.#store.getClaimOrThrow(attempt);
    const status = this.#life.standing.status;
    if (claim.state === 'answered') return refuse('attempt-over', 'the claim was answered already');
    if (claim.state === 'given-back') return refuse('attempt-over', 'the attempt was given back');
    if (claim.state === 'expired') return refuse('attempt-over', 'the claim ran out before the answer came');
    if (isOver(status)) return refuse('attempt-over', `the evaluation is ${status}`);
    const { crashed } = result;
    const isCrash = crashed === true && result.fault === null;
    const isHeld = isCrash && this.#life.creation.submission === null;
    if (isHeld || this.#waitsForModel(result)) {
      const ended = isHeld
        ? this.#holdCrashedAttempt(claim, result, sha256)
        : this.#putBackUntilModelAnswers(claim, result, sha256);
      await this.#cases.endRunIfFinishedOrSpent();
      return ok(ended);
    }
    const endOf = (after: EvaluationCase): AttemptEnd => {
      const made = after.attempts[result.side];
      return { evaluated: made?.evaluated === true, again: made === undefined, calls: result.trace.steps.length };
    };
    const take = (after: EvaluationCase): void => {
      this.#store.endClaimWithAcceptedResponse(attempt, { sha256, ended: endOf(after) });
      if (isCrash) this.#store.crashes.addFailed({ ...claim, agent: after.agent });
    };
    const after = await this.#commit(claim, result, take);
    return ok({ ...endOf(after), ...this.#progressOfAgent(after.agent) });
  }

  #progressOfAgent(agent: string): Pick<AttemptEnd, 'progress'> {
    const { attempts, madeByAgent } = this.#life.standing.progress;
    if (madeByAgent === undefined) return {};
    return { progress: { made: madeByAgent[agent] ?? 0, of: attempts / this.#life.creation.agents.length } };
  }

  /** Returns whether the run was paused because the endpoint of the agent's model refused: the attempt is made again once somebody has corrected that. */
  #waitsForModel({ fault }: AttemptResult): boolean {
    return this.#life.standing.status === 'paused' && fault?.where === 'model' && fault.name === 'agent';
  }

  #putBackUntilModelAnswers(claim: Claim, result: AttemptResult, sha256: string): AttemptEnd {
    const ended: AttemptEnd = { evaluated: false, again: true, calls: result.trace.steps.length };
    this.#life.transaction(() => {
      this.#store.endClaimWithAcceptedResponse(claim.attempt, { sha256, ended });
      this.#cases.recordCallsOfUncommittedAttempt(claim.evaluated, result);
      this.#store.setCaseWorker(claim.evaluated, 'client');
    });
    return ended;
  }

  /** Keeps what the gateway saw of an attempt that crashed; its case waits. */
  #holdCrashedAttempt(claim: Claim, result: AttemptResult, sha256: string): AttemptEnd {
    const { attempt, evaluated, side } = claim;
    const ended: AttemptEnd = { evaluated: false, again: false, held: true, calls: result.trace.steps.length };
    const { agent } = this.#store.getCaseOrThrow(evaluated);
    this.#life.transaction(() => {
      this.#store.endClaimWithAcceptedResponse(attempt, { sha256, ended });
      this.#cases.recordCallsOfUncommittedAttempt(evaluated, result);
      this.#store.crashes.hold({ attempt, evaluated, side, agent, result });
      this.#store.setCaseWorker(evaluated, 'crashed');
      this.#life.emit([{ type: 'attempt.crashed', attempt, case: evaluated, side }]);
    });
    return { ...ended, ...this.#progressOfAgent(agent) };
  }

  /** Puts held attempts back into the queue, or scores them with an empty response. Repeating it finds none. */
  async settleCrashes({ do: what, agent }: CrashSettlement, sight: Sight): Promise<Result<SettledCrashes>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const { agents } = this.#life.creation;
    if (agent !== undefined && findExternalAgent(agents, agent) === null) return refuseUnknownAgent(agents, agent);
    for (let attempts = 0; ; attempts += 1) {
      const held = isOver(this.#life.standing.status) ? null : this.#store.crashes.findNextHeld(agent);
      if (held === null) return ok({ attempts });
      if (what === 'fail') {
        const claim = this.#store.getClaimOrThrow(held.attempt);
        await this.#commit(claim, held.result, () => this.#settleHeldCrash(held, 'failed'));
      } else
        this.#life.transaction(() => {
          this.#settleHeldCrash(held, 'retried');
          this.#store.setCaseWorker(held.evaluated, 'client');
        });
    }
  }

  #settleHeldCrash({ attempt, evaluated, side }: HeldCrash, as: 'retried' | 'failed'): void {
    this.#store.crashes.settle(attempt, as);
    this.#life.emit([{ type: 'attempt.settled', attempt, case: evaluated, side, as }]);
  }

  /** Commits the result of an attempt with everything that belongs to it, and has it judged. */
  async #commit(
    { attempt, evaluated, side }: Claim,
    result: AttemptResult,
    more: (after: EvaluationCase) => void,
  ): Promise<EvaluationCase> {
    const isAfterCrash = this.#store.crashes.wasRetried(evaluated, side);
    const after = await this.#cases.commitResultAndEndWhatIsDone(
      this.#store.getCaseOrThrow(evaluated),
      isAfterCrash ? { ...result, isAfterCrash } : result,
      more,
    );
    await this.#lanes.startJudgingShardOfAttemptIfDue(attempt, after);
    return after;
  }

  /** Returns everything that the gateway needs for an attempt. */
  getToolsAndServers(attempt: string): AttemptBasis {
    const { evaluated, side } = this.#store.getClaimOrThrow(attempt);
    const { servers, agents, config, judge } = this.#life.creation;
    const found = this.#store.getCaseOrThrow(evaluated);
    const { unit } = this.#store.getUnitAndSubIntentPlanOrThrow(found.unit);
    const request = requestTextOrThrow(unit, side);
    const user = config.user === 'answer' ? { judge, request, seed: config.seed } : null;
    return {
      servers,
      tools: this.#mountings.listMountedToolsOfCase(evaluated),
      overlay: findExternalAgent(agents, found.agent)?.overlay,
      weather: { seed: config.seed, trial: found.trial, chain: unit.chain, payloads: config.disturb?.payloads },
      user,
    };
  }

  /** Logs a request to an attempt's endpoint without its token. */
  recordTokenlessRequest(attempt: string): void {
    if (!isOver(this.#life.standing.status)) this.#life.emit([{ type: 'attempt.intruded', attempt }]);
  }

  /** Returns the result of an attempt that ended with this response; null if it did not. */
  findAttemptEndByDigest(attempt: string, sha256: string): AttemptEnd | null {
    const taken = this.#store.findAcceptedResponse(attempt);
    if (taken?.sha256 !== sha256) return null;
    const { agent } = this.#store.getCaseOrThrow(this.#store.getClaimOrThrow(attempt).evaluated);
    return { ...taken.ended, ...this.#progressOfAgent(agent) };
  }

  /**
   * Returns an attempt whose claim expired to the queue. At the third expiry (in a submission at the first) the agent
   * has used up its time.
   */
  async expireClaim(attempt: string, result: AttemptResult): Promise<void> {
    const claim = this.#store.getClaimOrThrow(attempt);
    if (claim.state !== 'open') return;
    if (isOver(this.#life.standing.status)) return this.#store.setClaimState(attempt, 'expired');
    const { evaluated, side } = claim;
    const expire = (): void => {
      this.#store.setClaimState(attempt, 'expired');
      this.#life.emit([{ type: 'attempt.expired', attempt, case: evaluated, side }]);
    };
    const isSubmitted = this.#life.creation.submission !== null;
    if (this.#store.countExpiredClaims(evaluated, side) + 1 >= maxExpiredClaims(isSubmitted)) {
      await this.#commit(claim, { ...result, fault: null }, expire);
      return;
    }
    this.#life.transaction(() => {
      expire();
      this.#cases.recordCallsOfUncommittedAttempt(evaluated, result);
      this.#store.setCaseWorker(evaluated, 'client');
    });
    if (result.calls.length > 0) await this.#cases.endRunIfFinishedOrSpent();
  }

  /**
   * Takes back an attempt whose client ends it without a response. One that made no call is as if nobody had claimed it; any other one, and each of a
   * submission, of which every claim is a try, counts as expired.
   */
  async giveBackClaim(attempt: string, result: AttemptResult): Promise<GivenBack> {
    const claim = this.#store.getClaimOrThrow(attempt);
    const isUnused = result.trace.steps.length === 0 && result.calls.length === 0;
    const isUntouched = this.#life.creation.submission === null && isUnused;
    const { evaluated, side, state } = claim;
    if (state === 'open' && isUntouched && !isOver(this.#life.standing.status)) {
      this.#life.transaction(() => {
        this.#store.setClaimState(attempt, 'given-back');
        this.#life.emit([{ type: 'attempt.given-back', attempt, case: evaluated, side }]);
        this.#store.setCaseWorker(evaluated, 'client');
      });
    } else await this.expireClaim(attempt, result);
    return {
      again:
        !isOver(this.#life.standing.status) && waitsForAttemptAtRequest(this.#store.getCaseOrThrow(evaluated), side),
    };
  }

  /** Ends what clients still work on when the evaluation is over, so that nobody waits for the turns of such attempts. Idempotent. */
  async abandonOpenAttempts(): Promise<void> {
    this.#store.crashes.deleteHeldTraces();
    const open = this.#store.listOpenClaims();
    await Promise.all(
      open.map(async ({ attempt }) => {
        await this.#attempts.getByName(attempt).endAsEvaluationIsOver();
        await this.#turns.endTurnsOfAttempt(attempt);
        this.#store.setClaimState(attempt, 'expired');
      }),
    );
  }

  /**
   * Opens the objects of running attempts, because a crash may have come between a claim and its attempt, which alone
   * watches the deadline: all of them, or those whose deadline has passed.
   */
  async reopenAttemptObjects(all: boolean): Promise<void> {
    if (isOver(this.#life.standing.status)) return;
    const open = this.#store.listOpenClaims().filter(({ deadline }) => all || Date.parse(deadline) < Date.now());
    await Promise.all(open.map((claim) => this.#openAttemptAndMakeClaimAnswer(claim)));
  }

  async #openAttemptAndMakeClaimAnswer({
    attempt,
    evaluated,
    side,
    deadline,
    state,
    lease,
  }: Claim): Promise<ClaimAnswer> {
    const { id, workspace, serversOf, config, agents } = this.#life.creation;
    const claimed = this.#store.getCaseOrThrow(evaluated);
    const agent = findExternalAgent(agents, claimed.agent);
    if (agent === null) throw new Error(`${claimed.agent} is no external agent`);
    if (state === 'open') {
      const { recording, recordingId = null } = config;
      await this.#attempts.getByName(attempt).openAttemptOrRestoreAlarm({
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
        hasTurn: this.#turns.listSharedServersOfCase(evaluated).length > 0,
        lease,
        at: new Date().toISOString(),
      });
    }
    const { unit } = this.#store.getUnitAndSubIntentPlanOrThrow(claimed.unit);
    const models = agent.models?.map(({ model }) => model);
    const request = requestTextOrThrow(unit, side);
    return { kind: 'claimed', attempt, request, deadline, leaseMs: lease?.ms, ...(models && { models }) };
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
