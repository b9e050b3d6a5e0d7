import { useState } from 'preact/hooks';
import { signedDifferenceText, toldCell, toldDifferenceNote } from '#core/evaluation/figure-texts.ts';
import type { Comparison } from '#core/evaluation/record.ts';
import { ruleAgentsNoteOrNull } from '#core/evaluation/rule-agents.ts';
import { scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';

interface CompareAgentsProps {
  readonly id: string;
  readonly protocol: ProtocolKey;
  readonly agents: readonly string[];
  /** Loads it again when it changes. */
  readonly version: number;
}

/** Two agents on the units that both are scored on. */
export function AgentComparison({ id, protocol, agents, version }: CompareAgentsProps) {
  const { evaluations } = useClient();
  const [[a, b], choose] = useState<readonly [string, string]>([agents[0] ?? '', agents[1] ?? '']);
  const loaded = useLoaded(() => evaluations.compare(id, a, b), [id, a, b, version]);
  return (
    <section>
      <h2>Two agents, paired</h2>
      <p class="controls">
        <AgentChoice label="First agent" agents={agents} value={a} onChange={(name) => choose([name, b])} />
        <AgentChoice label="Second agent" agents={agents} value={b} onChange={(name) => choose([a, name])} />
      </p>
      <Await of={loaded}>
        {({ scores, ruleAgents }) => (
          <>
            <PairedTable protocol={protocol} scores={scores} />
            <RuleAgentsNote of={ruleAgents} />
          </>
        )}
      </Await>
    </section>
  );
}

interface PairedTableProps {
  readonly protocol: ProtocolKey;
  readonly scores: Comparison['scores'];
}

function PairedTable({ protocol, scores }: PairedTableProps) {
  return (
    <div class="scroll" role="region" aria-label="Two agents, paired" tabIndex={0}>
      <table>
        <caption>
          The first minus the second, with 95% intervals, over units that both are scored on. {toldDifferenceNote}
        </caption>
        <thead>
          <tr>
            <th class="text">metric</th>
            <th>difference</th>
            <th>interval</th>
            <th>tells</th>
            <th>units</th>
            <th class="text">the first is</th>
          </tr>
        </thead>
        <tbody>
          {scorersOfProtocol(protocol).map(({ key, title }) => {
            const paired = scores[key];
            if (paired === undefined || paired.difference === null) return null;
            return (
              <tr key={key}>
                <th scope="row" class="text">
                  {title}
                </th>
                <td>{signedDifferenceText(paired.difference)}</td>
                <td>
                  {paired.low === null || paired.high === null
                    ? ''
                    : `${signedDifferenceText(paired.low)} to ${signedDifferenceText(paired.high)}`}
                </td>
                <td>{toldCell(paired.detectable)}</td>
                <td>{paired.n}</td>
                <td class="text">{paired.verdict}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Says that the difference is no evidence where one of the two follows rules. */
function RuleAgentsNote({ of }: { readonly of: Comparison['ruleAgents'] }) {
  const note = ruleAgentsNoteOrNull(of);
  return note === null ? null : (
    <p class="note">
      <UntrustedText text={note} />
    </p>
  );
}

interface AgentChoiceProps {
  readonly label: string;
  readonly agents: readonly string[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

const AgentChoice = ({ label, agents, value, onChange }: AgentChoiceProps) => (
  <label>
    {`${label} `}
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {agents.map((name) => (
        <option key={name} value={name}>
          <UntrustedText text={name} />
        </option>
      ))}
    </select>
  </label>
);
