import type { AllowedEffect } from '#core/catalog/effect.ts';
import { withoutDescriptionsBorneOut } from '#core/reports/check/definitions/description-content.ts';
import { listDefinitionFindings } from '#core/reports/check/definitions/list-definition-findings.ts';
import { withoutProvenTwins, worstFirst } from '#core/reports/check/finding.ts';
import { gradeFamilies } from '#core/reports/check/grade.ts';
import type { ListedServer } from '#core/reports/check/listed-tool.ts';
import type { CheckReport } from '#core/reports/check/report.ts';
import type { CheckTarget } from './check-target.ts';
import { describeTool, probeServer, type ProbedServer } from './probe-servers.ts';

export interface RunCheckOptions {
  /** The most that calls may do. */
  readonly allows: AllowedEffect;
  /** Whether nothing is called. */
  readonly static: boolean;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What a check found out, and why some of the servers could not be checked. */
export interface RunCheck {
  readonly report: CheckReport;
  readonly unusable: readonly { readonly server: string; readonly why: string }[];
}

/** Checks servers one after another, without a model: their definitions, and what calls show if they may be made. */
export async function runCheck(target: CheckTarget, options: RunCheckOptions): Promise<RunCheck> {
  const started = performance.now();
  const probed: ProbedServer[] = [];
  const unusable: { server: string; why: string }[] = [];
  if (target.kind === 'list') probed.push(describeListed(target.server));
  else
    for (const entry of target.entries) {
      try {
        probed.push(await probeServer(entry, options));
      } catch (cause) {
        options.signal.throwIfAborted();
        unusable.push({ server: entry.name, why: cause instanceof Error ? cause.message : String(cause) });
      }
    }
  const tools = probed.flatMap((each) => each.tools);
  const findings = worstFirst(
    withoutProvenTwins([
      ...withoutDescriptionsBorneOut(
        listDefinitionFindings(probed.map(({ listed }) => listed)),
        new Map(probed.flatMap(({ answers }) => [...answers])),
      ),
      ...probed.flatMap((each) => each.findings),
    ]),
  );
  const isStatic = options.static || target.kind === 'list';
  const report: CheckReport = {
    servers: probed.map(({ listed }) => listed.name),
    static: isStatic,
    allows: options.allows,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    grades: gradeFamilies({ tools, findings, static: isStatic }),
    tools,
    findings,
    accepted: 0,
    notes: [
      ...probed.flatMap(({ notes }) => notes),
      ...unusable.map(({ server, why }) => `${server} was not checked: ${why}`),
    ],
  };
  return { report, unusable };
}

const describeListed = (listed: ListedServer): ProbedServer => ({
  listed,
  tools: listed.tools.map((tool) => describeTool(listed.name, tool)),
  findings: [],
  notes: [],
  answers: new Map(),
  samples: [],
});
