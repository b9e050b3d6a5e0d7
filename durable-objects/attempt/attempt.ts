import { DurableObject } from 'cloudflare:workers';
import type { RequestId } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { findCallRefusal } from '#agents/refused-call.ts';
import { makeAbandonedCallStep, cutFinalText, makeSentStep, type Arguments } from '#agents/steps.ts';
import { classifyCallsByRules } from '#adapters/mcp/failure-rules.ts';
import { answerMcpRequest, type GatewayCallOptions } from '#adapters/mcp/gateway-server.ts';
import { makeRecordedConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayedConnections } from '#adapters/mcp/replayed-connections.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import { connectToStoredServers } from '#adapters/mcp/stored-servers.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeGovernorsByName } from '#adapters/network/fresh-governors.ts';
import { computeAttemptToken } from '#adapters/secrets/attempt-tokens.ts';
import { isEqualInConstantTime } from '#adapters/secrets/keys.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import { listShownInstructions, type ShownInstructions } from '#core/catalog/shown-instructions.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import type { AttemptResult } from '#core/evaluation/case.ts';
import { sha256Hex } from '#core/canonical.ts';
import { maxAttemptCalls, acceptedResponse, type AttemptEnd, type AcceptedResponse } from '#core/evaluation/claim.ts';
import {
  readCallsForReplay,
  replaceRecordedCalls,
  type RecordedCall,
  type RecordingStore,
} from '#core/evaluation/recording.ts';
import type { ServerReply } from '#core/server-reply.ts';
import type { InfrastructureFault } from '#core/faults.ts';
import { findAttemptFault, spoiltCallText, stepsWithFaultsAsFailures } from '#core/traces/spoilt-call.ts';
import { attemptName } from '#core/traceparent.ts';
import { markWritingCalls } from '#core/traces/writes.ts';
import { traceBytes, type Step, type Trace } from '#core/traces/trace.ts';
import { requestName } from '#core/evaluation/case-requests.ts';
import { AttemptStore } from './attempt-store.ts';
import type { EndpointGovernor } from '#durable-objects/endpoint-governor/endpoint-governor.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { Recording } from '#durable-objects/recording/recording.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { invalidParams, makeRefusedStep } from './refused-step.ts';
import { attemptSchema } from './schema.ts';
import { makeTurnsOfWorkspace } from './turns-of-workspace.ts';

interface Env {
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly RECORDING: DurableObjectNamespace<Recording>;
  readonly ENDPOINT_GOVERNOR: DurableObjectNamespace<EndpointGovernor>;
}

const creation = z.object({
  id: z.string(),
  run: z.string(),
  workspace: z.string(),
  /** The workspace where its servers are registered; absent in attempts of earlier versions. */
  serversOf: z.string().optional(),
  unit: z.string(),
  side: requestName,
  /** What a recording calls the attempt. */
  place: z.string(),
  deadline: z.string(),
  callTimeoutMs: z.number(),
  recording: z.enum(['off', 'record', 'replay']),
  recordingId: z.string().nullable(),
  /** Whether it has the turn at servers that attempts share. */
  hasTurn: z.boolean().default(false),
  at: z.string(),
});
export type NewAttempt = z.infer<typeof creation>;

/** `answered` and `expired` are final. */
const state = z.enum(['open', 'answered', 'expired']);

/** The calls of an attempt to its evaluation. */
type AttemptedEvaluation = RpcOf<
  EvaluationRun,
  'getAttemptToolsAndServers' | 'endAttempt' | 'findAttemptEndByDigest' | 'expireClaim' | 'recordTokenlessRequest'
>;

/** What is open for an attempt's calls while this object lives. */
interface Mounted {
  readonly tools: readonly Tool[];
  readonly instructions: readonly ShownInstructions[];
  readonly names: ReadonlySet<string>;
  readonly connections: ServerConnections;
}

/** Delay before the evaluation or recording is asked again to accept the attempt's end. */
const expiryRetryMs = 60_000;
/** Log at most this many intrusions, so a persistent caller cannot flood the log. */
const maxIntrusions = 5;

const internalError = -32603;

/**
 * One attempt of an external agent, behind the recording gateway: it mounts the tools, forwards calls, writes the
 * trace, and ends with the response or at the deadline. Its state outlives a restart, including the servers' sessions.
 */
export class Attempt extends DurableObject<Env> {
  readonly #admission = new Admission();
  readonly #storage: DurableObjectStorage;
  readonly #singletons: SingletonTable;
  readonly #store: AttemptStore;
  readonly #underWay = new Map<RequestId, AbortController>();
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
  }

  /** Opens the attempt. Repeating it only restores a lost alarm. */
  async openOrRestoreAlarm(attempt: NewAttempt): Promise<void> {
    if (this.#readCreation() === null) {
      this.#singletons.write('birth', attempt);
      this.#singletons.write('state', 'open');
    }
    if (this.#singletons.read('state', state) === 'open' && (await this.#storage.getAlarm()) === null)
      await this.#storage.setAlarm(Date.parse(attempt.deadline));
  }

  /** Returns whether a caller with this token may use the endpoint now. */
  async admitOrReportIntrusion(token: string): Promise<Result<null>> {
    const known = this.#readCreation();
    if (known === null) return refuse('unauthorized', 'this is not the token of this attempt');
    const { ENCRYPTION_KEY } = settingsSchema.parse(this.env);
    if (!isEqualInConstantTime(await computeAttemptToken(ENCRYPTION_KEY, known.id), token)) {
      await this.#reportFirstIntrusions(known);
      return refuse('unauthorized', 'this is not the token of this attempt');
    }
    return this.#isOver(known) ? refuse('attempt-over', 'the attempt is over') : ok(null);
  }

  /** Answers an admitted MCP client. */
  override async fetch(request: Request): Promise<Response> {
    const mounted = await this.#mountToolsOnce();
    return answerMcpRequest(request, {
      tools: mounted.tools,
      instructions: mounted.instructions,
      underWay: this.#underWay,
      call: (tool, args, options) => this.#callTool(tool, args, mounted, options),
    });
  }

  /** Ends the attempt with the agent's response. `again`: a fault broke it, and it is back in the queue. */
  async acceptResponse(workspace: string, response: string): Promise<Result<AttemptEnd>> {
    const known = this.#readCreation();
    if (known === null || known.workspace !== workspace) return refuse('not-found', 'there is no such attempt');
    const sha256 = await sha256Hex(response);
    const given = this.#singletons.read('answer', acceptedResponse);
    // A client that missed the acknowledgement repeats its response.
    if (given?.sha256 === sha256) return ok(given.ended);
    if (this.#isOver(known)) {
      // The evaluation may have taken it while this object was killed before it got the answer.
      const ended =
        given === null ? await this.#getEvaluationStub(known).findAttemptEndByDigest(known.id, sha256) : null;
      if (ended !== null) return ok(ended);
      return refuse('attempt-over', 'it was answered already, or its deadline has passed');
    }
    this.#endOpenCalls('The agent ended the attempt before the answer came.');
    this.#isEnding = true;
    try {
      const result = await this.#closeAndMakeResult(known, 'answered', response);
      await this.#storeCallsIfRecording(known);
      const ended = await this.#getEvaluationStub(known).endAttempt(known.id, result, sha256);
      this.#singletons.write('state', 'answered');
      if (ended.ok) this.#singletons.write('answer', { sha256, ended: ended.value } satisfies AcceptedResponse);
      await this.#clear();
      return ended;
    } finally {
      this.#isEnding = false;
    }
  }

  /**
   * The deadline. The platform gives up an alarm after six failures, so it is set again before it can fail for good.
   */
  override async alarm(): Promise<void> {
    const known = this.#readCreation();
    if (known === null || this.#singletons.read('state', state) !== 'open') return;
    try {
      await this.#endAtDeadline(known);
    } catch (error) {
      console.error(JSON.stringify({ attemptNotExpired: known.id, error: String(error) }));
      await this.#storage.setAlarm(Date.now() + expiryRetryMs);
    }
  }

  async #endAtDeadline(known: NewAttempt): Promise<void> {
    this.#endOpenCalls(lateText);
    const result = await this.#closeAndMakeResult(known, 'time-limit', '');
    await this.#storeCallsIfRecording(known);
    await this.#getEvaluationStub(known).expireClaim(known.id, result);
    this.#singletons.write('state', 'expired');
    await this.#clear();
  }

  async #callTool(
    tool: string,
    args: Readonly<Record<string, unknown>> | null,
    { names, connections }: Mounted,
    options: GatewayCallOptions,
  ): Promise<ServerReply> {
    const known = this.#readCreation();
    if (known === null || this.#isEnding || this.#isOver(known))
      return errorReply(internalError, 'the attempt is over');
    const { steps, bytes } = this.#store.countStepsAndBytes();
    const turn = steps + 1;
    if (turn > maxAttemptCalls || bytes > traceBytes)
      return errorReply(internalError, 'the attempt has made all the calls that its trace can hold');
    const refused = findCallRefusal(tool, args, names);
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
        outcome: forwarded.kind === 'fault' ? forwarded : forwarded.outcome,
        latencyMs: latencyMs(),
      });
      if (forwarded.kind === 'answered') return forwarded.answer;
      return errorReply(internalError, spoiltCallText(forwarded.fault));
    } finally {
      // If the platform stopped the call, it stays cut off.
      if (this.#unanswered.delete(turn)) this.#store.storeStep(turn, { ...step, latencyMs: latencyMs() });
    }
  }

  /** If the agent did not wait for an answer, that is the agent's doing, not a fault of the server. */
  #endOpenCalls(text: string): void {
    for (const [turn, { made, begun }] of this.#unanswered)
      this.#store.storeStep(turn, makeAbandonedCallStep({ ...made, text, latencyMs: Math.max(0, Date.now() - begun) }));
    this.#unanswered.clear();
  }

  async #closeAndMakeResult(known: NewAttempt, end: Trace['end'], response: string): Promise<AttemptResult> {
    const steps: Step[] = this.#store.listSteps();
    const unreset = await this.#closeConnections(known);
    const fault = findAttemptFault(steps) ?? unreset;
    const trace: Trace = {
      steps: fault === null ? stepsWithFaultsAsFailures(steps) : steps,
      finalText: cutFinalText(response),
      end: fault === null ? end : 'fault',
      fault,
      turns: steps.length,
      promptTokens: 0,
      completionTokens: 0,
      costUsd: 0,
      durationMs: Math.max(0, Date.now() - Date.parse(known.at)),
      startedAt: known.at,
    };
    const { tools, servers } = await this.#getEvaluationStub(known).getAttemptToolsAndServers(known.id);
    const marked = markWritingCalls(classifyCallsByRules(trace, tools), tools, servers);
    return { kind: 'attempt', side: known.side, trace: marked, fault, calls: [] };
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
    const { tools, servers } = await this.#getEvaluationStub(known).getAttemptToolsAndServers(known.id);
    const names = new Set(tools.map(({ name }) => name));
    const instructions = listShownInstructions(servers, tools);
    return {
      tools,
      instructions,
      names,
      connections: await this.#connectServersOrReplay(known, tools, names, servers),
    };
  }

  /**
   * Continues where a predecessor of this object stopped: with the servers' sessions and the counts of repeated calls.
   */
  async #connectServersOrReplay(
    { id, run, workspace, serversOf = workspace, unit, place, recording, recordingId }: NewAttempt,
    tools: readonly Tool[],
    names: ReadonlySet<string>,
    servers: readonly ServerConnection[],
  ): Promise<ServerConnections> {
    const earlier = this.#store
      .listSteps()
      .flatMap(({ tool, arguments: args }) => (args !== null && names.has(tool) ? [{ tool, arguments: args }] : []));
    if (recording === 'replay') {
      const recorded = await readCallsForReplay(this.#getRecordingOrThrow(recordingId), unit, place);
      const rules = await this.#getRecordingOrThrow(recordingId).redactionRules();
      return makeReplayedConnections(recorded, { attempt: place, tools, rules, earlier });
    }
    const connections = await connectToStoredServers(settingsSchema.parse(this.env), servers, tools, {
      admission: this.#admission,
      governors: makeGovernorsByName(this.env.ENDPOINT_GOVERNOR, this.#admission),
      attempt: attemptName(run, unit, place),
      secrets: (names) => this.env.WORKSPACE.getByName(serversOf).listServerSecrets(names),
      use: {
        attempt: id,
        turns: makeTurnsOfWorkspace(this.env.WORKSPACE, serversOf),
        alreadyUsed: this.#listUsedServers(),
        onUse: (server) => this.#singletons.write('used', [...this.#listUsedServers(), server]),
      },
      resume: this.#store.readSessionsByServer(),
      onSession: (server, session) => this.#store.storeOrDeleteSession(server, session),
    });
    if (recording === 'off') return connections;
    const keep = (call: RecordedCall): void => this.#store.storeRecordedCall(call);
    return makeRecordedConnections(connections, { unit, attempt: place, keep, earlier });
  }

  #listUsedServers(): readonly string[] {
    return this.#singletons.read('used', z.array(z.string())) ?? [];
  }

  async #storeCallsIfRecording({ unit, place, recording, recordingId }: NewAttempt): Promise<void> {
    if (recording === 'record')
      await replaceRecordedCalls(this.#getRecordingOrThrow(recordingId), unit, place, this.#store.recordedCalls());
  }

  #getRecordingOrThrow(id: string | null): RecordingStore {
    if (id === null) throw new Error('the attempt has no recording');
    return this.env.RECORDING.getByName(id);
  }

  /** Closes everything that is still open for it, and returns the fault of a server that could not be reset. */
  async #closeConnections({ hasTurn }: NewAttempt): Promise<InfrastructureFault | null> {
    // Sessions and turns of a predecessor are ended too, so connections are made even if there were none.
    const isUsed = this.#mounting !== null || hasTurn || Object.keys(this.#store.readSessionsByServer()).length > 0;
    if (!isUsed) return null;
    const { connections } = await this.#mountToolsOnce();
    this.#mounting = null;
    return connections.close();
  }

  async #clear(): Promise<void> {
    await this.#storage.deleteAlarm();
    this.#store.deleteRunningData();
  }

  async #reportFirstIntrusions(known: NewAttempt): Promise<void> {
    const intrusions = (this.#singletons.read('intrusions', z.number()) ?? 0) + 1;
    if (intrusions > maxIntrusions) return;
    this.#singletons.write('intrusions', intrusions);
    await this.#getEvaluationStub(known).recordTokenlessRequest(known.id);
  }

  #getEvaluationStub({ run }: NewAttempt): AttemptedEvaluation {
    return this.env.EVALUATION_RUN.getByName(run);
  }

  #readCreation(): NewAttempt | null {
    return this.#singletons.read('birth', creation);
  }

  #isOver({ deadline }: NewAttempt): boolean {
    return this.#singletons.read('state', state) !== 'open' || Date.now() >= Date.parse(deadline);
  }
}

/** The usage of the agent's own model is unknown here. */
const unseen = { turnTokens: null };

/** A call that is forwarded, with its arguments as the trace keeps them. */
interface MadeCall {
  readonly tool: string;
  readonly arguments: Arguments;
  readonly turn: number;
  readonly turnTokens: null;
}

const lateText = 'The deadline came before the answer.';

/** A call in the trace until its server has answered. */
const cutOff = {
  kind: 'fault',
  fault: { where: 'service', name: 'gateway', code: 'connection-lost', detail: 'cut off before an answer came' },
} as const;

const errorReply = (code: number, message: string): ServerReply => ({ kind: 'error', error: { code, message } });
