import type { BreakdownGroup } from '../breakdown-record.ts';
import { rankAgents } from '../figure-texts.ts';
import type { Comparison, EvaluationRecord, EvaluationResults } from '../record.ts';
import { comparisonSection } from './comparisons.ts';
import { domainSection } from './domains.ts';
import { effortSection } from './effort.ts';
import { failureSection, patternSection } from './failures.ts';
import { headSection } from './head-section.ts';
import { missingSection, type BrokenAttempts } from './missing.ts';
import { readingSection } from './how-to-read.ts';
import { passSection, scoreSection } from './scores.ts';

/** The figures of a report. */
export interface ReportedFigures {
  readonly results: EvaluationResults;
  /** One comparison for each pair of `rankingNeighbours`. */
  readonly comparisons: readonly Comparison[];
  readonly domains: readonly BreakdownGroup[];
  readonly broken: readonly BrokenAttempts[];
}

/** Pairs each agent with the one that follows it in the ranking. */
export function rankingNeighbours(results: EvaluationResults): [string, string][] {
  const names = rankAgents(results).map(({ name }) => name);
  return names.flatMap((name, place) => {
    const next = names[place + 1];
    return next === undefined ? [] : [[name, next] satisfies [string, string]];
  });
}

/** Returns the results of an evaluation so far as Markdown, for people. */
export function reportText(evaluation: EvaluationRecord, figures: ReportedFigures): string {
  const agents = rankAgents(figures.results);
  const names = agents.map(({ name }) => name);
  return [
    ...headSection(evaluation),
    ...scoreSection(agents),
    ...comparisonSection(figures.comparisons),
    ...passSection(agents),
    ...failureSection(agents),
    ...patternSection(agents),
    ...domainSection(figures.domains, names),
    ...effortSection(agents, evaluation),
    ...missingSection(agents, evaluation, figures.broken),
    ...readingSection(),
  ].join('\n');
}
