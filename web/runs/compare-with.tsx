import { useLocation } from 'preact-iso';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { addressWithQuery } from '../data/address-with-query.ts';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { ProblemText } from '../parts/await.tsx';
import { namesOfRuns } from './names-of-runs.ts';

/** How many of the latest explorations can be chosen. */
const mostOffered = 20;

interface CompareWithProps {
  readonly id: string;
  /** The run that is compared; null if none is. */
  readonly chosen: ExplorationRecord | null;
  /** Why the chosen run cannot be read; null if it can. */
  readonly problem: string | null;
}

/** Chooses another exploration whose curves are drawn behind those of this one. The choice is in the address. */
export function CompareWith({ id, chosen, problem }: CompareWithProps) {
  const { explorations } = useClient();
  const { path, query, route } = useLocation();
  const latest = useLoaded(
    async (signal) => {
      const runs = await explorations.latest(mostOffered + 1);
      const others = runs.filter((run) => run.id !== id).slice(0, mostOffered);
      return Promise.all(others.map((run) => explorations.get(run.id, signal)));
    },
    [explorations, id],
  );
  const recent = latest.state === 'loaded' ? latest.value : [];
  const offered = chosen === null || recent.some((run) => run.id === chosen.id) ? recent : [chosen, ...recent];
  const names = namesOfRuns(offered);
  const problems = [problem, latest.state === 'failed' ? latest.problem : null].filter((each) => each !== null);
  return (
    <>
      {offered.length > 0 && (
        <label>
          Compare with{' '}
          <select
            value={chosen?.id ?? ''}
            onChange={({ currentTarget: { value } }) =>
              route(addressWithQuery(path, query, { with: value === '' ? null : value }))
            }
          >
            <option value="">nothing</option>
            {offered.map((run) => (
              <option key={run.id} value={run.id}>
                {names.get(run.id)}
              </option>
            ))}
          </select>
        </label>
      )}
      {problems.map((each) => (
        <ProblemText key={each} text={`Other explorations cannot be read: ${each}`} />
      ))}
    </>
  );
}
