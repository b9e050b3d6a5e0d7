import { deriveEffect, isEffectWithinLimit, type AllowedEffect } from '#core/catalog/effect.ts';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import { findingBy, type CheckFinding } from '#core/reports/check/finding.ts';
import { listedTool, type ListedServer, type ListedTool } from '#core/reports/check/listed-tool.ts';
import type { Answer } from '#core/reports/check/probes/answer.ts';
import { answerText, isSuccess, resultValue } from '#core/reports/check/probes/answer.ts';
import { findTwins, type SampledTool } from '#core/reports/check/probes/find-twins.ts';
import { KnownValues } from '#core/reports/check/probes/known-values.ts';
import { median, probeTool, subjectOf, type ProbedTool } from '#core/reports/check/probes/probe-tool.ts';
import { argumentsOf } from '#core/reports/check/probes/sample-arguments.ts';
import type { CheckedTool } from '#core/reports/check/report.ts';
import type { ServerEntry } from '../serve/server-file.ts';
import { openCheckSession, type CheckSession } from './session.ts';

/** How long a call may take. */
const callMs = 10_000;
/** Milliseconds of answers that each tool may use. */
const toolBudgetMs = 12_000;
/** Tools that are probed at the same time, each in a session of its own. */
const atOnce = 3;

/** What a check of one server saw. */
export interface ProbedServer {
  readonly listed: ListedServer;
  readonly tools: readonly CheckedTool[];
  readonly findings: readonly CheckFinding[];
  readonly notes: readonly string[];
}

export interface ProbeServerOptions {
  readonly allows: AllowedEffect;
  /** Whether nothing is called. */
  readonly static: boolean;
  readonly progress: (line: string) => void;
}

/** Lists the tools of a server and probes those that may be called. Rejects if the server does not start. */
export async function probeServer(entry: ServerEntry, options: ProbeServerOptions): Promise<ProbedServer> {
  const noise: string[] = [];
  const open = (): Promise<CheckSession> => openCheckSession(entry, { onNoise: (line) => noise.push(line) });
  const first = await open();
  const { tools: raw, loops } = await first.list();
  const tools = raw.flatMap((each) => {
    const parsed = listedTool.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
  const unique = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
  options.progress(`${entry.name}: ${unique.length} tools`);
  const findings: CheckFinding[] = [];
  const server = entry.name;
  if (loops)
    findings.push(
      findingBy('paging-loops', {
        server,
        sentence: 'the list of its tools has no end: a cursor comes back',
        proposal: 'leave `nextCursor` out of the last page',
      }),
    );
  const callable = unique.filter((tool) => isEffectWithinLimit(effectOf(tool), options.allows));
  const probed = new Map<string, ProbedTool>();
  const notes: string[] = [];
  try {
    if (!options.static && callable.length > 0) {
      findings.push(...(await probeUnknownTool(server, first)));
      const secrets = entry.kind === 'stdio' ? secretsOf(entry.env) : [];
      const known = new KnownValues();
      await learnValues(first, callable, known);
      await mapAtOnce(callable, atOnce, async (tool) => {
        options.progress(`${entry.name}: calls ${tool.name}`);
        probed.set(tool.name, await runProbes(open, { server, tool, known, budgetMs: toolBudgetMs, secrets }));
      });
      findings.push(...(await compareTools(server, open, callable, probed)));
    }
  } finally {
    await first.close();
  }
  for (const tool of callable) {
    const of = probed.get(tool.name);
    findings.push(...(of?.findings ?? []));
    if (of !== undefined && of.unsettled !== null)
      notes.push(
        `${server}/${tool.name}: no call succeeded, so only refusals were judged; it says: ${of.unsettled.slice(0, 160)}`,
      );
  }
  if (noise[0] !== undefined)
    findings.push(
      findingBy('writes-to-stdout', {
        server,
        sentence: 'it writes to its standard output what is no message of the protocol',
        evidence: [noise[0]],
        proposal: 'write logs to standard error: `console.error`, or a logger with `stderr`',
      }),
    );
  const left = unique.filter((tool) => !callable.includes(tool));
  if (!options.static && left.length > 0)
    notes.push(
      `not called, because they may do more than "${options.allows}" allows (see --allow): ${left.map(({ name }) => name).join(', ')}`,
    );
  return {
    listed: { name: server, instructions: first.instructions, tools: unique },
    tools: unique.map((tool) => describe(server, tool, probed.get(tool.name))),
    findings,
    notes,
  };
}

const effectOf = (tool: ListedTool): ReturnType<typeof deriveEffect> => deriveEffect(tool);

function describe(server: string, tool: ListedTool, probed: ProbedTool | undefined): CheckedTool {
  const times = (probed?.times ?? []).toSorted((one, other) => one - other);
  return {
    tool: `${server}/${tool.name}`,
    effect: effectOf(tool),
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

/** Calls what needs no arguments, so that ids of real things are known before tools ask for them. */
async function learnValues(session: CheckSession, tools: readonly ListedTool[], known: KnownValues): Promise<void> {
  for (const tool of tools) {
    if (argumentsOf(tool).some(({ required }) => required) || session.isOver()) continue;
    const answer = await session.call(tool.name, {}, callMs);
    if (isSuccess(answer)) known.add(resultValue(answer), subjectOf(tool));
  }
}

/** Makes the calls that the probes of a tool ask for; a session that has ended is opened again. */
async function runProbes(
  open: () => Promise<CheckSession>,
  options: Parameters<typeof probeTool>[0],
): Promise<ProbedTool> {
  let session = await open();
  const { name } = options.tool;
  const call = async (given: Parameters<CheckSession['call']>[1]): Promise<Answer> => {
    if (session.isOver()) {
      await session.close();
      session = await open();
    }
    return session.call(name, given, callMs);
  };
  try {
    const probes = probeTool(options);
    let step = probes.next();
    while (step.done !== true) {
      const answers: Answer[] = [];
      if (step.value.atOnce === true) answers.push(...(await Promise.all(step.value.calls.map(call))));
      else for (const given of step.value.calls) answers.push(await call(given));
      step = probes.next(answers);
    }
    return step.value;
  } finally {
    await session.close();
  }
}

async function compareTools(
  server: string,
  open: () => Promise<CheckSession>,
  tools: readonly ListedTool[],
  probed: ReadonlyMap<string, ProbedTool>,
): Promise<CheckFinding[]> {
  const sampled = tools.flatMap((tool): SampledTool[] => {
    const of = probed.get(tool.name);
    return of === undefined || of.samples.length === 0 || median(of.times) > 1_000
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

async function mapAtOnce<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
}
