import { html } from 'hono/html';
import { worstToolsFirst } from '#core/reports/check/grade.ts';
import type { CheckReport } from '#core/reports/check/report.ts';
import { countWithNoun, wholeNumberText } from '../command-line/text.ts';
import {
  callText,
  checkColumns,
  checkNotes,
  foundText,
  groupCheckFindings,
  mostSubjects,
  namedGrades,
  repeatText,
  subjectsText,
  verdictLines,
  type CheckFindingGroup,
  type RepeatCommand,
} from '../display/check-lines.ts';
import type { ToolReports } from '../display/tool-report-files.ts';
import { findingHtml, page, printableText, table, type Html } from './page.ts';
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
  const groups = groupCheckFindings(report);
  const [grave, low] = [
    groups.filter(({ severity }) => severity !== 'low'),
    groups.filter(({ severity }) => severity === 'low'),
  ];
  return page(
    `Check of ${report.servers.join(', ')} – Sextant`,
    html`<p class="eyebrow">Sextant check of ${printableText(report.servers.join(', '))}</p>
      <h1>${statement}</h1>
      ${details.length === 0 ? '' : html`<p class="lead">${details.join(': ')}</p>`}
      ${ofServers.map((each) => html`<p class="lead">${each}</p>`)} ${gradeFigures(namedGrades(report))}
      ${checkNotes(report).map((note) => html`<p class="note">${printableText(note)}</p>`)}
      ${groups.length === 0 ? '' : html`<h2>Findings, the worst first</h2>`}
      <ul class="plain findings">
        ${grave.map((group) => findingOfGroup(group, repeatCommand))}
      </ul>
      ${
        low.length === 0
          ? ''
          : html`<details ${grave.length === 0 ? 'open' : ''}>
              <summary>${countWithNoun(low.length, 'finding')} of low severity</summary>
              <ul class="plain findings">
                ${low.map((group) => findingOfGroup(group, repeatCommand))}
              </ul>
            </details>`
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

const gradeTones: Readonly<Record<string, string>> = { A: 'good', B: 'good', C: 'warn', D: 'bad', F: 'bad' };

/** The grades as figures, the one of all together the largest; a dash for what was not looked at. */
const gradeFigures = (grades: readonly (readonly [name: string, grade: string])[]): Html =>
  html`<dl class="figures">
    ${grades.map(
      ([name, grade], index) =>
        html`<div class="${index === 0 ? 'grade' : ''}">
          <dt>${name}</dt>
          <dd class="${gradeTones[grade] ?? ''}">${grade}</dd>
        </div>`,
    )}
  </dl>`;

function findingOfGroup(group: CheckFindingGroup, repeatCommand: RepeatCommand): Html {
  const { rule, severity, subjects, proposal, call } = group;
  const again = call === null ? null : repeatText(call, repeatCommand);
  return findingHtml(
    severity,
    html`<strong>${printableText(subjectsText(subjects))}</strong>: ${printableText(foundText(group))}
      <p>To fix it: ${printableText(proposal)}. <span class="faint">Rule: ${rule}, ${group.family}</span></p>
      ${call === null ? '' : html`<pre>${callText(call.shown)}</pre>`}
      ${
        subjects.length <= mostSubjects
          ? ''
          : html`<details>
              <summary>All ${wholeNumberText(subjects.length)}</summary>
              <p class="faint">${printableText(subjects.join(', '))}</p>
            </details>`
      }
      ${
        again === null
          ? ''
          : html`<details>
              <summary>Call it again</summary>
              <pre>${again}</pre>
            </details>`
      }`,
  );
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
