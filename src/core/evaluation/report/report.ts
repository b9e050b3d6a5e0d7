import type { ResultsBasis } from '../basis.ts';
import { breakdownBy } from '../breakdown.ts';
import { compareAgents } from '../compare.ts';
import { ranked } from '../figures.ts';
import type { EvaluationRecord } from '../record.ts';
import { resultOf } from '../results.ts';
import { comparisonSection } from './comparisons.ts';
import { domainSection } from './domains.ts';
import { effortSection } from './effort.ts';
import { failureSection, patternSection } from './failures.ts';
import { head } from './head.ts';
import { missingSection } from './missing.ts';
import { readingSection } from './reading.ts';
import { passSection, scoreSection } from './scores.ts';

/** What an evaluation came to so far, for people, as Markdown. */
export function reportOf(evaluation: EvaluationRecord, basis: ResultsBasis): string {
  const names = evaluation.agents.map(({ name }) => name);
  const agents = ranked({ agents: names.map((name) => resultOf(name, basis)) });
  const comparisons = agents.flatMap(({ name }, at) => {
    const next = agents[at + 1];
    return next === undefined ? [] : [compareAgents(name, next.name, basis)];
  });
  const order = agents.map(({ name }) => name);
  return [
    ...head(evaluation),
    ...scoreSection(agents),
    ...comparisonSection(comparisons),
    ...passSection(agents),
    ...failureSection(agents),
    ...patternSection(agents),
    ...domainSection(breakdownBy('domain', order, basis)),
    ...effortSection(agents, evaluation),
    ...missingSection(agents, evaluation, basis),
    ...readingSection(),
  ].join('\n');
}
