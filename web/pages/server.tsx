import { countsByNameText, countWithNoun } from '../../client/command-line/text.ts';
import { lookedThrough, readServer, type ReadServer, type ReportOfRun } from '../data/read-server.ts';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { Facts } from '../parts/facts.tsx';
import { IdTag } from '../parts/id-tag.tsx';
import { NextStep } from '../parts/next-step.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';
import { LocalTime } from '../parts/when.tsx';
import { ToolReportView } from '../tools/tool-report-view.tsx';
import { WatchSection } from '../watches/watch-section.tsx';

/** A server: what its latest runs say about its tools. */
export default function Server({ id }: { readonly id: string }) {
  useTitle(`Server ${id}`);
  const client = useClient();
  const loaded = useLoaded(() => readServer(client, id), [client, id]);
  return <Await of={loaded}>{(read) => <ServerView read={read} />}</Await>;
}

function ServerView({ read: { server, found } }: { readonly read: ReadServer }) {
  return (
    <>
      <p class="eyebrow">
        <IdTag id={server.id} />
      </p>
      <h1>
        Server <UntrustedText text={server.name} />
      </h1>
      <Facts
        of={[
          ['domain', server.domain],
          ['tools', countWithNoun(server.tools, 'tool')],
          ['effects', countsByNameText(server.effects)],
          ['the most that calls may do', server.allows],
        ]}
      />
      <WatchSection server={server} />
      {found.length === 0 ? (
        <NextStep
          what={`None of the latest ${lookedThrough} explorations and evaluations had its tools. Say for each of them whether agents can use it`}
          commands={[`npm run sextant -- check ${server.url ?? 'https://your-server.example/mcp'}`]}
        />
      ) : (
        found.map((each) => <ReportOfRunView key={each.id} of={each} />)
      )}
    </>
  );
}

const kindTitles = { explorations: 'Its latest exploration', evaluations: 'Its latest evaluation' } as const;

function ReportOfRunView({ of: { kind, id, name, createdAt, report } }: { readonly of: ReportOfRun }) {
  return (
    <section aria-label={kindTitles[kind]}>
      <h2>{kindTitles[kind]}</h2>
      <p>
        <a href={`/${kind}/${id}`}>
          <UntrustedText text={name || id} />
        </a>{' '}
        <span class="faint">
          <LocalTime at={createdAt} />
        </span>
      </p>
      <ToolReportView report={report} unitsAt={kind === 'explorations' ? `/explorations/${id}/units/` : null} />
    </section>
  );
}
