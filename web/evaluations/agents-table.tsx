import { sortAgentsByHeadlineMean, summaryText } from '#core/evaluation/figure-texts.ts';
import type { EvaluationResults } from '#core/evaluation/record.ts';
import { agentNameInGroup } from '#core/evaluation/rule-agents.ts';
import { listShownScorers } from '#core/evaluation/shown-scorers.ts';
import type { ScorerKey } from '#core/evaluation/scorers.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

interface AgentsTableProps {
  readonly results: EvaluationResults;
  /** Returns the address of the cases behind a figure, the worst first. */
  readonly casesAt: (agent: string, metric: ScorerKey) => string;
}

/** The agents, the best by the protocol's headline first, metric by metric with 95% intervals, and what knowing nothing scores. */
export function AgentsTable({ results, casesAt }: AgentsTableProps) {
  const metrics = listShownScorers(results);
  const floor = results.floor?.state === 'measured' ? results.floor.scores : null;
  return (
    <div class="scroll" role="region" aria-label="Agents by every metric" tabIndex={0}>
      <table>
        <caption>
          Means over units with 95% intervals; each figure leads to the cases behind it, the worst first
        </caption>
        <thead>
          <tr>
            <th class="text">agent</th>
            {metrics.map(({ key, title, question }) => (
              <th key={key} title={question}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortAgentsByHeadlineMean(results).map((agent) => (
            <tr key={agent.name}>
              <th scope="row" class="text">
                <UntrustedText text={agentNameInGroup(agent.name, results)} />
              </th>
              {metrics.map(({ key }) => (
                <td key={key}>
                  <a href={casesAt(agent.name, key)}>{summaryText(agent.scores[key])}</a>
                </td>
              ))}
            </tr>
          ))}
          {floor !== null && (
            <tr>
              <th scope="row" class="text faint">
                knowing nothing scores
              </th>
              {metrics.map(({ key }) => (
                <td key={key} class="faint">
                  {floor[key]?.value.toFixed(2) ?? ''}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
