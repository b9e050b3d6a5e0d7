import { defaultIrrelevance } from '#core/evaluation/compare-anytime.ts';
import type { Offering as Compared } from '#core/evaluation/offering.ts';
import { offeringPairColumns, offeringSentence, offeringWayColumns } from '../../client/display/offering-lines.ts';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { IdTag } from '../parts/id-tag.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';

/** How agents of an evaluation do that differ in how tools are offered to their model: a verdict, what each way takes, and the differences. */
export default function Offering({ id }: { readonly id: string }) {
  useTitle(`Offering of ${id}`);
  const { evaluations } = useClient();
  const loaded = useLoaded(() => evaluations.offering(id, defaultIrrelevance), [id]);
  return (
    <>
      <p class="eyebrow">
        <a href={`/evaluations/${id}`}>Evaluation</a> <IdTag id={id} />
      </p>
      <h1>How to offer these tools</h1>
      <Await of={loaded}>{(compared) => <ComparedWays compared={compared} />}</Await>
    </>
  );
}

function ComparedWays({ compared }: { readonly compared: Compared }) {
  const { units, of, leftOut } = compared;
  return (
    <>
      <p class="lead">
        <strong>
          <UntrustedText text={offeringSentence(compared)} />
        </strong>
      </p>
      <WaysTable
        caption={`Means per attempt over ${units - leftOut} of ${of} units${leftOut === 0 ? '' : `; ${leftOut} were not scored for all`}`}
        columns={offeringWayColumns(compared)}
        rows={compared.agents}
      />
      <WaysTable
        caption="Differences, the second less the first; of what is taken in percent of the larger. All intervals hold together with 95%, however often one looks"
        columns={offeringPairColumns(compared)}
        rows={compared.pairs}
      />
    </>
  );
}

interface WaysTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly { readonly title: string; cell(row: Row): string | number }[];
  readonly rows: readonly Row[];
}

/** A table whose first column names the row; names of agents are texts from outside. */
const WaysTable = <Row,>({ caption, columns: [first, ...others], rows }: WaysTableProps<Row>) => (
  <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th class="text">{first?.title}</th>
          {others.map(({ title }) => (
            <th key={title}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            <th scope="row" class="text">
              <UntrustedText text={String(first?.cell(row) ?? '')} />
            </th>
            {others.map((column) => (
              <td key={column.title}>
                <UntrustedText text={String(column.cell(row))} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
