import { html } from 'hono/html';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { percentText, wholeNumberText } from '../command-line/text.ts';
import type { ToolReports } from '../display/tool-report-files.ts';
import {
  confusionSentences,
  confusionsTitle,
  findingSubject,
  findingText,
  findingsTitle,
  groupSameFindings,
  schemaTokensSentence,
  takenSentences,
  takenTitle,
  toolReportHeadline,
  toolReportNotes,
  getToolVerdictTexts,
} from '../display/tool-report-lines.ts';
import { findingHtml, page, printableText, table, type Html } from './page.ts';

/** What a report on tools comes to. */
export const toolHeadline = (report: ToolReport): Html =>
  html`<p class="lead">
    <strong>${printableText(toolReportHeadline(report))}</strong> ${printableText(schemaTokensSentence(report))}
  </p>`;

/** The table of a report on tools. */
export function toolTable(report: ToolReport): Html {
  const words = getToolVerdictTexts(report);
  const rows = report.tools.map(({ tool, verdict, success, missed, effect, commonError, schemaTokens }) => [
    tool,
    words[verdict],
    wholeNumberText(success.of),
    success.share === null ? '–' : shareCell(success.share, success.interval),
    ...(report.offline ? [] : [missed.of === 0 ? '–' : `${missed.count} of ${missed.of}`]),
    effect,
    wholeNumberText(schemaTokens),
    commonError === null ? '' : commonError.text,
  ]);
  const share = report.offline ? 'no error' : 'succeeded';
  return table(
    'Tools, those with problems first',
    [
      'tool',
      'verdict',
      'calls',
      share,
      ...(report.offline ? [] : ['missed']),
      'effect',
      'tokens',
      'most frequent error',
    ],
    rows,
  );
}

const shareCell = (share: number, interval: { readonly low: number; readonly high: number } | null): Html =>
  html`${percentText(share)}${interval === null ? '' : html`<small>${percentText(interval.low)} to ${percentText(interval.high)}</small>`}`;

/** Returns reports on tools as one HTML file that loads nothing and runs nothing. */
export const toolReportsPage = ({ title, notes, reports }: ToolReports): Promise<string> =>
  page(
    `${title} – Sextant`,
    html`<h1>${printableText(title)}</h1>
      ${toolReportSections({ title, notes, reports })}`,
  );

/** Reports on tools as parts of a page, below its title. */
export const toolReportSections = ({ notes, reports }: ToolReports): Html =>
  html`${notes.map(noteParagraph)}
  ${reports.map(
    (each) =>
      html`${reports.length === 1 ? '' : html`<h2>${printableText(each.title)}</h2>`}
      ${toolReportNotes(each.report).map(noteParagraph)} ${toolHeadline(each.report)}
      ${findingList(each.report, reports.length === 1)} ${toolTable(each.report)}
      ${[
        { heading: confusionsTitle, sentences: confusionSentences(each.report) },
        { heading: takenTitle, sentences: takenSentences(each.report) },
      ].map((list) => headedListOfSentences(list, reports.length === 1))}`,
  )}`;

const noteParagraph = (note: string): Html => html`<p class="note">${printableText(note)}</p>`;

/** What to look at, the gravest first. */
function findingList(report: ToolReport, isBelowTitle: boolean): Html {
  if (report.findings.length === 0) return html``;
  return html`${isBelowTitle ? html`<h2>${findingsTitle}</h2>` : html`<h3>${findingsTitle}</h3>`}
    <ul class="plain findings">
      ${groupSameFindings(report).map(([first, ...others]) =>
        first === undefined
          ? ''
          : findingHtml(
              first.severity,
              html`<strong>${printableText([first, ...others].map(findingSubject).join(', '))}</strong>:
                ${printableText(findingText(first))}`,
            ),
      )}
    </ul>`;
}

/** A list below the title of the page, or below that of one of several reports. */
function headedListOfSentences(
  { heading, sentences }: { readonly heading: string; readonly sentences: readonly string[] },
  isBelowTitle: boolean,
): Html {
  if (sentences.length === 0) return html``;
  return html`${isBelowTitle ? html`<h2>${heading}</h2>` : html`<h3>${heading}</h3>`}
    <ul>
      ${sentences.map((each) => html`<li>${printableText(each)}</li>`)}
    </ul>`;
}
