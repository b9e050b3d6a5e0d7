import { useMemo, useState } from 'preact/hooks';
import type { TransitionRecord } from '#core/exploration/counts.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { isOver } from '#core/runs.ts';
import { shareOfRoundsDone } from '../../client/progress/exploration-view.ts';
import { groundedCountsText, spentAndDurationText, unitCountsText } from '../../client/progress/exploration-drawing.ts';
import {
  chao1CaveatText,
  chao1Text,
  probeCoverageMeaning,
  probeCoverageText,
  executedToolsText,
  executedTransitionsText,
} from '../../client/display/wording.ts';
import { EstimateCharts } from '../charts/estimates.tsx';
import { ToolSpaceChart } from '../charts/tool-space.tsx';
import { useClient, useSharedRun } from '../data/session.ts';
import { useArrivingList } from '../data/use-list.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { useRunView } from '../data/use-run-view.ts';
import { makeUnitRow, type UnitRow } from '../data/unit-rows.ts';
import { Await } from '../parts/await.tsx';
import { EventList } from '../parts/event-list.tsx';
import { Facts } from '../parts/facts.tsx';
import { LongTable, type LongColumn } from '../parts/long-table.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { RunHead } from '../parts/run-head.tsx';
import { Status } from '../parts/status.tsx';
import { useTitle } from '../parts/use-title.ts';
import { pageViewAfterEvents, initialPageView } from '../runs/exploration-page-view.ts';

/** An exploration: how it stands, live while it runs; its tool space, its estimates, its units. */
export default function Exploration({ id }: { readonly id: string }) {
  useTitle(`Exploration ${id}`);
  const client = useClient();
  const loaded = useLoaded(
    async (signal) => {
      const record = await client.explorations.get(id, signal);
      const { tools } = await client.catalogs.get(record.config.catalog);
      return { record, tools: tools.map(({ name }) => name) };
    },
    [client, id],
  );
  return <Await of={loaded}>{(value) => <ExplorationRunView key={id} {...value} />}</Await>;
}

interface RunProps {
  readonly record: ExplorationRecord;
  readonly tools: readonly string[];
}

function ExplorationRunView({ record, tools }: RunProps) {
  const { id } = record;
  const { explorations } = useClient();
  const sharedRun = useSharedRun();
  const over = isOver(record.status);
  const { view, latest, problem } = useRunView(
    {
      initial: initialPageView(record),
      advance: pageViewAfterEvents,
      events: over ? null : (options) => explorations.events(id, options),
    },
    [id],
  );
  const { run } = view;
  const listed = useArrivingList(
    (signal) => (over ? explorations.units(id, { pageSize: 500, signal }) : generateNothing()),
    [id],
  );
  const units = useMemo(
    () => (over ? listed.items.map(makeUnitRow) : [...view.units.values()].toReversed()),
    [over, listed.items, view.units],
  );
  const stored = useArrivingList((signal) => (over ? explorations.readings(id, { signal }) : generateNothing()), [id]);
  const transitions = useArrivingList(
    (signal) => explorations.transitions(id, { pageSize: 500, signal }),
    [id, run.rounds.committed],
  );
  return (
    <>
      <RunHead kind="Exploration" id={id} name={record.name} run={run} runs={explorations} problem={problem} />
      <nav aria-label="Of this run">
        <a href={`/explorations/${id}/tools`}>What it says about each tool</a>
        {sharedRun === null && <a href={`/explorations/${id}/reviews`}>{`Reviews (${run.units.review} waiting)`}</a>}
      </nav>
      <progress value={shareOfRoundsDone(run)} aria-label="Share of the rounds that are done" />
      <Facts
        of={[
          ['rounds', `${run.rounds.committed} of ${run.rounds.of}${openUnitsText(run.open)}`],
          ['units', unitCountsText(run.units)],
          ['facts', run.grounding === null ? null : groundedCountsText(run.grounding)],
          ['probe coverage', run.reading === null ? 'after the first round' : probeCoverageText(run.reading)],
          ['', run.reading === null ? null : probeCoverageMeaning],
          ['Chao1', run.reading === null ? null : `${chao1Text(run.reading)}: ${chao1CaveatText(run.strategy)}`],
          ['transitions', run.reading === null ? null : executedTransitionsText(run.reading)],
          ['tools', run.reading === null ? null : executedToolsText(run.reading)],
          ['spent', spentAndDurationText(run, Date.now())],
          ['out of reach', run.serversDown.length === 0 ? null : <UntrustedText text={run.serversDown.join(', ')} />],
        ]}
      />
      <EstimateCharts readings={over ? stored.items : view.readings} />
      <TransitionsSection tools={tools} transitions={transitions.items} />
      <UnitsSection id={id} units={units} />
      {!over && <EventList events={latest} />}
    </>
  );
}

/** A list of nothing: what is followed needs no list. */
async function* generateNothing(): AsyncGenerator<never, void, undefined> {}

const openUnitsText = (open: { readonly units: number; readonly ended: number } | null): string =>
  open === null ? '' : `, ${open.ended} of ${open.units} units of the next`;

const transitionColumns: readonly LongColumn<TransitionRecord>[] = [
  { title: 'from', width: 5, cell: ({ from }) => <UntrustedText text={from} /> },
  { title: 'to', width: 5, cell: ({ to }) => <UntrustedText text={to} /> },
  { title: 'executed', width: 2, isNumber: true, cell: ({ executed }) => executed },
  { title: 'expected', width: 2, isNumber: true, cell: ({ expected }) => expected },
  { title: 'value passed', width: 2, isNumber: true, cell: ({ valuePassed }) => valuePassed },
];

function TransitionsSection({
  tools,
  transitions,
}: {
  readonly tools: readonly string[];
  readonly transitions: readonly TransitionRecord[];
}) {
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const found = useMemo(
    () => transitions.filter(({ from, to }) => `${from} ${to}`.toLowerCase().includes(words)),
    [transitions, words],
  );
  return (
    <section>
      <h2>Tool space</h2>
      <label>
        Search tools <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <ToolSpaceChart tools={tools} transitions={transitions} search={search} />
      <LongTable
        caption={`${found.length} of ${transitions.length} transitions: in how many units each occurred`}
        columns={transitionColumns}
        rows={found}
        keyOf={({ from, to }) => `${from} ${to}`}
      />
    </section>
  );
}

function UnitsSection({ id, units }: { readonly id: string; readonly units: readonly UnitRow[] }) {
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
      <h2>Units</h2>
      <label>
        Search units <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <LongTable
        caption={`${found.length} of ${units.length} units`}
        columns={columns}
        rows={found}
        keyOf={(unit) => unit.id}
      />
    </section>
  );
}
