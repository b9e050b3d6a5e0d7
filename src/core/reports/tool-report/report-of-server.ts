import { serverNameOfToolName } from '#core/catalog/tool.ts';
import type { ToolReport } from './record.ts';

/** Returns the part of a report that is about the tools of one server, by the server's name. Units and attempts stay those of the run. */
export function pickReportOfServer(report: ToolReport, server: string): ToolReport {
  const isOwn = (tool: string | null): boolean => tool !== null && serverNameOfToolName(tool) === server;
  const tools = report.tools.filter(({ tool }) => isOwn(tool));
  return {
    ...report,
    tools,
    schemaTokens: tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0),
    confusions: report.confusions.filter(({ expected, called }) => isOwn(expected) || isOwn(called)),
    taken: report.taken.filter(({ tool }) => isOwn(tool)),
    findings: report.findings.filter(({ tool }) => isOwn(tool)),
  };
}
