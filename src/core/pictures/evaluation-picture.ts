import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { decisionSentence } from '#core/evaluation/decision-text.ts';
import { fixedDigitsText, sortAgentsByHeadlineMean } from '#core/evaluation/figure-texts.ts';
import type { AgentResult, Comparison, EvaluationRecord, EvaluationResults } from '#core/evaluation/record.ts';
import { agentNameInGroup } from '#core/evaluation/rule-agents.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import type { LinkPicture, PictureRow } from './link-picture.ts';
import { countText, offlineCaveat, sayBasis } from './picture-basis.ts';

/** The parts of an evaluation that its picture shows. */
type PicturedEvaluation = Pick<
  EvaluationRecord,
  'id' | 'config' | 'protocol' | 'agents' | 'offline' | 'status' | 'progress' | 'createdAt'
>;

/** Returns the two agents that a picture's verdict is on: the best two by the headline. Null where fewer have a mean, or a decision says more. */
export function findComparedAgentsOrNull(results: EvaluationResults): readonly [a: string, b: string] | null {
  const { headline } = getProtocol(results.protocol);
  const [first, second] = sortAgentsByHeadlineMean(results).filter(({ scores }) => scores[headline].mean !== null);
  return results.decision !== undefined || first === undefined || second === undefined
    ? null
    : [first.name, second.name];
}

/** Returns what a link to an evaluation shows: its agents by the headline, and what they were found to be. */
export function makeEvaluationPicture(
  record: PicturedEvaluation,
  results: EvaluationResults,
  comparison: Comparison | null,
): LinkPicture {
  const { id, config, agents, status, progress, createdAt, offline } = record;
  const { headline, title: protocol } = getProtocol(results.protocol);
  const { title, range } = getScorerOrThrow(headline);
  const sorted = sortAgentsByHeadlineMean(results);
  const names = new Intl.ListFormat('en-GB').format(agents.map(({ name }) => name));
  return {
    kind: 'Evaluation',
    title: config.name === '' ? names : config.name,
    id,
    verdict: verdictSentence(results, sorted, comparison),
    caveat: offline ? offlineCaveat : null,
    basis: sayBasis([
      `${progress.unitsDone} of ${progress.units} units${status === 'running' ? ' so far' : ''}`,
      sorted.length > 5 ? `the best 5 of ${sorted.length} agents` : null,
      `protocol ${protocol}`,
      createdAt.slice(0, 10),
    ]),
    content: {
      kind: 'rows',
      rows: sorted.map((agent) => rowOfAgent(agent, results)),
      scale: {
        title,
        range,
        floor: results.floor?.state === 'measured' ? (results.floor.scores[headline]?.value ?? null) : null,
      },
    },
  };
}

/** Where units were drawn by what they tell, the means are those over all planned ones. */
function rowOfAgent({ name, scores }: AgentResult, results: EvaluationResults): PictureRow {
  const overAll = results.decision?.means.find(({ agent }) => agent === name);
  const { mean, low, high } = overAll ?? scores[getProtocol(results.protocol).headline];
  return { name: agentNameInGroup(name, results), mean, low, high };
}

/** Says in one sentence what was found, never more than the comparison or the decision does. */
function verdictSentence(
  results: EvaluationResults,
  sorted: readonly AgentResult[],
  comparison: Comparison | null,
): string {
  if (results.decision !== undefined) return `${decisionSentence(results.decision)}.`;
  const { headline } = getProtocol(results.protocol);
  const { title } = getScorerOrThrow(headline);
  const compared = comparison?.scores[headline];
  if (comparison !== null && compared?.difference != null) return comparisonSentence(comparison, compared, title);
  const [first] = sorted;
  const { mean = null, low = null, high = null, n = 0 } = first?.scores[headline] ?? {};
  if (first === undefined || mean === null) return 'No unit is scored yet.';
  const interval = low === null || high === null ? '' : ` (${fixedDigitsText(low)} to ${fixedDigitsText(high)})`;
  return `${first.name} has ${title} ${fixedDigitsText(mean)}${interval} over ${countText(n, 'unit')}.`;
}

function comparisonSentence(
  { a, b }: Comparison,
  { difference, low, high, n, verdict }: NonNullable<Comparison['scores'][keyof Comparison['scores']]>,
  title: string,
): string {
  const over = `over ${countText(n, 'unit')}`;
  switch (verdict) {
    case 'better':
    case 'worse': {
      const [better, other] = verdict === 'better' ? [a, b] : [b, a];
      // Both bounds are on the same side of 0.
      const [least = 0, most = 0] = [low, high].map((bound) => Math.abs(bound ?? 0)).toSorted((x, y) => x - y);
      return `${better} is better than ${other} by ${fixedDigitsText(Math.abs(difference ?? 0))} (${fixedDigitsText(least)} to ${fixedDigitsText(most)}) in ${title}, ${over}.`;
    }
    case 'no-difference':
      return `${a} and ${b} are not told apart: ${title} differs by ${fixedDigitsText(difference ?? 0)} (${fixedDigitsText(low ?? 0)} to ${fixedDigitsText(high ?? 0)}) ${over}.`;
    case 'insufficient-data':
      return `${countText(n, 'unit')} ${n === 1 ? 'is' : 'are'} too few to tell ${a} and ${b} apart.`;
  }
}
