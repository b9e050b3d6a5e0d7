import { deriveEffect, isEffectWithinLimit, type AllowedEffect } from '#core/catalog/effect.ts';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import { findingBy, type CheckFinding } from '#core/reports/check/finding.ts';
import { listedTool, type ListedServer, type ListedTool } from '#core/reports/check/listed-tool.ts';
import type { Answer } from '#core/reports/check/probes/answer.ts';
import { answerText, isSuccess, resultValue, steadyText } from '#core/reports/check/probes/answer.ts';
import { withoutSharedSurroundings } from '#core/reports/check/probes/plain-calls.ts';
import { findTwins, type SampledTool } from '#core/reports/check/probes/find-twins.ts';
import { KnownValues } from '#core/reports/check/probes/known-values.ts';
import type { ProbedTool, ProbeOptions } from '#core/reports/check/probes/probe.ts';
import { compareEnds, median } from '#core/reports/check/probes/probe-load.ts';
import { probeTool } from '#core/reports/check/probes/probe-tool.ts';
import { explainsChange, subjectOf } from '#core/reports/check/probes/tool-purpose.ts';
import { argumentsOf } from '#core/reports/check/probes/sample-arguments.ts';
import type { CheckedTool } from '#core/reports/check/report.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { mapInParallel } from '../map-in-parallel.ts';
import type { ServerEntry } from '../serve/server-file.ts';
import { probeMemory } from './probe-memory.ts';
import { probeProtocol } from './probe-protocol.ts';
import { openCheckSession, type CheckSession } from './session.ts';

/** How long a call may take. */
const callMs = 10_000;
/** Milliseconds of answers that each tool may use. */
const toolBudgetMs = 12_000;
/** Calls that take longer are not repeated for comparisons. */
const quickMs = 500;
const mostWitnesses = 3;
/** Characters of an answer that are kept for a look at what it speaks of. */
const answerChars = 4_000;
/** Calls that take longer are too few in the time that a look at the memory may take. */
const leakMs = 15;
/** Tools that are probed at the same time, each in a session of its own. */
const atOnce = 3;

/** What a check of one server saw. */
export interface ProbedServer {
  readonly listed: ListedServer;
  readonly tools: readonly CheckedTool[];
  readonly findings: readonly CheckFinding[];
  readonly notes: readonly string[];
  /** What plain calls were answered, by `server/tool`. */
  readonly answers: ReadonlyMap<string, string>;
  /** Calls with good arguments that succeeded; the tool by its name on the server. */
  readonly samples: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}

export interface ProbeServerOptions {
  readonly allows: AllowedEffect;
  /** Whether nothing is called. */
  readonly static: boolean;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Lists the tools of a server and probes those that may be called. Rejects if the server does not start. */
export async function probeServer(entry: ServerEntry, options: ProbeServerOptions): Promise<ProbedServer> {
  const noise: Noise[] = [];
  const { signal } = options;
  const open = async (tool?: string): Promise<CheckSession> => {
    signal.throwIfAborted();
    return openCheckSession(entry, { onNoise: (line) => noise.push({ tool, line }), signal });
  };
  const first = await open();
  try {
    const { tools, loops } = await listTools(first);
    const listed = { name: entry.name, instructions: first.instructions, tools };
    const callable = tools.filter((tool) => isEffectWithinLimit(deriveEffect(tool), options.allows));
    options.progress(
      `${entry.name}: ${countWithNoun(tools.length, 'tool')}${options.static ? '' : `, of which ${callable.length} may be called`}`,
    );
    const called =
      options.static || callable.length === 0
        ? { findings: [], probed: new Map<string, ProbedTool>() }
        : await callTools(entry, { open, first, callable, progress: options.progress });
    const left = options.static ? [] : tools.filter((tool) => !callable.includes(tool));
    return {
      listed,
      tools: tools.map((tool) => describeTool(entry.name, tool, called.probed.get(tool.name))),
      findings: [
        ...(loops ? [loopFinding(entry.name)] : []),
        ...called.findings,
        ...listNoiseFindings(entry.name, noise, called.probed.size),
      ],
      notes: [...unsettledNotes(entry.name, called), ...leftOutNotes(left, options.allows)],
      samples: [...called.probed].flatMap(([tool, { samples }]) =>
        samples.map((sample) => ({ tool, arguments: sample.arguments })),
      ),
      answers: new Map(
        [...called.probed].map(([name, { samples }]) => [
          `${entry.name}/${name}`,
          samples.map(({ answer }) => answerText(answer).slice(0, answerChars)).join('\n'),
        ]),
      ),
    };
  } finally {
    await first.close();
  }
}

async function listTools(session: CheckSession): Promise<{ tools: ListedTool[]; loops: boolean }> {
  const { tools, loops } = await session.list();
  const parsed = tools.flatMap((each) => {
    const tool = listedTool.safeParse(each);
    return tool.success ? [tool.data] : [];
  });
  return { tools: [...new Map(parsed.map((tool) => [tool.name, tool])).values()], loops };
}

/** Opens a session; what its server writes beside messages is noted as said while that tool was called. */
type OpenSession = (tool?: string) => Promise<CheckSession>;

interface CallToolsOptions {
  readonly open: OpenSession;
  readonly first: CheckSession;
  readonly callable: readonly ListedTool[];
  readonly progress: (line: string) => void;
}

/** What calls of the tools of a server showed. */
interface CalledTools {
  readonly findings: readonly CheckFinding[];
  readonly probed: ReadonlyMap<string, ProbedTool>;
}

async function callTools(
  entry: ServerEntry,
  { open, first, callable, progress }: CallToolsOptions,
): Promise<CalledTools> {
  const server = entry.name;
  const secrets = entry.kind === 'stdio' ? secretsOf(entry.env) : [];
  const probed = new Map<string, ProbedTool>();
  const known = new KnownValues();
  const protocol = await probeProtocol(entry);
  const unknown = await probeUnknownTool(server, first);
  const witnesses = await learnValues(first, callable, known);
  // Processes that write may share what they write to.
  const lanes = callable.every((tool) => deriveEffect(tool) === 'reads') ? atOnce : 1;
  await mapInParallel(callable, lanes, async (tool) => {
    progress(`${server}: calls ${makePrintableLine(tool.name)}`);
    const mayChange = deriveEffect(tool) !== 'reads';
    probed.set(tool.name, await runProbes(open, { server, tool, known, budgetMs: toolBudgetMs, secrets, mayChange }));
  });
  const changed = await watchState(server, open, { callable, probed, witnesses });
  const twins = await compareTools(server, open, callable, probed);
  const found = withoutSharedSurroundings(callable.flatMap((tool) => probed.get(tool.name)?.findings ?? []));
  return { findings: [...protocol, ...unknown, ...found, ...changed, ...twins], probed };
}

const loopFinding = (server: string): CheckFinding =>
  findingBy('paging-loops', {
    server,
    sentence: 'the list of its tools has no end: a cursor comes back',
    proposal: 'leave `nextCursor` out of the last page',
  });

/** A line that is no message of the protocol, and the tool that was called in its session, if there was one. */
interface Noise {
  readonly tool: string | undefined;
  readonly line: string;
}

/** Some tools alone write such lines when they are called, and each has a finding then; else the server writes them, and has one. */
function listNoiseFindings(server: string, all: readonly Noise[], probed: number): CheckFinding[] {
  const noise = all.filter(({ tool }) => tool !== undefined);
  const tools = new Set(noise.map(({ tool }) => tool));
  const [first] = all;
  if (first === undefined) return [];
  if (tools.size === 0 || tools.size === probed) return [noiseFinding(server, { ...first, tool: undefined })];
  return [...new Map(noise.toReversed().map((each) => [each.tool, each])).values()].map((each) =>
    noiseFinding(server, each),
  );
}

const noiseFinding = (server: string, { tool, line }: Noise): CheckFinding =>
  findingBy('writes-to-stdout', {
    server,
    ...(tool === undefined ? {} : { tool: `${server}/${tool}` }),
    sentence:
      tool === undefined
        ? 'it writes to its standard output what is no message of the protocol'
        : 'its calls make the server write to its standard output what is no message of the protocol',
    evidence: [line],
    proposal: 'write logs to standard error: `console.error`, or a logger with `stderr`',
  });

/** Names tools of which nothing can be said but how they refuse, unless a finding says why. */
const unsettledNotes = (server: string, { probed, findings }: CalledTools): string[] =>
  [...probed].flatMap(([name, { unsettled }]) =>
    unsettled === null ||
    findings.some(
      ({ tool, rule }) => tool === `${server}/${name}` && (rule === 'lists-unknown-tool' || rule === 'always-fails'),
    )
      ? []
      : [`${server}/${name}: no call succeeded, so only refusals were judged; it says: ${unsettled.slice(0, 160)}`],
  );

const leftOutNotes = (left: readonly ListedTool[], allows: AllowedEffect): string[] =>
  left.length === 0
    ? []
    : [
        `not called, because they may do more than "${allows}" allows (see --allow): ${left.map(({ name }) => name).join(', ')}`,
      ];

/** Returns what is known of a tool, with the times of its calls if it was called. */
export function describeTool(server: string, tool: ListedTool, probed?: ProbedTool): CheckedTool {
  const times = (probed?.times ?? []).toSorted((one, other) => one - other);
  return {
    tool: `${server}/${tool.name}`,
    effect: deriveEffect(tool),
    tokens: estimateTokens(JSON.stringify(tool)),
    calls: probed?.calls ?? 0,
    p50Ms: times.length === 0 ? null : median(times),
    p95Ms: times[Math.max(0, Math.ceil(times.length * 0.95) - 1)] ?? null,
  };
}

/** Values of the environment whose names say that they are secret. */
const secretsOf = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    /key|token|secret|passw|credential/i.test(name) && value.length >= 6 ? [value] : [],
  );

async function probeUnknownTool(server: string, session: CheckSession): Promise<CheckFinding[]> {
  const answer = await session.call('no_such_tool_zz', {}, callMs);
  if (!isSuccess(answer)) return [];
  return [
    findingBy('unknown-tool-accepted', {
      server,
      sentence: 'a call of a tool that does not exist succeeds',
      call: { tool: 'no_such_tool_zz', arguments: {}, answer: answerText(answer) },
      proposal: 'answer with a JSON-RPC error, code -32602, that names the tools there are',
    }),
  ];
}

/**
 * Calls what needs no arguments, so that ids of real things are known before tools ask for them. Returns those that answer quickly: they
 * show later whether a call has changed something.
 */
async function learnValues(
  session: CheckSession,
  tools: readonly ListedTool[],
  known: KnownValues,
): Promise<ListedTool[]> {
  const quick: ListedTool[] = [];
  for (const tool of tools) {
    if (argumentsOf(tool).some(({ required }) => required) || session.isOver()) continue;
    const answer = await session.call(tool.name, {}, callMs);
    if (!isSuccess(answer)) continue;
    known.add(resultValue(answer), subjectOf(tool));
    if (answer.ms < quickMs && !explainsChange(tool)) quick.push(tool);
  }
  return quick.slice(0, mostWitnesses);
}

interface Watched {
  readonly callable: readonly ListedTool[];
  readonly probed: ReadonlyMap<string, ProbedTool>;
  readonly witnesses: readonly ListedTool[];
}

/** Calls each tool that declares that it only reads between two looks at what other tools say, and returns those after which they say something else. */
async function watchState(
  server: string,
  open: () => Promise<CheckSession>,
  { callable, probed, witnesses }: Watched,
): Promise<CheckFinding[]> {
  const found: CheckFinding[] = [];
  const watched = callable.flatMap((tool) => {
    const sample = probed.get(tool.name)?.samples[0];
    return sample === undefined || sample.answer.ms >= quickMs || deriveEffect(tool) !== 'reads'
      ? []
      : [{ tool, sample }];
  });
  if (witnesses.length === 0 || watched.length === 0) return [];
  const session = await open();
  try {
    for (const { tool, sample } of watched) {
      for (const witness of witnesses) {
        if (witness === tool || session.isOver()) continue;
        const look = (): Promise<Answer> => session.call(witness.name, {}, callMs);
        const before = [await look(), await look(), await look()];
        // What changes by itself, or by being looked at, shows nothing.
        if (new Set(before.map(steadyText)).size > 1) continue;
        const answer = await session.call(tool.name, sample.arguments, callMs);
        const [after, still] = [await look(), await look()];
        const isChanged = steadyText(after) !== before.map(steadyText)[0] && steadyText(after) === steadyText(still);
        if (!isSuccess(answer) || !isSuccess(after) || !isChanged) continue;
        found.push(
          findingBy('state-changed', {
            server,
            tool: `${server}/${tool.name}`,
            sentence: `it declares that it only reads, and after a call ${witness.name} answers something else`,
            evidence: [`before: ${before.map(answerText)[0] ?? ''}`, `after: ${answerText(after)}`],
            call: { tool: tool.name, arguments: sample.arguments, answer: answerText(answer) },
            proposal: 'declare `readOnlyHint: false`, or let it leave everything as it is',
          }),
        );
        break;
      }
    }
    return found;
  } finally {
    await session.close();
  }
}

/** Makes the calls that the probes of a tool ask for; a session that has ended is opened again. */
async function runProbes(open: OpenSession, options: ProbeOptions): Promise<ProbedTool> {
  const { name } = options.tool;
  let session = await open(name);
  try {
    const probes = probeTool(options);
    let step = probes.next();
    while (step.done !== true) {
      const { calls, atOnce: isAtOnce } = step.value;
      const answers: Answer[] = [];
      for (const group of isAtOnce === true ? [calls] : calls.map((each) => [each])) {
        if (session.isOver()) {
          await session.close();
          session = await open(name);
        }
        answers.push(...(await Promise.all(group.map((given) => session.call(name, given, callMs)))));
      }
      step = probes.next(answers);
    }
    const leak = options.mayChange ? null : await findLeak(session, step.value, options);
    const found = leak === null ? step.value : { ...step.value, findings: [...step.value.findings, leak] };
    return await withConfirmedSlowdown(open, name, found);
  } finally {
    await session.close();
  }
}

/** Leaves out that a tool slows down unless it does so again from a new session on: it may have been the machine. */
async function withConfirmedSlowdown(open: OpenSession, name: string, probed: ProbedTool): Promise<ProbedTool> {
  const [sample] = probed.samples;
  if (sample === undefined || probed.findings.every(({ rule }) => rule !== 'slows-down')) return probed;
  const session = await open(name);
  try {
    const times: number[] = [];
    for (let count = 0; count < probed.calls && !session.isOver(); count += 1)
      times.push((await session.call(name, sample.arguments, callMs)).ms);
    if (compareEnds(times).isSlower) return probed;
    return { ...probed, findings: probed.findings.filter(({ rule }) => rule !== 'slows-down') };
  } finally {
    await session.close();
  }
}

/** Repeats a call that succeeded while it looks at the memory of the server's process; null if that does not grow and grow. */
async function findLeak(
  session: CheckSession,
  { samples, times }: ProbedTool,
  { server, tool }: ProbeOptions,
): Promise<CheckFinding | null> {
  const [sample] = samples;
  if (sample === undefined || session.pid === null || session.isOver() || median(times) > leakMs) return null;
  const growth = await probeMemory(session.pid, async () => {
    const answer = await session.call(tool.name, sample.arguments, callMs);
    if (!isSuccess(answer)) throw new Error(answerText(answer));
  });
  if (growth === null) return null;
  const { calls, megabytesBefore, megabytesAfter } = growth;
  return findingBy('leaks-memory', {
    server,
    tool: `${server}/${tool.name}`,
    sentence: `the memory of the server grew from ${Math.round(megabytesBefore)} to ${Math.round(megabytesAfter)} MB with ${calls} calls`,
    call: { tool: tool.name, arguments: sample.arguments, answer: answerText(sample.answer) },
    proposal: 'look for what keeps each result: a cache, a list, listeners',
  });
}

async function compareTools(
  server: string,
  open: () => Promise<CheckSession>,
  tools: readonly ListedTool[],
  probed: ReadonlyMap<string, ProbedTool>,
): Promise<CheckFinding[]> {
  const sampled = tools.flatMap((tool): SampledTool[] => {
    const of = probed.get(tool.name);
    return of === undefined || of.samples.length === 0 || median(of.times) > 1_000 || deriveEffect(tool) !== 'reads'
      ? []
      : [{ tool, samples: of.samples }];
  });
  if (sampled.length < 2) return [];
  const session = await open();
  try {
    const twins = findTwins(server, sampled);
    let step = twins.next();
    while (step.done !== true) step = twins.next(await session.call(step.value.tool, step.value.arguments, callMs));
    return step.value;
  } finally {
    await session.close();
  }
}
