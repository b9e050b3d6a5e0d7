import { breakdowns, type Breakdown, type BreakdownGroup } from '../breakdown-record.ts';
import type { ExplainedCase } from '../explained-case.ts';
import { sortAgentsByHeadlineMean } from '../figure-texts.ts';
import type { Comparison, EvaluationRecord, EvaluationResults } from '../record.ts';
import { neighbourComparisonSection } from './comparisons.ts';
import { answerCountSection } from './answers.ts';
import { listShownScorers } from '../shown-scorers.ts';
import { breakdownSection } from './breakdown-section.ts';
import { costAndTokensSection } from './effort.ts';
import { routingErrorSection } from './routing-errors.ts';
import { failedCaseSection } from './failed-cases.ts';
import { failedCallSection, rewordingFailureSection } from './failures.ts';
import { floorSentences } from '../floor-text.ts';
import { headSection } from './head-section.ts';
import { escapeMarkdown, sectionLines } from './markdown.ts';
import { unevaluatedAndUnscoredSection, type BrokenAttempts } from './missing.ts';
import { howToReadSection } from './how-to-read.ts';
import { isolationSentences, type ServerIsolation } from '#core/catalog/isolation/server-isolation.ts';
import { mountingSection } from './mountings.ts';
import { scorePartsSection } from './parts.ts';
import { passAtKSection, scoreSection } from './scores.ts';

/** The breakdowns of a report: all but the one by server, which is long. */
export const reportedBreakdowns: readonly Breakdown[] = breakdowns.filter(({ by }) => by !== 'server');

/** The figures of a report. */
export interface ReportedFigures {
  readonly results: EvaluationResults;
  /** One comparison for each pair of `pairNeighboursInRanking`. */
  readonly comparisons: readonly Comparison[];
  /** One for each of `reportedBreakdowns`. */
  readonly breakdowns: readonly (readonly BreakdownGroup[])[];
  readonly broken: readonly BrokenAttempts[];
  /** Some failed cases of public units, by agent. */
  readonly failedCases: readonly ExplainedCase[];
}

/** Pairs each agent with the one that follows it in the ranking. */
export function pairNeighboursInRanking(results: Pick<EvaluationResults, 'agents' | 'protocol'>): [string, string][] {
  const names = sortAgentsByHeadlineMean(results).map(({ name }) => name);
  return names.flatMap((name, place) => {
    const next = names[place + 1];
    return next === undefined ? [] : [[name, next] satisfies [string, string]];
  });
}

/** Returns the results of an evaluation so far as Markdown, for people. */
export function evaluationReportMarkdown(evaluation: EvaluationRecord, figures: ReportedFigures): string {
  const { protocol } = evaluation;
  const agents = sortAgentsByHeadlineMean(figures.results);
  const names = agents.map(({ name }) => name);
  const shown = listShownScorers(figures.results);
  return [
    ...headSection(evaluation),
    ...mountingSection(figures.results.mounted),
    ...sectionLines('State of the servers', ...isolationLines(figures.results.isolation)),
    ...scoreSection(agents, protocol, shown),
    ...scorePartsSection(agents, shown),
    ...sectionLines('Floor', ...floorSentences(figures.results.floor).map(escapeMarkdown)),
    ...neighbourComparisonSection(figures.comparisons),
    ...passAtKSection(agents, protocol),
    ...failedCallSection(agents),
    ...failedCaseSection(figures.failedCases, names, protocol),
    ...answerCountSection(agents),
    ...rewordingFailureSection(agents),
    ...reportedBreakdowns.flatMap((each, place) =>
      breakdownSection(each, figures.breakdowns[place] ?? [], names, shown),
    ),
    ...routingErrorSection(agents),
    ...costAndTokensSection(agents, evaluation),
    ...unevaluatedAndUnscoredSection(agents, evaluation, figures.broken, figures.results.crashes),
    ...howToReadSection(protocol, shown),
  ].join('\n');
}

const isolationLines = (servers: readonly ServerIsolation[]): string[] => {
  const sentences = isolationSentences(servers);
  return sentences.length === 0
    ? ['No attempt could see what another one had changed.']
    : sentences.map(escapeMarkdown);
};
