import { DurableObject } from 'cloudflare:workers';
import type { RequestId } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { findCallRefusal } from '#agents/refused-call.ts';
import { makeAbandonedCallStep, cutFinalText, makeSentStep, type Arguments } from '#agents/steps.ts';
import { traceWithCallsClassifiedByRules } from '#adapters/mcp/failure-rules.ts';
import { answerMcpRequest, type GatewayCallOptions } from '#adapters/mcp/gateway-server.ts';
import { makeRecordingConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayingConnections } from '#adapters/mcp/replayed-connections.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import { factsBesideOutcome } from '#core/traces/step-outcome.ts';
import { makeLazyConnectionsToStoredServers } from '#adapters/mcp/stored-servers.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeLookupOfGovernorsWithFreshStubs } from '#adapters/network/fresh-governors.ts';
import { makeHostLedgerWithFreshStubs } from '#adapters/network/fresh-hosts.ts';
import { computeAttemptToken } from '#adapters/secrets/attempt-tokens.ts';
import { isEqualInConstantTime } from '#adapters/secrets/keys.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { makeFunctionNames } from '#core/catalog/function-names.ts';
import { listShownInstructions, type ShownInstructions } from '#core/catalog/shown-instructions.ts';
import {
  disturbanceState,
  makeDisturbanceRecord,
  undisturbedState,
  type DisturbanceState,
} from '#core/traces/disturbances/disturbed-calls.ts';
import {
  drawDisturbanceOrNull,
  toolsUnderDisturbance,
  type DrawnDisturbance,
} from '#core/traces/disturbances/drawn-disturbance.ts';
import { makeDisturbedConnections } from '#adapters/mcp/disturbed-connections.ts';
import { listAttackPayloads } from '#adapters/prompts/attack-payloads.ts';
import { applyOverlay, type OverlaidTools } from '#core/evaluation/overlay/apply-overlay.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { AttemptResult } from '#core/evaluation/case.ts';
import { sha256Hex } from '#core/values/canonical.ts';
import {
  acceptedResponse,
  givenBack,
  maxAttemptCalls,
  type AcceptedResponse,
  type AttemptEnd,
  type AttemptResponse,
  type GivenBack,
  type HeartbeatAnswer,
  noSuchAttempt,
} from '#core/evaluation/claim.ts';
import { chooseAlarmAction, renewedUntilMs } from '#core/evaluation/lease.ts';
import type { TurnTaker } from '#core/catalog/isolation/turn-share.ts';
import {
  readCallsForReplay,
  storeRecordedCalls,
  type RecordedCall,
  type RecordingStore,
} from '#core/evaluation/recording.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { countOwnToolCalls, modelCallOfRequest } from '#core/models/gateway/model-request.ts';
import { sumUsageOfCalls } from '#core/models/usage.ts';
import {
  findFaultThatBreaksAttemptOrNull,
  spoiltCallText,
  stepsWithFaultsAsFailures,
} from '#core/traces/spoilt-call.ts';
import { attemptName } from '#core/values/traceparent.ts';
import { traceWithWritingCallsMarked } from '#core/traces/writes.ts';
import { traceBytes, type Step, type Trace } from '#core/traces/trace.ts';
import { AttemptStore } from './attempt-store.ts';
import { makeAttemptUser, readUserUsage } from './attempt-user.ts';
import { findModelFaultOrNull, ModelGateway, type SentModelRequest } from './model-gateway.ts';
import type { EndpointGovernor } from '#durable-objects/endpoint-governor/endpoint-governor.ts';
import type { Consent } from '#durable-objects/consent/consent.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { Recording } from '#durable-objects/recording/recording.ts';
import type { ServerHost } from '#durable-objects/server-host/server-host.ts';
import type { AttemptBasis, AttemptedEvaluation, ClaimedAttempt } from '#durable-objects/shared/objects.ts';
import type { Answers, ObjectsOf, RpcOf } from '#durable-objects/shared/rpc.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { newAttempt, type NewAttempt } from '#durable-objects/shared/new-attempt.ts';
import { errorReply, invalidParams, isRefusedStep, makeRefusedStep } from './refused-step.ts';
import { attemptSchema } from './schema.ts';
import type { Turns } from '#adapters/mcp/shared-servers.ts';

interface Env {
  readonly CONSENT: DurableObjectNamespace<Consent>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
  readonly EVALUATION_RUN: ObjectsOf<AttemptedEvaluation>;
  readonly RECORDING: DurableObjectNamespace<Recording>;
  readonly ENDPOINT_GOVERNOR: DurableObjectNamespace<EndpointGovernor>;
  readonly SERVER_HOST: DurableObjectNamespace<ServerHost>;
}

/** All but `open` are final. */
const state = z.enum(['open', 'answered', 'expired', 'given-back']);

/** Delay before the evaluation or recording is asked again to accept the attempt's end. */
const expiryRetryMs = 60_000;
/** Log at most this many intrusions, so a persistent caller cannot flood the log. */
const maxIntrusions = 5;

const internalError = -32603;

/** A call that is forwarded, with its arguments as the trace keeps them. */
interface MadeCall {
  readonly tool: string;
  readonly arguments: Arguments;
  readonly turn: number;
  readonly turnTokens: null;
}

/** The usage of the agent's own model is unknown here. */
const unseen = { turnTokens: null };

/** A call in the trace until its server has answered. */
const cutOff = {
  kind: 'fault',
  fault: { where: 'service', name: 'gateway', code: 'connection-lost', detail: 'cut off before an answer came' },
} as const;

/** What is open for an attempt's calls while its object lives. */
interface Mounted {
  /** As the agent reads them. */
  readonly shown: OverlaidTools;
  readonly instructions: readonly ShownInstructions[];
  readonly connections: ServerConnections;
}

interface Workspaces {
  getByName(id: string): RpcOf<Workspace, 'takeTurns' | 'endTurns'>;
}

/** Returns the turns of a workspace; each call uses a fresh stub, because one that threw may stay broken. */
const makeTurnsOfWorkspace = (workspaces: Workspaces, id: string, by: TurnTaker): Turns => ({
  take: (attempt, urls, untilMs) => workspaces.getByName(id).takeTurns(attempt, urls, untilMs, undefined, by),
  end: (attempt) => workspaces.getByName(id).endTurns(attempt),
});

/**
 * One attempt of an external agent, behind the recording gateway: it mounts the tools, forwards calls, writes the
 * trace, and ends with the response or at the deadline. Its state outlives a restart, including the servers' sessions.
 */
export class Attempt extends DurableObject<Env> implements Answers<ClaimedAttempt> {
  readonly #admission = new Admission();
  readonly #storage: DurableObjectStorage;
  readonly #singletons: SingletonTable;
  readonly #store: AttemptStore;
  readonly #underWay = new Map<RequestId, AbortController>();
  readonly #models: ModelGateway;
  #mounting: Promise<Mounted> | null = null;
  /** While the attempt ends, its agent may no longer spoil it by calls. */
  #isEnding = false;
  /** Calls that servers have not answered yet, by turn. */
  readonly #unanswered = new Map<number, { readonly made: MadeCall; readonly begun: number }>();

  constructor(objectState: DurableObjectState, env: Env) {
    super(objectState, env);
    migrate(objectState.storage, attemptSchema);
    this.#storage = objectState.storage;
    this.#singletons = new SingletonTable(objectState.storage.sql);
    this.#store = new AttemptStore(objectState.storage.sql);
    this.#models = new ModelGateway({
      store: this.#store,
      settings: () => settingsSchema.parse(env),
      admission: this.#admission,
      governors: makeLookupOfGovernorsWithFreshStubs(env.ENDPOINT_GOVERNOR, this.#admission),
    });
  }

  /** Opens the attempt. Repeating it only restores a lost alarm. */
  async openAttemptOrRestoreAlarm(attempt: NewAttempt): Promise<void> {
    if (this.#readCreation() === null) {
      this.#singletons.write('birth', attempt);
      this.#singletons.write('state', 'open');
      if (attempt.lease !== null) this.#singletons.write('leased', Date.now() + attempt.lease.ms);
    }
    if (this.#singletons.read('state', state) === 'open' && (await this.#storage.getAlarm()) === null)
      await this.#storage.setAlarm(Date.parse(this.#heldUntil(attempt)));
  }

  /** Returns until when it is held without a further sign of life. */
  #heldUntil({ deadline }: NewAttempt): string {
    const leasedUntilMs = this.#singletons.read('leased', z.number());
    return leasedUntilMs === null || leasedUntilMs > Date.parse(deadline)
      ? deadline
      : new Date(leasedUntilMs).toISOString();
  }

  /** Holds the attempt for the whole lease from now on, because its agent has given a sign of life. */
  async #renewLease({ lease: leased, deadline }: NewAttempt): Promise<void> {
    const untilMs = this.#singletons.read('leased', z.number());
    if (leased === null || untilMs === null) return;
    const renewedMs = renewedUntilMs(leased, untilMs, Date.now());
    if (renewedMs === null) return;
    this.#singletons.write('leased', renewedMs);
    await this.#storage.setAlarm(Math.min(renewedMs, Date.parse(deadline)));
  }

  /** Takes a heartbeat of the worker that makes the attempt; it extends only a lease that heartbeats renew. */
  async acceptHeartbeat(workspace: string): Promise<Result<HeartbeatAnswer>> {
    const known = this.#readCreation();
    if (known === null || known.workspace !== workspace) return noSuchAttempt;
    if (this.#isOver(known)) return refuse('attempt-over', 'it was answered already, or its time is over');
    if (known.lease?.renewedBy === 'calls-and-heartbeats') await this.#renewLease(known);
    return ok({ heldUntil: this.#heldUntil(known) });
  }

  /** Refuses a caller with a wrong token, which is also reported as an intrusion, and any caller once the attempt is over. */
  async admitOrReportIntrusion(token: string): Promise<Result<null>> {
    const known = this.#readCreation();
    if (known === null) return refuse('unauthorized', 'this is not the token of this attempt');
    const { ENCRYPTION_KEY } = settingsSchema.parse(this.env);
    if (!isEqualInConstantTime(await computeAttemptToken(ENCRYPTION_KEY, known.id), token)) {
      await this.#reportIntrusionUnlessTooMany(known);
      return refuse('unauthorized', 'this is not the token of this attempt');
    }
    return this.#isOver(known) ? refuse('attempt-over', 'the attempt is over') : ok(null);
  }

  /** Answers an admitted MCP client. */
  override async fetch(request: Request): Promise<Response> {
    const mounted = await this.#mountToolsOnce();
    return answerMcpRequest(request, {
      tools: mounted.shown.tools,
      instructions: mounted.instructions,
      underWay: this.#underWay,
      call: (called, args, options) => this.#callTool(called, args, mounted, options),
    });
  }

  /** Answers a model request of an admitted agent. */
  async answerModelRequest(request: SentModelRequest): Promise<Result<Response>> {
    const known = this.#readCreation();
    if (known === null || this.#isEnding || this.#isOver(known)) return refuse('attempt-over', 'the attempt is over');
    const { models } = this.#getEvaluationStub(known);
    const leftMs = Math.max(1, Date.parse(known.deadline) - Date.now());
    const isOpen = (): boolean => !this.#isEnding && !this.#isOver(known);
    return this.#models.answer(request, { attempt: known.id, leftMs, models, isOpen });
  }

  /** Ends the attempt with the agent's response, or with its crash. `again`: a fault broke it, and it is back in the queue. */
  async acceptResponse(workspace: string, { response, crashed }: AttemptResponse): Promise<Result<AttemptEnd>> {
    const known = this.#readCreation();
    if (known === null || known.workspace !== workspace) return noSuchAttempt;
    const sha256 = crashed === undefined ? await sha256Hex(response) : 'crashed';
    const given = this.#singletons.read('answer', acceptedResponse);
    // A client that missed the acknowledgement repeats its response.
    if (given?.sha256 === sha256) return ok(given.ended);
    if (this.#isOver(known)) {
      // The evaluation may have taken it while this object was killed before it got the answer.
      const ended =
        given === null ? await this.#getEvaluationStub(known).claims.findAttemptEndByDigest(known.id, sha256) : null;
      if (ended !== null) return ok(ended);
      return refuse('attempt-over', 'it was answered already, or its time is over');
    }
    this.#storeOpenCallsAsAbandoned('The agent ended the attempt before the answer came.');
    this.#isEnding = true;
    try {
      const result = await this.#closeConnectionsAndMakeResult(known, 'answered', { response, crashed });
      await this.#copyCallsToRecordingIfOn(known);
      const ended = await this.#getEvaluationStub(known).claims.acceptAttemptResultOnce(known.id, result, sha256);
      this.#singletons.write('state', 'answered');
      if (ended.ok) this.#singletons.write('answer', { sha256, ended: ended.value } satisfies AcceptedResponse);
      await this.#deleteAlarmStepsAndSessions();
      return ended;
    } finally {
      this.#isEnding = false;
    }
  }

  /** Ends the attempt without a response. Repeating it returns the same answer. */
  async giveBack(workspace: string): Promise<Result<GivenBack>> {
    const known = this.#readCreation();
    if (known === null || known.workspace !== workspace) return noSuchAttempt;
    const before = this.#singletons.read('given-back', givenBack);
    if (before !== null) return ok(before);
    if (this.#isOver(known) || this.#isEnding) return refuse('attempt-over', 'it was ended already');
    return ok(await this.#endAsGivenBack(known, givenBackText));
  }

  /** `text` is what open calls were told. */
  async #endAsGivenBack(known: NewAttempt, text: string): Promise<GivenBack> {
    this.#isEnding = true;
    try {
      const result = await this.#closeAndMakeUnansweredResult(known, text);
      const answer = await this.#getEvaluationStub(known).claims.giveBackClaim(known.id, result);
      this.#singletons.write('state', 'given-back');
      this.#singletons.write('given-back', answer);
      await this.#deleteAlarmStepsAndSessions();
      return answer;
    } finally {
      this.#isEnding = false;
    }
  }

  /** Ends the attempt because its evaluation is over, which takes no response any more. */
  async endAsEvaluationIsOver(): Promise<void> {
    const known = this.#readCreation();
    if (known !== null && this.#singletons.read('state', state) === 'open' && !this.#isEnding)
      await this.#endAsExpired(known, 'The evaluation ended before the answer came.');
  }

  /**
   * The deadline, or the end of the lease. The platform gives up an alarm after six failures, so it is set again before it can fail for good.
   */
  override async alarm(): Promise<void> {
    const known = this.#readCreation();
    if (known === null || this.#singletons.read('state', state) !== 'open') return;
    const deadlineMs = Date.parse(known.deadline);
    const action = chooseAlarmAction({
      nowMs: Date.now(),
      deadlineMs,
      leaseMs: known.lease?.ms ?? 0,
      leasedUntilMs: this.#singletons.read('leased', z.number()),
      isBusy: this.#unanswered.size > 0 || this.#isEnding,
    });
    try {
      if (action.kind === 'hold') {
        this.#singletons.write('leased', action.untilMs);
        await this.#storage.setAlarm(Math.min(action.untilMs, deadlineMs));
      } else if (action.kind === 'take-back') await this.#endAsGivenBack(known, noSignText);
      else await this.#endAsExpired(known, lateText);
    } catch (error) {
      console.error(JSON.stringify({ attemptNotExpired: known.id, error: String(error) }));
      await this.#storage.setAlarm(Date.now() + expiryRetryMs);
    }
  }

  async #endAsExpired(known: NewAttempt, text: string): Promise<void> {
    const result = await this.#closeAndMakeUnansweredResult(known, text);
    await this.#getEvaluationStub(known).claims.expireClaim(known.id, result);
    this.#singletons.write('state', 'expired');
    await this.#deleteAlarmStepsAndSessions();
  }

  /** Closes everything, which ends the turns at servers that attempts share. `text` is what open calls were told. */
  async #closeAndMakeUnansweredResult(known: NewAttempt, text: string): Promise<AttemptResult> {
    this.#storeOpenCallsAsAbandoned(text);
    const result = await this.#closeConnectionsAndMakeResult(known, 'time-limit', { response: '' });
    await this.#copyCallsToRecordingIfOn(known);
    return result;
  }

  async #callTool(
    called: string,
    args: Readonly<Record<string, unknown>> | null,
    { shown, connections }: Mounted,
    options: GatewayCallOptions,
  ): Promise<ServerReply> {
    const known = this.#readCreation();
    if (known === null || this.#isEnding || this.#isOver(known))
      return errorReply(internalError, 'the attempt is over');
    await this.#renewLease(known);
    const { steps, bytes } = this.#store.countStepsAndBytes();
    const turn = steps + 1;
    if (turn > maxAttemptCalls || bytes > traceBytes)
      return errorReply(internalError, 'the attempt has made all the calls that its trace can hold');
    const refused = findCallRefusal(called, args, shown.shownNames);
    // From here on only the tool's own name counts, whatever the agent calls it.
    const tool = shown.originalOf(called);
    if (refused !== null) {
      const place = { tool, turn, wasMalformed: args === null };
      this.#store.storeStep(turn, makeRefusedStep(refused, place, connections));
      return errorReply(invalidParams, refused.text);
    }
    const made = { tool, arguments: connections.redactArguments(tool, args ?? {}), turn, ...unseen };
    return this.#forwardAndStoreStep(known, connections, { ...made, sent: args ?? {} }, options);
  }

  async #forwardAndStoreStep(
    known: NewAttempt,
    connections: ServerConnections,
    { sent, ...made }: MadeCall & { readonly sent: Readonly<Arguments> },
    { signal, onProgress, traceparent }: GatewayCallOptions,
  ): Promise<ServerReply> {
    const { turn } = made;
    const begun = Date.now();
    let queuedMs = 0;
    const latencyMs = (): number => Math.max(0, Date.now() - begun - queuedMs);
    // The step is stored before the call is made, so a call that a restart cuts off is in the trace as such.
    let step = makeSentStep({ ...made, outcome: cutOff, latencyMs: 0 });
    this.#store.storeStep(turn, step);
    this.#unanswered.set(turn, { made, begun });
    try {
      const leftMs = Date.parse(known.deadline) - begun;
      const timeoutMs = Math.max(1, Math.min(known.callTimeoutMs, leftMs));
      const forwarded = await connections.forward(made.tool, sent, {
        timeoutMs,
        mostWaitMs: leftMs,
        signal,
        onProgress,
        traceparent,
      });
      queuedMs = forwarded.queuedMs ?? 0;
      if (!this.#unanswered.has(turn)) return errorReply(internalError, 'the attempt is over');
      const isLate = leftMs < known.callTimeoutMs && forwarded.kind === 'fault' && forwarded.fault.code === 'timeout';
      if (signal.aborted || isLate) {
        const text = signal.aborted ? 'The agent broke the call off.' : lateText;
        step = makeAbandonedCallStep({ ...made, text, latencyMs: latencyMs() });
        return errorReply(internalError, text);
      }
      step = makeSentStep({
        ...made,
        outcome: forwarded.kind === 'fault' ? forwarded : { ...forwarded.outcome, ...factsBesideOutcome(forwarded) },
        latencyMs: latencyMs(),
      });
      if (forwarded.kind === 'answered') return forwarded.answer;
      return errorReply(internalError, spoiltCallText(forwarded.fault));
    } finally {
      // If the platform stopped the call, it stays cut off.
      if (this.#unanswered.delete(turn)) {
        this.#store.storeStep(turn, { ...step, latencyMs: latencyMs() });
        await this.#renewLease(known);
      }
    }
  }

  /** If the agent did not wait for an answer, that is the agent's doing, not a fault of the server. */
  #storeOpenCallsAsAbandoned(text: string): void {
    for (const [turn, { made, begun }] of this.#unanswered)
      this.#store.storeStep(turn, makeAbandonedCallStep({ ...made, text, latencyMs: Math.max(0, Date.now() - begun) }));
    this.#unanswered.clear();
  }

  async #closeConnectionsAndMakeResult(
    known: NewAttempt,
    end: Trace['end'],
    { response, crashed }: AttemptResponse,
  ): Promise<AttemptResult> {
    this.#models.cutOffOpenRequests();
    const requests = this.#models.listRequests();
    const calls = requests.map(modelCallOfRequest);
    const { promptTokens, completionTokens, costUsd } = sumUsageOfCalls(calls);
    const steps: Step[] = this.#store.listSteps();
    const unreset = await this.#closeConnectionsAndFindResetFault(known);
    const modelFault = findModelFaultOrNull(requests, crashed === true);
    const fault = findFaultThatBreaksAttemptOrNull(steps) ?? unreset ?? modelFault;
    const trace: Trace = {
      steps: fault === null ? stepsWithFaultsAsFailures(steps) : steps,
      finalText: cutFinalText(response),
      end: fault === null ? end : 'fault',
      fault,
      turns: steps.length,
      promptTokens,
      completionTokens,
      costUsd,
      durationMs: Math.max(0, Date.now() - Date.parse(known.at)),
      startedAt: known.at,
      ...(requests.length === 0 ? {} : { modelRequests: requests }),
    };
    const basis = await this.#getEvaluationStub(known).claims.getToolsAndServers(known.id);
    const { servers, overlay } = basis;
    const drawn = drawDisturbanceOfAttemptOrNull(known, basis);
    const tools = drawn === null ? basis.tools : toolsUnderDisturbance(drawn, basis.tools);
    const classified = traceWithCallsClassifiedByRules(trace, tools);
    const shown = applyOverlay(overlay, tools).tools.map(({ name }) => name);
    const own = countOwnToolCalls(requests, makeFunctionNames(shown).values());
    const marked = {
      ...traceWithWritingCallsMarked(classified, tools, servers),
      ...(Object.keys(own).length === 0 ? {} : { ownToolCalls: own }),
      ...(drawn === null ? {} : { disturbance: makeDisturbanceRecord(drawn, this.#readDisturbanceState()) }),
    };
    const byUser = readUserUsage(this.#singletons);
    return { kind: 'attempt', side: known.side, trace: marked, fault, calls, crashed, ...byUser };
  }

  #mountToolsOnce(): Promise<Mounted> {
    this.#mounting ??= this.#mountTools().catch((error: unknown) => {
      this.#mounting = null;
      throw error;
    });
    return this.#mounting;
  }

  async #mountTools(): Promise<Mounted> {
    const known = this.#readCreation();
    if (known === null) throw new Error('the attempt has not been opened');
    const { user, overlay, ...basis } = await this.#getEvaluationStub(known).claims.getToolsAndServers(known.id);
    const { tools, servers } = basis;
    const names = new Set(tools.map(({ name }) => name));
    const connections = await this.#connectServersOrReplay(known, names, { ...basis, user });
    const drawn = drawDisturbanceOfAttemptOrNull(known, basis);
    const state = {
      read: () => this.#readDisturbanceState(),
      write: (next: DisturbanceState) => this.#singletons.write('disturbance', next),
    };
    return {
      shown: applyOverlay(overlay, drawn === null ? tools : toolsUnderDisturbance(drawn, tools)),
      instructions: listShownInstructions(servers, tools),
      connections: drawn === null ? connections : makeDisturbedConnections(connections, drawn, { state, tools }),
    };
  }

  #readDisturbanceState(): DisturbanceState {
    return this.#singletons.read('disturbance', disturbanceState) ?? undisturbedState;
  }

  /**
   * Continues where a predecessor of this object stopped: with the servers' sessions and the counts of repeated calls.
   */
  async #connectServersOrReplay(
    { id, run, workspace, serversOf = workspace, unit, place, recording, recordingId }: NewAttempt,
    names: ReadonlySet<string>,
    { tools, servers, user }: AttemptBasis,
  ): Promise<ServerConnections> {
    const earlier = this.#store
      .listSteps()
      .filter((step) => !isRefusedStep(step))
      .flatMap(({ tool, arguments: args }) => (args !== null && names.has(tool) ? [{ tool, arguments: args }] : []));
    if (recording === 'replay') {
      const recorded = await readCallsForReplay(this.#getRecordingStubOrThrow(recordingId), unit, place);
      const rules = await this.#getRecordingStubOrThrow(recordingId).redactionRules();
      return makeReplayingConnections(recorded, { attempt: place, tools, rules, earlier });
    }
    const settings = settingsSchema.parse(this.env);
    const governors = makeLookupOfGovernorsWithFreshStubs(this.env.ENDPOINT_GOVERNOR, this.#admission);
    const admission = this.#admission;
    const connections = await makeLazyConnectionsToStoredServers(settings, servers, tools, {
      admission,
      governors,
      hosts: makeHostLedgerWithFreshStubs(this.env.SERVER_HOST, admission),
      workspace: serversOf,
      user: await makeAttemptUser(user, {
        settings,
        admission,
        governors,
        singletons: this.#singletons,
        place: [unit, place],
      }),
      attempt: attemptName(run, unit, place),
      secrets: (names) => this.env.WORKSPACE.getByName(serversOf).listServerSecrets(names),
      consents: (consent) => (spent) => this.env.CONSENT.getByName(consent).giveToken(spent),
      use: {
        attempt: id,
        turns: makeTurnsOfWorkspace(this.env.WORKSPACE, serversOf, serversOf === workspace ? 'owner' : 'stranger'),
        alreadyUsed: this.#readUsedServerNames(),
        onUse: (server) => this.#singletons.write('used', [...this.#readUsedServerNames(), server]),
      },
      resume: this.#store.readSessionsByServer(),
      onSession: (server, session) => this.#store.storeOrDeleteSession(server, session),
    });
    if (recording === 'off') return connections;
    const keep = (call: RecordedCall): void => this.#store.storeRecordedCall(call);
    return makeRecordingConnections(connections, { unit, attempt: place, keep, earlier });
  }

  #readUsedServerNames(): readonly string[] {
    return this.#singletons.read('used', z.array(z.string())) ?? [];
  }

  async #copyCallsToRecordingIfOn({ unit, place, recording, recordingId }: NewAttempt): Promise<void> {
    if (recording === 'record')
      await storeRecordedCalls(this.#getRecordingStubOrThrow(recordingId), unit, place, this.#store.recordedCalls());
  }

  #getRecordingStubOrThrow(id: string | null): RecordingStore {
    if (id === null) throw new Error('the attempt has no recording');
    return this.env.RECORDING.getByName(id);
  }

  /** Closes everything that is still open for it, and returns the fault of a server that could not be reset. */
  async #closeConnectionsAndFindResetFault({ hasTurn }: NewAttempt): Promise<InfrastructureFault | null> {
    // Sessions and turns of a predecessor are ended too, so connections are made even if there were none.
    const isUsed = this.#mounting !== null || hasTurn || Object.keys(this.#store.readSessionsByServer()).length > 0;
    if (!isUsed) return null;
    const { connections } = await this.#mountToolsOnce();
    this.#mounting = null;
    return connections.close();
  }

  async #deleteAlarmStepsAndSessions(): Promise<void> {
    await this.#storage.deleteAlarm();
    this.#store.deleteStepsCallsAndSessions();
  }

  async #reportIntrusionUnlessTooMany(known: NewAttempt): Promise<void> {
    const intrusions = (this.#singletons.read('intrusions', z.number()) ?? 0) + 1;
    if (intrusions > maxIntrusions) return;
    this.#singletons.write('intrusions', intrusions);
    await this.#getEvaluationStub(known).claims.recordTokenlessRequest(known.id);
  }

  #getEvaluationStub({ run }: NewAttempt): AttemptedEvaluation {
    return this.env.EVALUATION_RUN.getByName(run);
  }

  #readCreation(): NewAttempt | null {
    return this.#singletons.read('birth', newAttempt);
  }

  #isOver({ deadline }: NewAttempt): boolean {
    return this.#singletons.read('state', state) !== 'open' || Date.now() >= Date.parse(deadline);
  }
}

/** Returns how an attempt is disturbed, the same each time; null if it is not. */
const drawDisturbanceOfAttemptOrNull = (
  { side, unit }: NewAttempt,
  { weather: { payloads, ...place } }: Pick<AttemptBasis, 'weather'>,
): DrawnDisturbance | null => drawDisturbanceOrNull(side, { ...place, unit }, listAttackPayloads(payloads));

const givenBackText = 'The agent gave the attempt back before the answer came.';
const noSignText = 'The agent gave no sign of life for too long.';
const lateText = 'The deadline came before the answer.';
