import { html } from 'hono/html';
import { worstToolsFirst } from '#core/reports/check/grade.ts';
import type { CheckReport } from '#core/reports/check/report.ts';
import { wholeNumberText } from '../command-line/text.ts';
import {
  callText,
  checkColumns,
  checkNotes,
  foundText,
  groupCheckFindings,
  namedGrades,
  repeatText,
  subjectsText,
  verdictLines,
  type CheckFindingGroup,
  type RepeatCommand,
} from '../display/check-lines.ts';
import type { ToolReports } from '../display/tool-report-files.ts';
import { page, printableText, table, type Html } from './page.ts';
import { toolReportSections } from './tool-section.ts';

/** Returns a report as one HTML file that loads nothing and runs nothing, with what agents did at its end if they were let in. */
export function checkPage(
  report: CheckReport,
  repeatCommand: RepeatCommand,
  agents: ToolReports | null = null,
): Promise<string> {
  const [verdict, ...ofServers] = verdictLines(report);
  // The names of tools are below the statement: a title with all of them would fill a narrow screen.
  const [statement = '', ...details] = verdict.split(': ');
  const grades = namedGrades(report);
  const groups = groupCheckFindings(report);
  return page(
    `Check of ${report.servers.join(', ')} – Sextant`,
    html`<h1>${statement}</h1>
      ${details.length === 0 ? '' : html`<p>${details.join(': ')}</p>`} ${ofServers.map((each) => html`<p>${each}</p>`)}
      <p>
        Grades from A to F, a dash for what was not looked at:
        ${grades.map(([name, grade], index) => html`${index === 0 ? '' : ', '}${name} <strong>${grade}</strong>`)}
      </p>
      ${checkNotes(report).map((note) => html`<p class="note">${printableText(note)}</p>`)}
      ${
        groups.length === 0
          ? ''
          : html`<h2>Findings, the worst first</h2>
              ${groups.map((group) => findingDetails(group, repeatCommand))}`
      }
      ${toolTable(report)}
      ${
        agents === null
          ? ''
          : html`<h2>What agents did with the tools</h2>
              ${toolReportSections(agents)}`
      }`,
  );
}

/** A finding, open if it is of high severity. */
function findingDetails(group: CheckFindingGroup, repeatCommand: RepeatCommand): Html {
  const { rule, severity, subjects, proposal, call } = group;
  const again = call === null ? null : repeatText(call, repeatCommand);
  const inside = html`<summary>
      <strong>${severity}</strong> ${printableText(subjectsText(subjects))}: ${printableText(foundText(group))}
    </summary>
    <p>To fix it: ${printableText(proposal)}. <span class="faint">Rule: ${rule}, ${group.family}</span></p>
    ${subjects.length > 6 ? html`<p class="faint">${printableText(subjects.join(', '))}</p>` : ''}
    ${call === null ? '' : html`<pre>${callText(call.shown)}</pre>`}
    ${
      again === null
        ? ''
        : html`<p class="faint">Again:</p>
            <pre>${again}</pre>`
    }`;
  return severity === 'high' ? html`<details open>${inside}</details>` : html`<details>${inside}</details>`;
}

function toolTable(report: CheckReport): Html {
  if (report.tools.length === 0) return html``;
  const columns = checkColumns(report);
  const rows = worstToolsFirst(report).map((tool) =>
    columns.map(({ cell }) => {
      const value = cell(tool);
      return typeof value === 'number' ? wholeNumberText(value) : value === '' ? '–' : value;
    }),
  );
  return html`<h2>Tools</h2>
    ${table(
      'Tools, those with the worst findings first',
      columns.map(({ title }) => title),
      rows,
    )}`;
}
