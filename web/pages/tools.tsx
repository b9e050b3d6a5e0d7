import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { IdTag } from '../parts/id-tag.tsx';
import { useTitle } from '../parts/use-title.ts';
import { ToolReportView } from '../tools/tool-report-view.tsx';

interface ToolsProps {
  readonly id: string;
  readonly kind: 'explorations' | 'evaluations';
}

/** What a run says about each tool: what `check` finds out. */
export default function Tools({ id, kind }: ToolsProps) {
  useTitle(`Tools of ${id}`);
  const client = useClient();
  const loaded = useLoaded(() => client[kind].tools(id), [client, kind, id]);
  return (
    <>
      <p class="eyebrow">
        <a href={`/${kind}/${id}`}>{kind === 'explorations' ? 'Exploration' : 'Evaluation'}</a> <IdTag id={id} />
      </p>
      <h1>Tools</h1>
      <Await of={loaded}>
        {(report) => (
          <ToolReportView report={report} unitsAt={kind === 'explorations' ? `/explorations/${id}/units/` : null} />
        )}
      </Await>
    </>
  );
}
