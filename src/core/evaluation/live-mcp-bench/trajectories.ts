import { z } from 'zod';
import { sha256Hex } from '#core/values/canonical.ts';
import { maxResponseChars } from '../claim.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import { findRuleOfReportedErrorOrNull } from '#core/traces/reported-error.ts';
import { makeStepPartsOfSpoiltCall } from '#core/traces/spoilt-call.ts';
import { excerptChars, routeQueryChars, traceBytes, type Route, type Step, type Trace } from '#core/traces/trace.ts';
import { parsePythonResult } from '#core/benchmarks/formats/live-mcp-bench/python-result.ts';

/** Maximum characters of the arguments of a call, as JSON; longer ones are left out. */
const argumentChars = 32_000;

const call = z.object({
  id: z.string().max(200),
  function: z.object({ name: z.string().max(300), arguments: z.string().max(1_000_000) }),
});
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system') }),
  z.object({ role: z.literal('user') }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().max(1_000_000).nullish(),
    tool_calls: z.array(call).max(100).nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string().max(200), content: z.string().max(1_000_000) }),
]);

/**
 * What LiveMCPBench's harness writes for a task (`baseline/output/*.json`): the task, the conversation, and the response. Its
 * evaluator reads the calls of `execute-tool` and the last message without calls.
 */
const trajectory = z.object({
  task_id: z.string().min(1).max(100),
  response: z.string().max(1_000_000).default(''),
  messages: z.array(message).max(2_000),
});

/** A file of trajectories; each is read by itself. */
export const publishedTrajectories = z.array(z.unknown()).max(10_000);

/** A trajectory as a trace, or why there is none, at its place in the file, from 1. */
export interface ReadTrajectory {
  readonly at: number;
  /** Null if nobody knows. */
  readonly task: string | null;
  readonly trace: Result<Trace, string>;
}

/** Returns the name of a tool on a server as the benchmark has it; as it is written if the benchmark lacks it. */
type NameTool = (server: string, tool: string) => string;

/** Reads each trajectory by itself: what cannot be read is neither success nor failure, and takes no other with it. */
export function parseTrajectories(published: readonly unknown[], nameTool: NameTool): Promise<ReadTrajectory[]> {
  return Promise.all(
    published.map(async (each, index) => {
      const at = index + 1;
      const parsed = trajectory.safeParse(each);
      if (parsed.success)
        return { at, task: parsed.data.task_id, trace: await parseTrajectoryTrace(parsed.data, nameTool) };
      const named = z.object({ task_id: z.string().max(100) }).safeParse(each);
      const [issue] = parsed.error.issues;
      const problem = `wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
      return { at, task: named.success ? named.data.task_id : null, trace: err(problem) };
    }),
  );
}

/** Returns a function that finds tools regardless of case, spaces and punctuation in the names of their servers. */
export function makeToolNamer(tools: readonly { readonly name: string; readonly server: string }[]): NameTool {
  const keyOf = (server: string, tool: string): string =>
    `${server.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')}/${tool}`;
  const names = new Map(tools.map(({ name, server }) => [keyOf(server, name.slice(server.length + 1)), name]));
  return (server, tool) => names.get(keyOf(server, tool)) ?? firstCharacters(`${server}/${tool}`, 300);
}

async function parseTrajectoryTrace(
  { response, messages }: z.infer<typeof trajectory>,
  nameTool: NameTool,
): Promise<Result<Trace, string>> {
  const results = new Map<string, string>();
  for (const each of messages) if (each.role === 'tool') results.set(each.tool_call_id, each.content);
  const [steps, routes]: [Step[], Route[]] = [[], []];
  let turn = 0;
  let finalText = '';
  for (const each of messages) {
    if (each.role !== 'assistant') continue;
    const calls = each.tool_calls ?? [];
    // A model that broke: the harness writes its error as the last message and in the response.
    if (calls.length === 0 && response === `Error: ${each.content ?? ''}`)
      return ok(makeTraceBrokenByModel(steps, routes, turn, response));
    turn += 1;
    if (calls.length === 0) finalText = each.content ?? '';
    for (const { id, function: called } of calls) {
      const written = results.get(id);
      if (called.name === 'route')
        routes.push(parseTrajectoryRoute(called.arguments, written, { after: steps.length, turn }));
      else {
        const step = await parseTrajectoryStep(called, written, { turn, nameTool });
        if (step === null) return err(`the result of call ${id} has a form that is not known`);
        steps.push(step);
      }
    }
  }
  const trace = {
    ...makeTracePartsExceptFinalText(steps, routes, turn),
    finalText: firstCharacters(finalText, maxResponseChars),
  };
  return new TextEncoder().encode(JSON.stringify(trace)).length > traceBytes ? err('it is too long') : ok(trace);
}

const makeTracePartsExceptFinalText = (
  steps: readonly Step[],
  routes: readonly Route[],
  turns: number,
): Omit<Trace, 'finalText'> => ({
  steps: [...steps],
  routes: [...routes],
  end: 'answered',
  fault: null,
  turns,
  // Nobody wrote down what it took.
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  durationMs: 0,
});

const makeTraceBrokenByModel = (
  steps: readonly Step[],
  routes: readonly Route[],
  turns: number,
  response: string,
): Trace => ({
  ...makeTracePartsExceptFinalText(steps, routes, turns),
  finalText: '',
  end: 'fault',
  fault: { where: 'model', name: 'agent', code: 'unreachable', detail: firstCharacters(response, 500) },
});

const executed = z.object({
  server_name: z.string().max(300),
  tool_name: z.string().max(300),
  params: z.record(z.string(), z.unknown()).nullish(),
});

/** Returns the step of a call that is no search; null if its result has a form that is not known. */
async function parseTrajectoryStep(
  { name, arguments: text }: { readonly name: string; readonly arguments: string },
  written: string | undefined,
  { turn, nameTool }: { readonly turn: number; readonly nameTool: NameTool },
): Promise<Step | null> {
  const json = parseJsonWithinLimits(text);
  const asked = name === 'execute-tool' && json.ok ? executed.safeParse(json.value).data : undefined;
  const args = asked?.params ?? null;
  const place = {
    tool: asked === undefined ? name : nameTool(asked.server_name, asked.tool_name),
    arguments: args === null || JSON.stringify(args).length > argumentChars ? null : args,
    turn,
    turnTokens: null,
    latencyMs: 0,
  };
  if (written === undefined) return { ...place, ...withoutResult, text: 'The trajectory has no result of this call.' };
  const result = parsePythonResult(written);
  if (result === null) return null;
  if (result.kind === 'timeout') {
    const fault = { where: 'server', name: asked?.server_name ?? name, code: 'timeout', detail: written } as const;
    return { ...place, ...makeStepPartsOfSpoiltCall(fault), truncated: false, sha256: null, fault };
  }
  if (result.kind === 'not-made')
    return {
      ...place,
      ...failed,
      text: firstCharacters(result.text, excerptChars),
      truncated: false,
      sha256: null,
      fault: null,
    };
  const kept = firstCharacters(result.text, excerptChars);
  // The router says at the beginning of a result that a call failed.
  const isError = result.isError ?? result.text.startsWith('Error executing tool');
  return {
    ...place,
    ...(isError ? failed : outcomeOfResultText(result.text, place)),
    text: kept,
    truncated: result.isCut || kept.length < result.text.length,
    sha256: result.isCut ? null : await sha256Hex(result.text),
    fault: null,
  };
}

const failed = { outcome: 'failure', failure: { source: 'undecided' } } as const;
const withoutResult = {
  outcome: 'failure',
  failure: { source: 'rule', class: 'asynchronous-indeterminacy', rule: 'broken-off' },
  truncated: false,
  sha256: null,
  fault: null,
} as const;

const outcomeOfResultText = (
  text: string,
  { tool, arguments: args }: Pick<Step, 'tool' | 'arguments'>,
): Pick<Step, 'outcome' | 'failure' | 'reported'> => {
  const rule = findRuleOfReportedErrorOrNull(text, tool, args);
  return rule === null
    ? { outcome: 'success', failure: null }
    : { outcome: 'success', failure: { source: 'undecided' }, reported: { rule } };
};

const routed = z.object({ query: z.string().max(100_000) });
const shownTool = /^- server_name: (.{1,150})\n {2}tool_name: (.{1,149})$/gm;

/** Returns a search for tools. Its query has a line for the server and one for the tool, which the harness splits. */
function parseTrajectoryRoute(text: string, written: string | undefined, place: Pick<Route, 'after' | 'turn'>): Route {
  const json = parseJsonWithinLimits(text);
  const query = (json.ok ? routed.safeParse(json.value).data?.query : undefined) ?? '';
  const [, server, tool] = /<tool_assistant>\s*server:([^\n]*)\n\s*tool:([^\n]*)/.exec(query) ?? [];
  const answer = written === undefined ? null : parsePythonResult(written);
  const found = answer?.kind === 'answer' ? answer.text : '';
  return {
    query: firstCharacters((tool ?? query).trim(), routeQueryChars),
    ...(server === undefined ? {} : { server: firstCharacters(server.trim(), routeQueryChars) }),
    tools: Array.from(found.matchAll(shownTool), ([, of = '', name = '']) => ({ name: `${of}/${name}` })),
    ...(answer?.kind === 'answer' ? {} : { problem: 'the search has no result' }),
    ...place,
    latencyMs: 0,
  };
}
