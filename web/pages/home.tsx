import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { wholeNumberText, countWithNoun, percentText } from '../../client/command-line/text.ts';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Status } from '../parts/status.tsx';
import { LocalTime } from '../parts/when.tsx';
import { useTitle } from '../parts/use-title.ts';

const mostRuns = 10;

/** The latest runs, the servers, and what to do next. */
export function Home() {
  useTitle('Runs');
  const client = useClient();
  const loaded = useLoaded(async () => {
    const [explorations, evaluations, servers] = await Promise.all([
      client.explorations
        .latest(mostRuns)
        .then((runs) => Promise.all(runs.map(({ id }) => client.explorations.get(id)))),
      client.evaluations.latest(mostRuns).then((runs) => Promise.all(runs.map(({ id }) => client.evaluations.get(id)))),
      Array.fromAsync(client.servers.list()),
    ]);
    return { explorations, evaluations, servers };
  }, [client]);
  return (
    <>
      <h1>Runs</h1>
      <Await of={loaded}>
        {({ explorations, evaluations, servers }) => (
          <>
            <NextCommandHint
              servers={servers.length}
              explorations={explorations.length}
              evaluations={evaluations.length}
            />
            <ExplorationList runs={explorations} />
            <EvaluationList runs={evaluations} />
            <h2>Servers</h2>
            {servers.length === 0 ? (
              <p class="faint">None is registered.</p>
            ) : (
              <ul class="plain">
                {servers.map(({ id, name, tools, domain }) => (
                  <li key={id}>
                    <a href={`/servers/${id}`}>
                      <UntrustedText text={name} />
                    </a>{' '}
                    <span class="faint">{`${countWithNoun(tools, 'tool')}, ${domain}`}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Await>
    </>
  );
}

function ExplorationList({ runs }: { readonly runs: readonly ExplorationRecord[] }) {
  if (runs.length === 0) return null;
  return (
    <div class="scroll" role="region" aria-label="Explorations" tabIndex={0}>
      <table>
        <caption>Explorations, the latest first</caption>
        <thead>
          <tr>
            <th class="text">run</th>
            <th class="text">state</th>
            <th>rounds</th>
            <th>accepted</th>
            <th>probe coverage</th>
            <th>started</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ id, name, status, rounds, config, units, reading, createdAt }) => (
            <tr key={id}>
              <td class="text">
                <a href={`/explorations/${id}`}>
                  <UntrustedText text={name || id} />
                </a>
              </td>
              <td class="text">
                <Status of={status} />
              </td>
              <td>{`${rounds} of ${config.budget.rounds}`}</td>
              <td>{wholeNumberText(units.accepted)}</td>
              <td>{reading?.probeCoverage == null ? '' : percentText(reading.probeCoverage.value)}</td>
              <td>
                <LocalTime at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EvaluationList({ runs }: { readonly runs: readonly EvaluationRecord[] }) {
  if (runs.length === 0) return null;
  return (
    <div class="scroll" role="region" aria-label="Evaluations" tabIndex={0}>
      <table>
        <caption>Evaluations, the latest first</caption>
        <thead>
          <tr>
            <th class="text">run</th>
            <th class="text">state</th>
            <th class="text">agents</th>
            <th>units</th>
            <th>started</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ id, config, status, agents, progress, createdAt }) => (
            <tr key={id}>
              <td class="text">
                <a href={`/evaluations/${id}`}>
                  <UntrustedText text={config.name || id} />
                </a>
              </td>
              <td class="text">
                <Status of={status} />
              </td>
              <td class="text">
                <UntrustedText text={agents.map((agent) => agent.name).join(', ')} />
              </td>
              <td>{`${wholeNumberText(progress.unitsDone)} of ${wholeNumberText(progress.units)}`}</td>
              <td>
                <LocalTime at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The command that leads on from what there is. */
function NextCommandHint({
  servers,
  explorations,
  evaluations,
}: Readonly<Record<'servers' | 'explorations' | 'evaluations', number>>) {
  const next =
    servers === 0
      ? [
          'Say for each tool of a server whether agents can use it:',
          'npm run sextant -- check https://your-server.example/mcp',
        ]
      : explorations === 0
        ? [
            'Chart what the tools of these servers do together:',
            'npm run sextant -- catalogs create',
            'npm run sextant -- explore --catalog CATALOG',
          ]
        : evaluations === 0
          ? [
              'Measure an agent on what was found:',
              'npm run sextant -- benchmarks freeze EXPLORATION',
              'npm run sextant -- evaluate --benchmark BENCHMARK',
            ]
          : null;
  if (next === null) return null;
  const [what, ...commands] = next;
  return (
    <section aria-label="What to do next" class="next">
      <p>{what}</p>
      <pre>{commands.join('\n')}</pre>
    </section>
  );
}
