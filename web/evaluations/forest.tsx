import { fixedDigitsText, sortAgentsByHeadlineMean } from '#core/evaluation/figure-texts.ts';
import type { AgentResult, EvaluationResults } from '#core/evaluation/record.ts';
import { agentNameInGroup } from '#core/evaluation/rule-agents.ts';
import { getScorerOrThrow, type ScorerKey } from '#core/evaluation/scorers.ts';
import { wholeNumberText } from '../../client/command-line/text.ts';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Scale } from '../parts/scale.tsx';

interface ForestProps {
  readonly results: EvaluationResults;
  readonly metric: ScorerKey;
  /** Returns the address of the cases behind a figure, the worst first. */
  readonly casesAt: (agent: string, metric: ScorerKey) => string;
}

/** The agents by one metric, each with its interval on the same scale, beside that of the first and the floor. */
export function Forest({ results, metric, casesAt }: ForestProps) {
  const { title, question, range } = getScorerOrThrow(metric);
  const agents = sortAgentsByHeadlineMean(results);
  const floor = results.floor?.state === 'measured' ? results.floor.scores[metric]?.value : undefined;
  const first = agents[0]?.scores[metric];
  const beside =
    first == null || first.low === null || first.high === null ? undefined : ([first.low, first.high] as const);
  const [least, most] = range.map((end) => (Number.isFinite(end) ? String(end) : ''));
  return (
    <div class="scroll phone" role="region" aria-label="Agents" tabIndex={0}>
      <table class="forest" role="table">
        <caption>
          {question}
          {` Means over units with 95% intervals; the shaded part is the interval of the first${floor === undefined ? '' : ', the dashed line what knowing nothing scores'}.`}
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" class="text">
              agent
            </th>
            <th role="columnheader">{title}</th>
            <th role="columnheader" class="text" aria-label={`${title} on its scale`}>
              <span class="ends">
                <span>{least}</span>
                <span>{most}</span>
              </span>
            </th>
            <th role="columnheader">tokens per attempt</th>
            <th role="columnheader">cost</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {agents.map((agent) => (
            <tr key={agent.name} role="row">
              <th scope="row" role="rowheader" class="text">
                <UntrustedText text={agentNameInGroup(agent.name, results)} />
              </th>
              <td role="cell" data-of={title}>
                <a href={casesAt(agent.name, metric)}>
                  <FigureText of={agent.scores[metric]} />
                </a>
              </td>
              <td role="cell" class="scale">
                <Scale {...agent.scores[metric]} range={range} floor={floor} beside={beside} isWide />
              </td>
              <td role="cell" data-of="tokens per attempt">
                {agent.tokensPerAttempt === null ? 'unknown' : wholeNumberText(agent.tokensPerAttempt)}
              </td>
              <td role="cell" data-of="cost">
                {agent.costUsd === null ? 'unknown' : `$${agent.costUsd.toFixed(2)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A mean, with its interval and the number of unscored units in small. */
const FigureText = ({ of: { mean, low, high, unscored } }: { readonly of: AgentResult['scores'][ScorerKey] }) => (
  <>
    <strong>{mean === null ? 'none' : fixedDigitsText(mean)}</strong>
    {low !== null && high !== null && <small>{`${fixedDigitsText(low)} to ${fixedDigitsText(high)}`}</small>}
    {unscored > 0 && <small>{`${unscored} unscored`}</small>}
  </>
);
