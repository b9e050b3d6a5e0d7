import { sha256Hex } from '#core/values/canonical.ts';
import { serverNameOfToolName, toolNameWithoutServer } from '#core/catalog/tool.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { AttemptRecord } from '#core/evaluation/case.ts';
import type { ShownAgent } from '#core/evaluation/config.ts';
import { recordedAttemptName } from '#core/evaluation/new-cases.ts';
import type { CaseDetail, EvaluationRecord } from '#core/evaluation/record.ts';
import { attemptName, computeTraceIdOfAttempt } from '#core/values/traceparent.ts';
import { findStartMsOrNull } from '#core/traces/attempt-start.ts';
import { isReportedError } from '#core/traces/step-outcome.ts';
import type { Route, Step, Trace } from '#core/traces/trace.ts';
import { type Attributes, type EncodedSpan, type SpanFacts, encodeSpan, spanKind } from './encoding.ts';

/** When something began and ended, in milliseconds after its attempt began. */
interface Times {
  readonly startMs: number;
  readonly endMs: number;
}

interface AttemptTimes {
  readonly attempt: Times;
  /** By turn, from the first. */
  readonly turns: readonly Times[];
  /** By step, in the order of issue. */
  readonly steps: readonly Times[];
  /** By search, in the order of issue. */
  readonly routes: readonly Times[];
}

/**
 * Returns when the turns and calls of an attempt were made, as far as a trace says it. It has the start and the duration of the attempt and
 * how long each call took, but not when a call began. So the calls of a turn start together after it, and the time that calls do not
 * explain is shared equally by the turns. Times are exact for the attempt and for how long calls took; where calls began is an estimate.
 */
export function layOutAttempt(trace: Trace): AttemptTimes {
  const { steps, routes = [] } = trace;
  const turnCount = Math.max(trace.turns, ...steps.map(({ turn }) => turn), ...routes.map(({ turn }) => turn));
  const longest = Array.from({ length: turnCount }, (_, at) =>
    Math.max(0, ...[...steps, ...routes].flatMap(({ turn, latencyMs }) => (turn === at + 1 ? [latencyMs] : []))),
  );
  const called = longest.reduce((sum, ms) => sum + ms, 0);
  const perTurn = turnCount === 0 ? 0 : Math.max(0, trace.durationMs - called) / turnCount;
  let at = 0;
  const turns = longest.map((ms) => {
    const turn = { startMs: at, endMs: at + perTurn };
    at = turn.endMs + ms;
    return turn;
  });
  const afterTurn = ({ turn, latencyMs }: { readonly turn: number; readonly latencyMs: number }): Times => {
    const begun = turns[turn - 1]?.endMs ?? 0;
    return { startMs: begun, endMs: begun + latencyMs };
  };
  return {
    attempt: { startMs: 0, endMs: Math.max(trace.durationMs, at) },
    turns,
    steps: steps.map(afterTurn),
    routes: routes.map(afterTurn),
  };
}

/** The names that OpenTelemetry's GenAI conventions give to providers of models, by the host of their endpoint. */
const providersByHost: Readonly<Record<string, string>> = {
  'api.anthropic.com': 'anthropic',
  'api.cohere.com': 'cohere',
  'api.deepseek.com': 'deepseek',
  'api.groq.com': 'groq',
  'api.mistral.ai': 'mistral_ai',
  'api.openai.com': 'openai',
  'api.perplexity.ai': 'perplexity',
  'api.x.ai': 'x_ai',
  'generativelanguage.googleapis.com': 'gcp.gemini',
};

/** Returns the attributes that name the endpoint of a model; a host without a name in the conventions is its own name. */
export function describeProvider(baseUrl: string) {
  const url = URL.parse(baseUrl);
  if (url === null) return { 'gen_ai.provider.name': 'unknown' };
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  return {
    'gen_ai.provider.name': providersByHost[url.hostname] ?? url.hostname,
    'server.address': url.hostname,
    'server.port': port,
  };
}

/** The evaluation and the agent of a case, and whether requests, arguments, results, answers and reasons are written too. */
export interface TracedRun {
  readonly run: Pick<EvaluationRecord, 'id' | 'createdAt'>;
  readonly agent: ShownAgent;
  readonly withTexts: boolean;
}

/** One attempt, with everything that its spans have in common. */
interface TracedAttempt extends TracedRun {
  readonly name: string;
  readonly traceId: string;
  readonly asked: string;
  readonly attempt: AttemptRecord;
  readonly trace: Trace;
  /** When it began, in milliseconds since 1970. */
  readonly startMs: number;
  readonly times: AttemptTimes;
  readonly place: Attributes;
}

type Span = Omit<SpanFacts, 'traceId' | 'spanId' | 'parentSpanId'> & { readonly key: string };

/**
 * Returns the spans of each attempt of a case, by OpenTelemetry's GenAI conventions (0.1.0): `invoke_agent` for the attempt, `chat` for each
 * turn of a model that Sextant ran, `execute_tool` for each call, with MCP's attributes where it went to a server. The trace's id is that of
 * the `traceparent` which the servers of the attempt saw. Ids follow from the names of run, unit, agent, trial and request: the same
 * attempt always has the same.
 */
export async function makeSpansOfCase(detail: CaseDetail, traced: TracedRun): Promise<EncodedSpan[][]> {
  const attempts = detail.case.requests.flatMap((request) => {
    const [attempt, trace] = [detail.case.attempts[request], detail.traces[request]];
    return attempt === undefined || trace === undefined ? [] : [{ request, attempt, trace }];
  });
  return Promise.all(
    attempts.map(async ({ request, attempt, trace }) => {
      const name = attemptName(traced.run.id, detail.case.unit, recordedAttemptName(detail.case, request));
      return encodeSpans({
        ...traced,
        name,
        traceId: await computeTraceIdOfAttempt(name),
        asked: detail.asked[request] ?? '',
        attempt,
        trace,
        startMs: findStartMsOrNull(trace) ?? Date.parse(traced.run.createdAt),
        times: layOutAttempt(trace),
        place: describePlace(detail, request, traced),
      });
    }),
  );
}

const describePlace = (
  { case: { id, unit, trial } }: CaseDetail,
  request: RequestName,
  { run }: TracedRun,
): Attributes => ({
  'sextant.evaluation': run.id,
  'sextant.case': id,
  'sextant.unit': unit,
  'sextant.trial': trial,
  'sextant.request': request,
});

async function encodeSpans(attempt: TracedAttempt): Promise<EncodedSpan[]> {
  const { traceId, name, trace, startMs, times } = attempt;
  const makeSpanId = async (key: string) => (await sha256Hex(`${name}/${key}`)).slice(0, 16);
  const root = makeAgentSpan(attempt);
  const children: Span[] = [
    ...('model' in attempt.agent ? times.turns.map((at, turn) => makeTurnSpan(attempt, turn + 1, at)) : []),
    ...trace.steps.map((step, at) => makeCallSpan(attempt, step, at)),
    ...(trace.routes ?? []).map((route, at) => makeSearchSpan(attempt, route, at)),
  ];
  const rootId = await makeSpanId(root.key);
  return Promise.all(
    [root, ...children].map(async ({ key, ...span }) => {
      const isRoot = key === root.key;
      const spanId = isRoot ? rootId : await makeSpanId(key);
      return encodeSpan({ ...span, traceId, spanId, parentSpanId: isRoot ? null : rootId }, startMs);
    }),
  );
}

function makeAgentSpan(of: TracedAttempt): Span {
  const { agent, attempt, trace, times, name, place, withTexts, asked } = of;
  const { usage, fault } = attempt;
  return {
    key: 'invoke_agent',
    name: `invoke_agent ${agent.name}`,
    kind: spanKind.internal,
    ...times.attempt,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent.name,
      'gen_ai.conversation.id': name,
      ...describeModel(agent),
      'gen_ai.usage.input_tokens': usage.promptTokens,
      'gen_ai.usage.output_tokens': usage.completionTokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
      'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
      'gen_ai.input.messages': withTexts ? messageAsJson('user', asked) : undefined,
      'gen_ai.output.messages':
        withTexts && trace.finalText !== '' ? messageAsJson('assistant', trace.finalText, 'stop') : undefined,
      'error.type': fault?.code,
      ...place,
      'sextant.loop': agent.loop,
      'sextant.end': trace.end,
      'sextant.disturbance': trace.disturbance?.kind,
      'sextant.cost_usd': { double: usage.costUsd },
      'sextant.times': findStartMsOrNull(trace) === null ? 'unknown' : 'estimated',
    },
    events: makeScoreEvents(of),
    error: fault === null ? null : fault.detail,
  };
}

/** The scores that have a value, as the conventions describe results of evaluations. */
const makeScoreEvents = ({ attempt, times, withTexts }: TracedAttempt) =>
  Object.entries(attempt.scores).flatMap(([key, { value, explanation }]) =>
    value === null
      ? []
      : [
          {
            name: 'gen_ai.evaluation.result',
            atMs: times.attempt.endMs,
            attributes: {
              'gen_ai.evaluation.name': key,
              'gen_ai.evaluation.score.value': { double: value },
              'gen_ai.evaluation.explanation': withTexts && explanation !== '' ? explanation : undefined,
            },
          },
        ],
  );

/** The calls of a turn share its tokens, which are known only together. */
function makeTurnSpan({ agent, trace, place }: TracedAttempt, turn: number, at: Times): Span {
  const tokens = trace.steps.find((step) => step.turn === turn)?.turnTokens ?? undefined;
  return {
    key: `chat ${turn}`,
    name: 'model' in agent ? `chat ${agent.model}` : 'chat',
    kind: spanKind.client,
    ...at,
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...describeModel(agent),
      ...place,
      'sextant.turn': turn,
      'sextant.turn.tokens': tokens,
    },
    error: null,
  };
}

const describeModel = (agent: ShownAgent): Attributes => ({
  'gen_ai.request.model':
    'model' in agent ? agent.model : agent.loop === 'uploaded' ? (agent.configuration.model ?? undefined) : undefined,
  ...('baseUrl' in agent ? describeProvider(agent.baseUrl) : {}),
});

function makeCallSpan({ agent, times, place, withTexts, trace }: TracedAttempt, step: Step, at: number): Span {
  const wasSent = step.form !== 'no-tool' && (step.arguments !== null || trace.textsDeleted !== undefined);
  const type = findErrorType(step);
  const tool = step.form === 'no-tool' ? step.tool : toolNameWithoutServer(step.tool);
  return {
    key: `call ${at + 1}`,
    name: `execute_tool ${tool}`,
    kind: spanKind.internal,
    ...(times.steps[at] ?? times.attempt),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': `call-${at + 1}`,
      'gen_ai.agent.name': agent.name,
      'mcp.method.name': wasSent ? 'tools/call' : undefined,
      'rpc.response.status_code': step.code === undefined ? undefined : String(step.code),
      'error.type': type,
      'gen_ai.tool.call.arguments': withTexts && step.arguments !== null ? JSON.stringify(step.arguments) : undefined,
      'gen_ai.tool.call.result': withTexts ? step.text : undefined,
      ...place,
      'sextant.server': wasSent ? serverNameOfToolName(step.tool) : undefined,
      'sextant.turn': step.turn,
      'sextant.outcome': step.outcome,
      'sextant.failure.class':
        step.failure === null || step.failure.source === 'undecided' ? undefined : step.failure.class,
      'sextant.reported_error': isReportedError(step) ? true : undefined,
      'sextant.spoilt': step.cause === 'environment' ? true : undefined,
      'sextant.disturbed': step.disturbed,
    },
    error: type === undefined ? null : withTexts ? step.text.slice(0, errorChars) : '',
  };
}

/** Characters of a result that the status of a failed call repeats. */
const errorChars = 500;

/** By the conventions for MCP: the code of JSON-RPC, what broke, or `tool_error` for a result that is an error. */
function findErrorType(step: Step): string | undefined {
  if (step.outcome === 'success' && !isReportedError(step)) return undefined;
  if (step.code !== undefined) return String(step.code);
  return step.fault === null ? 'tool_error' : step.fault.code;
}

const makeSearchSpan = ({ agent, times, place, withTexts }: TracedAttempt, route: Route, at: number): Span => ({
  key: `route ${at + 1}`,
  name: 'execute_tool route',
  kind: spanKind.internal,
  ...(times.routes[at] ?? times.attempt),
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'route',
    'gen_ai.tool.call.id': `route-${at + 1}`,
    'gen_ai.agent.name': agent.name,
    'gen_ai.tool.call.arguments': withTexts ? JSON.stringify({ query: route.query, server: route.server }) : undefined,
    ...place,
    'sextant.turn': route.turn,
    'sextant.found': route.tools.length,
  },
  error: null,
});

const messageAsJson = (role: 'user' | 'assistant', content: string, finish?: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }], finish_reason: finish }]);
