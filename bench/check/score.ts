import { needsWork, type CheckFinding } from '#core/reports/check/finding.ts';
import type { RuleId } from '#core/reports/check/rules.ts';
import { z95 } from '#core/statistics/normal.ts';
import { wilsonInterval } from '#core/statistics/wilson.ts';
import type { Fault, FaultKind, UnnamedFault } from '../../tests/fixtures/servers/fixture.ts';
import { kindsOfDefinitions, rulesOfFaults } from './rules-of-faults.ts';

/** A server with planted faults, and what a check of it said. */
export interface CheckedServer {
  readonly server: string;
  /** `changes`: whether a call of the tool does more than reading. */
  readonly tools: readonly { readonly name: string; readonly changes: boolean }[];
  readonly faults: readonly Fault[];
  readonly unnamed: readonly UnnamedFault[];
  readonly findings: readonly CheckFinding[];
  /** Tools that the check did not call because of their effect. */
  readonly leftOut: readonly string[];
  /** The names of called tools, one for each call. */
  readonly calls: readonly string[];
  readonly seconds: number;
  /** Why the check of this server ended early; null if it did not. */
  readonly failed: string | null;
}

/** `foundLow`: only by a finding of low severity. `notCalled`: only calls show it, and its tool may not be called. */
export type FaultStatus = 'found' | 'foundLow' | 'notCalled' | 'missed';

interface Share {
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

/** How many faults were found; the share is that of all of them. */
export interface Detection extends Share {
  readonly faults: number;
  readonly found: number;
  readonly foundLow: number;
  readonly notCalled: number;
  readonly missed: number;
}

interface JudgedFault {
  readonly server: string;
  readonly tool: string | null;
  readonly kind: FaultKind;
  readonly status: FaultStatus;
}

interface JudgedUnnamed extends UnnamedFault {
  readonly server: string;
  readonly findings: readonly ShownFinding[];
}

/** A finding as a person reads it in a list. */
export interface ShownFinding {
  readonly server: string;
  /** The tool's name on its server; null for a finding about the server. */
  readonly tool: string | null;
  readonly rule: RuleId;
  readonly sentence: string;
}

export interface CheckFigures {
  readonly servers: readonly {
    readonly server: string;
    readonly tools: number;
    readonly faults: number;
    readonly found: number;
    readonly falseAlarms: number;
    readonly calls: number;
    readonly seconds: number;
    readonly failed: string | null;
  }[];
  readonly detection: Detection;
  readonly byKind: readonly (Detection & { readonly kind: FaultKind })[];
  readonly faults: readonly JudgedFault[];
  /** Faults that no kind names, with the findings at their place that no other fault explains. They are in no share, and their tools are not clean. */
  readonly unnamed: readonly JudgedUnnamed[];
  /** Clean tools with a finding that asks for work. */
  readonly falseAlarms: Share & {
    readonly cleanTools: number;
    readonly alarmed: number;
    readonly list: readonly ShownFinding[];
    /** Findings about a whole server that no planted fault explains. They are in no share. */
    readonly atServers: readonly ShownFinding[];
  };
  /** Findings at faulty tools that no planted fault explains. */
  readonly beside: readonly ShownFinding[];
  readonly callsAboveEffect: readonly { readonly server: string; readonly tool: string; readonly calls: number }[];
}

/** Compares what checks said with the faults that were planted. Findings of low severity alone neither find a fault nor raise an alarm. */
export function scoreChecks(servers: readonly CheckedServer[]): CheckFigures {
  const judged = servers.map(judgeServer);
  const faults = judged.flatMap((each) => each.faults);
  const kinds = [...new Set(faults.map(({ kind }) => kind))].toSorted();
  const cleanTools = judged.reduce((sum, each) => sum + each.clean, 0);
  const list = judged.flatMap((each) => each.falseAlarms);
  const alarmed = countTools(list);
  return {
    servers: servers.map(({ server, tools, calls, seconds, failed }, at) => ({
      server,
      tools: tools.length,
      faults: judged[at]?.faults.length ?? 0,
      found: judged[at]?.faults.filter(({ status }) => status === 'found').length ?? 0,
      falseAlarms: countTools(judged[at]?.falseAlarms ?? []),
      calls: calls.length,
      seconds,
      failed,
    })),
    detection: detectionOf(faults),
    byKind: kinds.map((kind) => ({ kind, ...detectionOf(faults.filter((each) => each.kind === kind)) })),
    faults,
    unnamed: judged.flatMap((each) => each.unnamed),
    falseAlarms: {
      cleanTools,
      alarmed,
      ...shareOf(alarmed, cleanTools),
      list,
      atServers: judged.flatMap((each) => each.atServer),
    },
    beside: judged.flatMap((each) => each.beside),
    callsAboveEffect: servers.flatMap(listCallsAboveEffect),
  };
}

interface JudgedServer {
  readonly faults: readonly JudgedFault[];
  readonly unnamed: readonly JudgedUnnamed[];
  readonly clean: number;
  readonly falseAlarms: readonly ShownFinding[];
  readonly atServer: readonly ShownFinding[];
  readonly beside: readonly ShownFinding[];
}

function judgeServer({ server, tools, faults, unnamed, findings, leftOut }: CheckedServer): JudgedServer {
  const explained = new Set<CheckFinding>();
  const judged = faults.map((fault) => {
    const telling = findings.filter((finding) => tellsOf(finding, fault, server));
    for (const finding of telling) explained.add(finding);
    return { server, tool: fault.tool, kind: fault.kind, status: statusOf(fault, telling, leftOut) };
  });
  const faulty = new Set([
    ...faults.flatMap(({ tool, twin }) => [tool, twin ?? null]),
    ...unnamed.map(({ tool }) => tool),
  ]);
  const unexplained = findings.flatMap((finding): ShownFinding[] =>
    needsWork(finding) && !explained.has(finding)
      ? [{ server, tool: ownName(finding.tool, server), rule: finding.rule, sentence: finding.sentence }]
      : [],
  );
  return {
    faults: judged,
    unnamed: unnamed.map((each) => ({
      ...each,
      server,
      findings: unexplained.filter(({ tool }) => tool === each.tool),
    })),
    clean: tools.filter(({ name }) => !faulty.has(name)).length,
    falseAlarms: unexplained.filter(({ tool }) => tool !== null && !faulty.has(tool)),
    atServer: unexplained.filter(({ tool }) => tool === null),
    beside: unexplained.filter(({ tool }) => tool !== null && faulty.has(tool)),
  };
}

/** Whether a finding speaks of a planted fault: by one of its rules, at its place. */
function tellsOf(finding: CheckFinding, { kind, tool }: Fault, server: string): boolean {
  const rules: readonly RuleId[] = rulesOfFaults[kind];
  if (!rules.includes(finding.rule)) return false;
  if (tool === null) return finding.tool === null;
  return [finding.tool, ...finding.others].some((each) => ownName(each, server) === tool);
}

function statusOf(
  { kind, tool, twin }: Fault,
  telling: readonly CheckFinding[],
  leftOut: readonly string[],
): FaultStatus {
  if (telling.some(needsWork)) return 'found';
  if (telling.length > 0) return 'foundLow';
  const isLeftOut = [tool, twin].some((each) => typeof each === 'string' && leftOut.includes(each));
  return isLeftOut && !kindsOfDefinitions.has(kind) ? 'notCalled' : 'missed';
}

const ownName = (tool: string | null, server: string): string | null =>
  tool?.startsWith(`${server}/`) === true ? tool.slice(server.length + 1) : tool;

function detectionOf(faults: readonly JudgedFault[]): Detection {
  const count = (wanted: FaultStatus): number => faults.filter(({ status }) => status === wanted).length;
  return {
    faults: faults.length,
    found: count('found'),
    foundLow: count('foundLow'),
    notCalled: count('notCalled'),
    missed: count('missed'),
    ...shareOf(count('found'), faults.length),
  };
}

/** A share with its 95% interval by Wilson. */
function shareOf(part: number, all: number): Share {
  const share = all === 0 ? null : part / all;
  return { share, ...wilsonInterval(share ?? 0, all, z95) };
}

const countTools = (findings: readonly ShownFinding[]): number =>
  new Set(findings.map(({ server, tool }) => `${server}/${tool ?? ''}`)).size;

const listCallsAboveEffect = ({ server, tools, calls }: CheckedServer): CheckFigures['callsAboveEffect'] =>
  tools.flatMap(({ name, changes }) => {
    const made = calls.filter((each) => each === name).length;
    return changes && made > 0 ? [{ server, tool: name, calls: made }] : [];
  });
