import type { CatalogRecord, ServerRecord } from '#core/catalog/server.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { WatchRecord } from '#core/reports/watch/record.ts';
import { useClient } from '../data/session.ts';
import { isFloor } from '../data/floor.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { countsByNameText, countWithNoun, wholeNumberText } from '../../client/command-line/text.ts';
import { Await } from '../parts/await.tsx';
import { NextStep } from '../parts/next-step.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Status } from '../parts/status.tsx';
import { useTitle } from '../parts/use-title.ts';
import { LocalTime } from '../parts/when.tsx';
import { EvaluationCard, ExplorationCard } from '../runs/run-cards.tsx';
import { WatchLabel } from '../watches/watch-label.tsx';

/** How many of the latest runs of each kind are read, and how many of all are cards. */
const [mostRuns, mostCards] = [10, 6];

/** What to do next, the latest runs with their headlines, the servers. */
export function Home() {
  useTitle('Runs');
  const client = useClient();
  const loaded = useLoaded(async () => {
    const [explorations, evaluations, servers, catalogs, watches] = await Promise.all([
      client.explorations
        .latest(mostRuns)
        .then((runs) => Promise.all(runs.map(({ id }) => client.explorations.get(id)))),
      client.evaluations.latest(mostRuns).then((runs) => Promise.all(runs.map(({ id }) => client.evaluations.get(id)))),
      Array.fromAsync(client.servers.list()),
      Array.fromAsync(client.catalogs.list()),
      Array.fromAsync(client.watches.list()),
    ]);
    const runs = [
      ...explorations.map((run) => ({
        kind: 'explorations' as const,
        run,
        name: run.name || `Exploration of ${namesOfServers(catalogs, run.config.catalog)}`,
      })),
      ...evaluations.map((run) => ({
        kind: 'evaluations' as const,
        run,
        name: run.config.name || `Evaluation on ${namesOfServers(catalogs, run.provenance.catalog)}`,
      })),
    ].toSorted((a, b) => b.run.createdAt.localeCompare(a.run.createdAt));
    const cards = runs.filter((each) => each.kind === 'explorations' || !isFloor(each.run)).slice(0, mostCards);
    return { explorations, evaluations, servers, watches, cards, others: runs.filter((each) => !cards.includes(each)) };
  }, [client]);
  return (
    <>
      <h1>Runs</h1>
      <Await of={loaded}>
        {({ explorations, evaluations, servers, watches, cards, others }) => (
          <>
            <NextCommandHint
              servers={servers.length}
              explorations={explorations.length}
              evaluations={evaluations.length}
            />
            <ul class="cards">
              {cards.map((each) =>
                each.kind === 'explorations' ? (
                  <ExplorationCard key={each.run.id} run={each.run} name={each.name} />
                ) : (
                  <EvaluationCard key={each.run.id} run={each.run} name={each.name} />
                ),
              )}
            </ul>
            <OtherRuns runs={others} />
            <ServerTable servers={servers} watches={watches} />
          </>
        )}
      </Await>
    </>
  );
}

const mostNamed = 3;

/** Names the servers of a catalog: three, and how many others there are. */
function namesOfServers(catalogs: readonly CatalogRecord[], id: string): string {
  const names = catalogs.find((each) => each.id === id)?.servers.map(({ name }) => name) ?? [];
  const others = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${others > 0 ? ` and ${countWithNoun(others, 'other')}` : ''}` || id;
}

interface OtherRunsProps {
  readonly runs: readonly {
    readonly kind: 'explorations' | 'evaluations';
    readonly name: string;
    readonly run: Pick<EvaluationRecord, 'id' | 'status' | 'createdAt'>;
  }[];
}

/** The runs that are no cards, a line each. */
function OtherRuns({ runs }: OtherRunsProps) {
  if (runs.length === 0) return null;
  return (
    <details>
      <summary>Earlier runs, and floors of benchmarks</summary>
      <ul class="plain">
        {runs.map(({ kind, run, name }) => (
          <li key={run.id}>
            <a href={`/${kind}/${run.id}`}>
              <UntrustedText text={name} />
            </a>{' '}
            <Status of={run.status} />{' '}
            <span class="faint">
              <LocalTime at={run.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ServerTableProps {
  readonly servers: readonly ServerRecord[];
  readonly watches: readonly WatchRecord[];
}

function ServerTable({ servers, watches }: ServerTableProps) {
  if (servers.length === 0) return null;
  return (
    <section>
      <h2>Servers</h2>
      <div class="scroll" role="region" aria-label="Servers" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th class="text">server</th>
              <th class="text">domain</th>
              <th>tools</th>
              <th class="text">what they do</th>
              <th class="text">watch</th>
            </tr>
          </thead>
          <tbody>
            {servers.map(({ id, name, domain, tools, effects }) => (
              <tr key={id}>
                <th scope="row" class="text">
                  <a href={`/servers/${id}`}>
                    <UntrustedText text={name} />
                  </a>
                </th>
                <td class="text">{domain}</td>
                <td>{wholeNumberText(tools)}</td>
                <td class="text">{countsByNameText(effects)}</td>
                <td class="text">
                  {watches
                    .filter(({ server }) => server.id === id)
                    .map((watch) => (
                      <WatchLabel key={watch.id} watch={watch} />
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The command that leads on from what there is. */
function NextCommandHint({
  servers,
  explorations,
  evaluations,
}: Readonly<Record<'servers' | 'explorations' | 'evaluations', number>>) {
  if (servers === 0)
    return (
      <NextStep
        what="Say for each tool of a server whether agents can use it"
        commands={['npm run sextant -- check https://your-server.example/mcp']}
      />
    );
  if (explorations === 0)
    return (
      <NextStep
        what="Chart what the tools of these servers do together"
        commands={['npm run sextant -- catalogs create', 'npm run sextant -- explore --catalog CATALOG']}
      />
    );
  if (evaluations === 0)
    return (
      <NextStep
        what="Measure an agent on what was found"
        commands={[
          'npm run sextant -- benchmarks freeze EXPLORATION',
          'npm run sextant -- evaluate --benchmark BENCHMARK',
        ]}
      />
    );
  return null;
}
