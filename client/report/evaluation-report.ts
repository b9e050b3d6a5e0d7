import { html, raw } from 'hono/html';
import {
  fixedDigitsText,
  pValueText,
  signedDifferenceText,
  sortAgentsByHeadlineMean,
  toldCell,
  toldDifferenceNote,
} from '#core/evaluation/figure-texts.ts';
import { crashSentences } from '#core/evaluation/crashes.ts';
import { disturbanceNotes, listDisturbanceColumns } from '#core/evaluation/disturbance-texts.ts';
import { floorSentences } from '#core/evaluation/floor-text.ts';
import { pairNeighboursInRanking } from '#core/evaluation/report/report.ts';
import type {
  AgentResult,
  CaseDetail,
  Comparison,
  EvaluationRecord,
  EvaluationResults,
} from '#core/evaluation/record.ts';
import { agentNameInGroup } from '#core/evaluation/rule-agents.ts';
import { listShownComparisons, listShownScorers } from '#core/evaluation/shown-scorers.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { getScorerOrThrow, scorerTitleInComparisons } from '#core/evaluation/scorers.ts';
import { whiskerSvg } from '#core/values/whisker-svg.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { wholeNumberText } from '../command-line/text.ts';
import { caseLines } from '../display/case-lines.ts';
import { verdictText } from '../display/results-table.ts';
import { unfinishedEvaluationLines } from '../display/unfinished-lines.ts';
import { type Html, page, printableText, table } from './page.ts';
import { toolHeadline, toolTable } from './tool-section.ts';

/** All that a report shows. */
export interface ReportedEvaluation {
  readonly run: EvaluationRecord;
  readonly results: EvaluationResults;
  /** One for each pair of `pairNeighboursInRanking`. */
  readonly comparisons: readonly Comparison[];
  readonly tools: ToolReport;
  /** Some failed cases, and how many failed in all. */
  readonly failed: readonly CaseDetail[];
  readonly failedInAll: number;
}

/** The pairs of agents that a report compares. */
export const comparedAgents = pairNeighboursInRanking;

/** Returns an evaluation as one HTML file that loads nothing: no script, no style, no image from elsewhere. */
export function evaluationReportHtml(reported: ReportedEvaluation): Promise<string> {
  const { run } = reported;
  const title = run.config.name === '' ? `Evaluation ${run.id}` : run.config.name;
  return page(
    `${title} – Sextant`,
    html`<p class="eyebrow">Sextant evaluation ${printableText(run.id)}</p>
      <h1>${printableText(title)}</h1>
      ${headSection(run)} ${scoreSection(reported)} ${disturbanceSection(reported.results)}
      ${comparisonSection(reported)}
      <h2>Tools</h2>
      ${toolHeadline(reported.tools)} ${toolTable(reported.tools)} ${failureSection(reported)}
      ${readingSection(reported)}`,
  );
}

function headSection(run: EvaluationRecord): Html {
  const { protocol, config, progress, createdAt, endedAt, usage, judgeUsage } = run;
  const unfinished = unfinishedEvaluationLines(run)[0];
  return html`${unfinished === undefined ? '' : html`<p class="note">${printableText(unfinished)}</p>`}
    ${run.offline ? html`<p class="note">Rules stood in for models: this shows that the machine works, and says nothing about models.</p>` : ''}
    <p class="lead">
      ${getProtocol(protocol).title} on <code>${printableText(config.benchmark)}</code>:
      ${wholeNumberText(progress.unitsDone)} units, ${wholeNumberText(config.trials)} trials each, seed
      ${String(config.seed)}. Agents cost $${usage.costUsd.toFixed(2)}, judges $${judgeUsage.costUsd.toFixed(2)}.
    </p>
    <p class="faint">Begun ${createdAt}${endedAt === null ? '' : `, ended ${endedAt}`}</p>`;
}

/** What disturbances change, a table an agent. */
function disturbanceSection({ agents }: EvaluationResults): Html {
  const disturbed = agents.filter(({ disturbances = [] }) => disturbances.length > 0);
  const columns = listDisturbanceColumns(disturbed.flatMap(({ disturbances = [] }) => disturbances));
  if (disturbed.length === 0) return html``;
  return html`<h2>Under disturbances</h2>
    ${disturbanceNotes.map((note) => html`<p>${note}</p>`)}
    ${disturbed.map(({ name, disturbances = [] }) =>
      table(
        printableText(name),
        columns.map(({ title }) => title),
        disturbances.map((row) => columns.map(({ of }) => of(row))),
      ),
    )}`;
}

function scoreSection({ results }: ReportedEvaluation): Html {
  const agents = sortAgentsByHeadlineMean(results);
  const headline = getScorerOrThrow(getProtocol(results.protocol).headline);
  const shownScorers = listShownScorers(results);
  const rows = agents.map((agent) => [
    agentNameInGroup(agent.name, results),
    meanCell(agent.scores[headline.key]),
    html`${raw(whiskerSvg(agent.scores[headline.key], headline.range, true))}`,
    wholeNumberText(agent.units),
    agent.costUsd === null ? 'unknown' : `$${agent.costUsd.toFixed(2)}`,
    wholeNumberText(agent.notEvaluated),
  ]);
  const everyMetric = agents.map((agent) => [
    agentNameInGroup(agent.name, results),
    ...shownScorers.map(({ key }) => meanCell(agent.scores[key])),
  ]);
  const [least, most] = headline.range;
  return html`<h2>Agents</h2>
    ${table(`${printableText(headline.question)} ${headline.name}, means over units with 95% intervals, the best first`, ['agent', headline.title, `${least} to ${most}`, 'units', 'cost', 'not evaluated'], rows)}
    <details>
      <summary>Every metric</summary>
      ${table('Means over units with 95% intervals', ['agent', ...shownScorers.map(({ title }) => title)], everyMetric)}
    </details>
    ${crashSentences(results.crashes).map((sentence) => html`<p class="note">${printableText(sentence)}</p>`)}
    ${floorSentences(results.floor).map((sentence) => html`<p class="faint">${printableText(sentence)}</p>`)}`;
}

const meanCell = ({ mean, low, high, unscored }: AgentResult['scores'][keyof AgentResult['scores']]): Html =>
  html`${mean === null ? '–' : fixedDigitsText(mean)}${low === null || high === null ? '' : html`<small>${fixedDigitsText(low)} to ${fixedDigitsText(high)}</small>`}${unscored === 0 ? '' : html`<small>${unscored} unscored</small>`}`;

function comparisonSection({ comparisons }: ReportedEvaluation): Html {
  if (comparisons.length === 0) return html``;
  return html`<h2>Neighbours in the ranking compared</h2>
    <p class="faint">${toldDifferenceNote}</p>
    ${comparisons.map((comparison) => {
      const { a, b, passes } = comparison;
      const rows = listShownComparisons(comparison).map(({ scorer, difference, low, high, detectable, n, verdict }) => [
        scorerTitleInComparisons(scorer),
        difference === null ? '–' : signedDifferenceText(difference),
        low === null || high === null ? '–' : `${signedDifferenceText(low)} to ${signedDifferenceText(high)}`,
        toldCell(detectable),
        wholeNumberText(n),
        verdictText(verdict, a, b),
      ]);
      return html`${table(`${printableText(a)} less ${printableText(b)}`, ['scorer', 'difference', '95% interval', 'tells', 'units', 'verdict'], rows)}
      ${passes === null ? '' : html`<p>Attempts that pass by ${getScorerOrThrow(passes.scorer).title}: both ${passes.both}, only ${printableText(a)} ${passes.onlyA}, only ${printableText(b)} ${passes.onlyB}, neither ${passes.neither}; McNemar ${pValueText(passes.p)}.</p>`}`;
    })}`;
}

function failureSection({ failed, failedInAll, run }: ReportedEvaluation): Html {
  if (getProtocol(run.protocol).verdict === null) return html``;
  return html`<h2>Failed cases</h2>
    <p>
      ${failedInAll === 0 ? 'No case failed.' : `${wholeNumberText(failedInAll)} failed; ${failed.length === failedInAll ? 'all' : wholeNumberText(failed.length)} are shown.`}
    </p>
    <ul class="plain findings">
      ${failed.map(
        (each) =>
          html`<li>
            <span class="label status bad">failed</span>
            <details>
              <summary>
                <strong>${printableText(each.case.agent)}</strong>:
                ${printableText(Object.values(each.asked)[0] ?? each.case.unit)}
              </summary>
              <pre>${caseLines(each).join('\n')}</pre>
            </details>
          </li>`,
      )}
    </ul>`;
}

const readingSection = ({ results }: ReportedEvaluation): Html =>
  html`<h2>How to read it</h2>
    <details>
      <summary>What each score means</summary>
      <dl>
        ${listShownScorers(results).map(
          ({ title, name, question, caveat, direction }) =>
            html`<dt>
                <strong>${title}</strong>:
                ${name}${direction === 'higher' ? '' : ` (${direction === 'lower' ? 'less is better' : 'best near 0'})`}
              </dt>
              <dd>${question} It is not ${caveat}.</dd>`,
        )}
      </dl>
    </details>`;
