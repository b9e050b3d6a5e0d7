import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ServerRecord } from '#core/catalog/server.ts';
import type { ShownWatch } from '../../client/resources/watches.ts';
import { isGrave, type Incident } from '#core/reports/watch/incident.ts';
import { countWithNoun } from '../../client/command-line/text.ts';
import { useClient } from '../data/session.ts';
import { errorText, useLoaded } from '../data/use-loaded.ts';
import { Await, ProblemText } from '../parts/await.tsx';
import { Facts } from '../parts/facts.tsx';
import { NextStep } from '../parts/next-step.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { LocalTime } from '../parts/when.tsx';
import { IncidentView } from './incident-view.tsx';
import { VisitBarsFigure } from './visit-bars-figure.tsx';
import { WatchLabel } from './watch-label.tsx';

/** Whether a server is as it was: its watches, or the command that makes one. */
export function WatchSection({ server: { id, name, url } }: { readonly server: ServerRecord }) {
  const { watches } = useClient();
  const [change, setChange] = useState(0);
  const loaded = useLoaded(async () => {
    const all = await Array.fromAsync(watches.list());
    return Promise.all(all.filter(({ server }) => server.id === id).map((each) => watches.get(each.id)));
  }, [watches, id, change]);
  if (url === null) return null;
  return (
    <section aria-label="Watch">
      <h2>Watch</h2>
      <Await of={loaded}>
        {(found) =>
          found.length === 0 ? (
            <NextStep
              what="Nobody watches this server. Be told when what it offers, or how it answers, has changed"
              commands={[`npm run sextant -- watch add ${name} --webhook URL --public`]}
            />
          ) : (
            found.map((each) => (
              <WatchView key={each.watch.id} of={each} onChange={() => setChange((count) => count + 1)} />
            ))
          )
        }
      </Await>
    </section>
  );
}

interface WatchViewProps {
  readonly of: ShownWatch;
  /** Reads it again. */
  readonly onChange: () => void;
}

function WatchView({ of: { watch, incidents, visits }, onChange }: WatchViewProps) {
  const { watches } = useClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const act = (action: Promise<unknown>): void => {
    setIsBusy(true);
    const end = (said: string | null): void => {
      setProblem(said);
      setIsBusy(false);
      onChange();
    };
    action.then(
      () => end(null),
      (error: unknown) => end(errorText(error)),
    );
  };
  return (
    <>
      <div class="controls">
        <WatchLabel watch={watch} />
        <button type="button" disabled={isBusy} onClick={() => act(watches.visit(watch.id))}>
          {isBusy ? 'Asking the server' : 'Visit now'}
        </button>
        {watch.public && <a href={`/watches/${watch.id}`}>Public page</a>}
      </div>
      {problem !== null && <ProblemText text={problem} />}
      <WatchNote what="The last visit did not reach it" why={watch.problem} />
      <WatchNote what="The last message could not be delivered" why={watch.undelivered} />
      <IncidentLists incidents={incidents} onAccept={(number) => act(watches.accept(watch.id, number))}>
        {visits.length > 0 && <VisitBarsFigure visits={visits} />}
      </IncidentLists>
      <Facts
        of={[
          ['visits', `${watch.visits}, one every ${countWithNoun(watch.everyHours, 'hour')}`],
          ['each repeats', countWithNoun(watch.calls, 'call')],
          ['next', watch.nextVisitAt === null ? null : <LocalTime at={watch.nextVisitAt} />],
          ['messages go to', watch.webhook === null ? null : <UntrustedText text={watch.webhook} />],
        ]}
      />
    </>
  );
}

interface WatchNoteProps {
  readonly what: string;
  /** Null if there is nothing to note. */
  readonly why: string | null;
}

const WatchNote = ({ what, why }: WatchNoteProps) =>
  why === null ? null : (
    <p class="note">
      {what}: <UntrustedText text={why} />
    </p>
  );

interface IncidentListsProps {
  readonly incidents: readonly Incident[];
  readonly onAccept: (number: number) => void;
  /** What stands between those that last and those that are over. */
  readonly children: ComponentChildren;
}

/** The incidents that last, the gravest first, and those that are over, folded. */
function IncidentLists({ incidents, onAccept, children }: IncidentListsProps) {
  const over = incidents.filter(({ overAt }) => overAt !== null);
  const lasting = incidents
    .filter(({ overAt }) => overAt === null)
    .toSorted((a, b) => Number(isGrave(b)) - Number(isGrave(a)));
  return (
    <>
      <ul class="plain findings">
        {lasting.map((incident) => (
          <li key={incident.number}>
            <IncidentView
              incident={incident}
              onAccept={incident.kind === 'unreached' ? null : () => onAccept(incident.number)}
            />
          </li>
        ))}
      </ul>
      {children}
      {over.length > 0 && (
        <details>
          <summary>{`Over: ${countWithNoun(over.length, 'incident')}`}</summary>
          <ul class="plain findings">
            {over.map((incident) => (
              <li key={incident.number}>
                <IncidentView incident={incident} onAccept={null} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
