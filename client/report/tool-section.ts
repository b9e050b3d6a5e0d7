import { html } from 'hono/html';
import type { ToolReport } from '#core/tool-report/record.ts';
import { percentText, wholeNumberText } from '../command-line/text.ts';
import type { ToolReports } from '../display/tool-report-files.ts';
import {
  confusionSentences,
  confusionsTitle,
  findingSentences,
  findingsTitle,
  schemaTokensSentence,
  toolReportHeadline,
  toolReportNotes,
  toolVerdictTexts,
} from '../display/tool-report-lines.ts';
import { page, shown, table, type Html } from './page.ts';

/** The headline and the table of a report on tools. */
export function toolTable(report: ToolReport): Html {
  const words = toolVerdictTexts(report);
  const rows = report.tools.map(({ tool, verdict, success, missed, effect, commonError, schemaTokens }) => [
    tool,
    words[verdict],
    wholeNumberText(success.of),
    success.share === null ? '–' : shareCell(success.share, success.interval),
    missed.of === 0 ? '–' : `${missed.count} of ${missed.of}`,
    effect,
    wholeNumberText(schemaTokens),
    commonError === null ? '' : commonError.text,
  ]);
  const share = report.offline ? 'no error' : 'succeeded';
  return html`<p>${shown(toolReportHeadline(report))} ${shown(schemaTokensSentence(report))}</p>
    ${table('Tools, those with problems first', ['tool', 'verdict', 'calls', share, 'missed', 'effect', 'tokens', 'most frequent error'], rows)}`;
}

const shareCell = (share: number, interval: { readonly low: number; readonly high: number } | null): Html =>
  html`${percentText(share)}${interval === null ? '' : html`<small>${percentText(interval.low)} to ${percentText(interval.high)}</small>`}`;

/** Returns reports on tools as one HTML file that loads nothing and runs nothing. */
export const toolReportsPage = ({ title, notes, reports }: ToolReports): Promise<string> =>
  page(
    `${title} – Sextant`,
    html`<h1>${shown(title)}</h1>
      ${notes.map(noteParagraph)}
      ${reports.map(
        (each) =>
          html`${reports.length === 1 ? '' : html`<h2>${shown(each.title)}</h2>`}
          ${toolReportNotes(each.report).map(noteParagraph)} ${toolTable(each.report)}
          ${sentenceList(findingsTitle, findingSentences(each.report))}
          ${sentenceList(confusionsTitle, confusionSentences(each.report))}`,
      )}`,
  );

const noteParagraph = (note: string): Html => html`<p class="note">${shown(note)}</p>`;

const sentenceList = (title: string, sentences: readonly string[]): Html =>
  sentences.length === 0
    ? html``
    : html`<h3>${title}</h3>
        <ul>
          ${sentences.map((each) => html`<li>${shown(each)}</li>`)}
        </ul>`;
