import type { AgentResult } from '#core/evaluation/record.ts';
import { disturbanceMeanings, disturbanceNotes, listDisturbanceColumns } from '#core/evaluation/disturbance-texts.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

/** What disturbances change, a table an agent; nothing where nothing was disturbed. */
export function DisturbancesSection({ agents }: { readonly agents: readonly AgentResult[] }) {
  const disturbed = agents.filter(({ disturbances = [] }) => disturbances.length > 0);
  const rows = disturbed.flatMap(({ disturbances = [] }) => disturbances);
  const columns = listDisturbanceColumns(rows);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="disturbances">
      <h2 id="disturbances">Under disturbances</h2>
      {disturbanceNotes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {disturbed.map(({ name, disturbances = [] }) => (
        <div key={name} class="scroll" role="region" aria-label={`${name} under disturbances`} tabIndex={0}>
          <table>
            <caption>
              <UntrustedText text={name} />
            </caption>
            <thead>
              <tr>
                {columns.map(({ title }) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {disturbances.map((row) => (
                <tr key={row.kind ?? 'all'}>
                  {columns.map(({ title, of }, at) =>
                    at === 0 ? (
                      <th key={title} scope="row" class="text">
                        {of(row)}
                      </th>
                    ) : (
                      <td key={title}>{of(row)}</td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
      <details>
        <summary>What each kind changes</summary>
        <ul>
          {disturbanceMeanings(rows).map((meaning) => (
            <li key={meaning}>{meaning}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
