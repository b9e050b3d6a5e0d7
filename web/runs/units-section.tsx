import { useMemo, useState } from 'preact/hooks';
import type { UnitRow } from '../data/unit-rows.ts';
import { LongTable, type LongColumn } from '../parts/long-table.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Status } from '../parts/status.tsx';

/** Where links to the list of units lead. */
export const unitsHeadingId = 'units';

interface UnitsSectionProps {
  readonly id: string;
  /** All units, or those of the open tool. */
  readonly units: readonly UnitRow[];
  /** How many there are of any tool. */
  readonly total: number;
  /** The open tool, to which the list is narrowed; null if none is. */
  readonly tool: string | null;
}

/** The units of an exploration, which can be searched. */
export function UnitsSection({ id, units, total, tool }: UnitsSectionProps) {
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const found = useMemo(
    () =>
      units.filter(({ id: unit, state, chain }) => `${unit} ${state} ${chain.join(' ')}`.toLowerCase().includes(words)),
    [units, words],
  );
  const columns: readonly LongColumn<UnitRow>[] = [
    {
      title: 'unit',
      width: 2,
      cell: (unit) => <a href={`/explorations/${id}/units/${unit.id}`}>{unit.id}</a>,
    },
    { title: 'state', width: 2, cell: ({ state }) => <Status of={state} /> },
    { title: 'kind', width: 1, cell: ({ probe }) => (probe ? 'probe' : '') },
    { title: 'score', width: 1, isNumber: true, cell: ({ score }) => score ?? '' },
    { title: 'chain', width: 8, cell: ({ chain }) => <UntrustedText text={chain.join(' → ')} /> },
  ];
  return (
    <section>
      <h2 id={unitsHeadingId} tabIndex={-1}>
        Units
      </h2>
      {tool !== null && (
        <p>
          Those with <UntrustedText text={tool} /> in their chain.
        </p>
      )}
      <label>
        Search units <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <LongTable
        caption={`${found.length} of ${total} units`}
        columns={columns}
        rows={found}
        keyOf={(unit) => unit.id}
      />
    </section>
  );
}
