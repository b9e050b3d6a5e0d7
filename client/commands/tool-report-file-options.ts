import type { Given } from '../command-line/command.ts';
import { toolReportsJunitXml, toolReportsMarkdown, type ToolReports } from '../display/tool-report-files.ts';
import { toolReportsPage } from '../report/tool-section.ts';
import { htmlOption, junitOption, markdownOption, writeReportFiles } from './report-files.ts';

/** The files that verbs which report on tools can write. */
export const toolReportFileOptions = [markdownOption, junitOption, htmlOption];

/** Writes the files that a line names. */
export const writeToolReportFiles = (given: Given, reports: ToolReports): Promise<void> =>
  writeReportFiles(given, [
    [markdownOption, () => toolReportsMarkdown(reports)],
    [junitOption, () => toolReportsJunitXml(reports)],
    [htmlOption, () => toolReportsPage(reports)],
  ]);
