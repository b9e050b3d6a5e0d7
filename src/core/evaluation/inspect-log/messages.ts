import type { Route, Step, Trace } from '#core/traces/trace.ts';

/** A call or a search in the order of issue, with the result as the agent saw it. */
interface Act {
  readonly turn: number;
  readonly call: ReturnType<typeof makeToolCall>;
  readonly answer: ReturnType<typeof makeStepAnswer> | ReturnType<typeof makeRouteAnswer>;
}

/** Returns the conversation of an attempt in the form of a log of Inspect AI: the request, the calls of each turn with their results, the answer. */
export function makeInspectMessages(request: string, trace: Trace, model: string) {
  const turns = Map.groupBy(listCallsAndSearchesInOrder(trace), ({ turn }) => turn);
  return [
    { role: 'user' as const, content: request, source: 'input' as const },
    ...[...turns.values()].flatMap((acts) => [
      { ...assistantMessage('', model), tool_calls: acts.map(({ call }) => call) },
      ...acts.map(({ call, answer }) => ({
        role: 'tool' as const,
        tool_call_id: call.id,
        function: call.function,
        ...answer,
      })),
    ]),
    ...(trace.finalText === '' ? [] : [assistantMessage(trace.finalText, model)]),
  ];
}

/** Returns what a model said without calls. */
export const assistantMessage = (content: string, model: string) => ({
  role: 'assistant' as const,
  content,
  source: 'generate' as const,
  model,
});

/** A search says how many steps came before it. */
function listCallsAndSearchesInOrder({ steps, routes = [], textsDeleted }: Trace): Act[] {
  const kept = textsDeleted === undefined;
  const searchesBefore = (place: number): Act[] =>
    routes.flatMap((route, at) => (route.after === place ? [makeActOfRoute(route, at + 1)] : []));
  return [
    ...steps.flatMap((step, at) => [...searchesBefore(at), makeActOfStep(step, at + 1, kept)]),
    ...searchesBefore(steps.length),
  ];
}

const makeActOfStep = (step: Step, number: number, isTextKept: boolean): Act => ({
  turn: step.turn,
  call: makeToolCall(
    `call-${number}`,
    step.tool,
    step.arguments ?? {},
    step.arguments === null && isTextKept ? 'not a JSON object, or longer than a trace keeps' : undefined,
  ),
  answer: makeStepAnswer(step),
});

const makeActOfRoute = (route: Route, number: number): Act => ({
  turn: route.turn,
  call: makeToolCall(`route-${number}`, 'route', { query: route.query, server: route.server }),
  answer: makeRouteAnswer(route),
});

const makeToolCall = (id: string, name: string, given: Readonly<Record<string, unknown>>, problem?: string) => ({
  id,
  function: name,
  arguments: given,
  type: 'function' as const,
  parse_error: problem,
});

/** The agent saw a summary in place of a long result. */
const makeStepAnswer = (step: Step) => ({
  content: step.summary ?? step.text,
  error: step.outcome === 'success' ? undefined : makeToolError(step),
  metadata: {
    outcome: step.outcome,
    failure: step.failure,
    reported: step.reported,
    cause: step.cause,
    fault: step.fault ?? undefined,
    code: step.code,
    form: step.form,
    truncated: step.truncated,
    result: step.summary === undefined ? undefined : step.text,
    sha256: step.sha256,
    asked: step.asked,
    turn: step.turn,
    latencyMs: step.latencyMs,
  },
});

const makeRouteAnswer = ({ problem, tools, turn, latencyMs }: Route) => ({
  content: problem ?? JSON.stringify(tools),
  error: problem === undefined ? undefined : { type: 'unknown' as const, message: problem },
  metadata: { turn, latencyMs },
});

const makeToolError = (step: Step) => ({
  type: findToolErrorType(step),
  message: step.text === '' ? (step.fault?.detail ?? 'the call failed') : step.text,
});

function findToolErrorType({
  arguments: given,
  fault,
  failure,
}: Step): 'parsing' | 'timeout' | 'permission' | 'unknown' {
  if (fault !== null) return fault.code === 'timeout' ? 'timeout' : 'unknown';
  if (given === null) return 'parsing';
  const decided = failure !== null && failure.source !== 'undecided' ? failure.class : null;
  return decided === 'access-policy-rejection' || decided === 'authentication-deficit' ? 'permission' : 'unknown';
}
