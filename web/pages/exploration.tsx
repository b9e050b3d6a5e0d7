import { useLocation } from 'preact-iso';
import { useMemo } from 'preact/hooks';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { isOver } from '#core/exploration/runs.ts';
import { shareOfRoundsDone, type ExplorationView } from '../../client/progress/exploration-view.ts';
import { groundedCountsText, spentAndDurationText, unitCountsText } from '../../client/progress/exploration-drawing.ts';
import {
  allTransitionsTexts,
  probeCoverageMeaning,
  probeCoverageText,
  executedToolsText,
  executedTransitionsText,
} from '../../client/display/wording.ts';
import { percentText, wholeNumberText } from '../../client/command-line/text.ts';
import { addressWithQuery } from '../data/address-with-query.ts';
import { useClient, useSharedRun } from '../data/session.ts';
import { useArrivingList } from '../data/use-list.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { useRunView } from '../data/use-run-view.ts';
import { makeUnitRow } from '../data/unit-rows.ts';
import { Await } from '../parts/await.tsx';
import { EventList } from '../parts/event-list.tsx';
import { Facts } from '../parts/facts.tsx';
import { Figures } from '../parts/figures.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { RunHead } from '../parts/run-head.tsx';
import { useTitle } from '../parts/use-title.ts';
import { EstimatesSection } from '../runs/estimates-section.tsx';
import { TransitionsSection } from '../runs/transitions-section.tsx';
import { UnitsSection } from '../runs/units-section.tsx';
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
  const { path, query, route } = useLocation();
  const tool = query['tool'] ?? null;
  const shownUnits = useMemo(
    () => (tool === null ? units : units.filter(({ chain }) => chain.includes(tool))),
    [units, tool],
  );
  return (
    <>
      <RunHead kind="Exploration" id={id} name={record.name} run={run} runs={explorations} problem={problem} />
      <nav aria-label="Of this run">
        <a href={`/explorations/${id}/tools`}>What it says about each tool</a>
        {sharedRun === null && <a href={`/explorations/${id}/reviews`}>{`Reviews (${run.units.review} waiting)`}</a>}
      </nav>
      {!isOver(run.status) && (
        <progress value={shareOfRoundsDone(run)} aria-label="Share of the rounds that are done" />
      )}
      <ExplorationFacts run={run} />
      {!over && <EventList events={latest} />}
      <EstimatesSection record={record} readings={over ? stored.items : view.readings} comparedWith={query['with']} />
      <TransitionsSection
        id={id}
        tools={tools}
        transitions={transitions.items}
        tool={tool}
        unitsOfTool={shownUnits.length}
        onOpen={(opened) => route(addressWithQuery(path, query, { tool: opened }))}
      />
      <UnitsSection id={id} units={shownUnits} total={units.length} tool={tool} />
    </>
  );
}

/** The one estimate that says how far it came, and what it came to; the rest is folded. */
const ExplorationFacts = ({ run }: { readonly run: ExplorationView }) => {
  const coverage = run.reading?.probeCoverage ?? null;
  return (
    <>
      <Figures
        of={[
          ['probe coverage', coverage === null ? '–' : percentText(coverage.value)],
          ['units accepted', wholeNumberText(run.units.accepted)],
          ['rounds', run.rounds.committed, `of ${run.rounds.of}${openUnitsText(run.open)}`],
        ]}
      />
      <p class="faint">
        {run.reading === null
          ? 'The first estimate comes after the first round.'
          : `Probe coverage ${probeCoverageText(run.reading)}: ${probeCoverageMeaning}. Tools: ${executedToolsText(run.reading)}.`}
      </p>
      <details>
        <summary>All figures</summary>
        <Facts
          of={[
            ['units', unitCountsText(run.units)],
            ['facts', run.grounding === null ? null : groundedCountsText(run.grounding)],
            ['transitions', run.reading === null ? null : executedTransitionsText(run.reading)],
            ['in all', run.reading === null ? null : allTransitionsTexts(run.reading, run.strategy).join(': ')],
            ['spent', spentAndDurationText(run, Date.now())],
            ['out of reach', run.serversDown.length === 0 ? null : <UntrustedText text={run.serversDown.join(', ')} />],
          ]}
        />
      </details>
    </>
  );
};

/** A list of nothing: what is followed needs no list. */
async function* generateNothing(): AsyncGenerator<never, void, undefined> {}

const openUnitsText = (open: { readonly units: number; readonly ended: number } | null): string =>
  open === null ? '' : `, ${open.ended} of ${open.units} units of the next`;
