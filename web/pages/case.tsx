import type { CaseDetail } from '#core/evaluation/record.ts';
import { useLocation } from 'preact-iso';
import { Attempt } from '../attempts/attempt.tsx';
import { Scores } from '../attempts/scores.tsx';
import { useClient } from '../data/session.ts';
import { useArrivingList } from '../data/use-list.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';

interface CaseProps {
  readonly id: string;
  readonly case: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A case: what an agent did at each request of a unit, and its scores; beside another case of the unit if `with` names one. */
export default function Case({ id, case: shown, query }: CaseProps) {
  const wanted = decodeURIComponent(shown);
  useTitle(`Case ${wanted}`);
  const { evaluations } = useClient();
  const beside = query['with'];
  const loaded = useLoaded(
    () => Promise.all([wanted, ...(beside === undefined ? [] : [beside])].map((each) => evaluations.case(id, each))),
    [id, wanted, beside],
  );
  return (
    <>
      <p class="faint">
        <a href={`/evaluations/${id}`}>{`Evaluation ${id}`}</a>
      </p>
      <h1>
        Case <UntrustedText text={wanted} />
      </h1>
      <Await of={loaded}>
        {(details) => (
          <>
            <OtherCaseChoice id={id} details={details} />
            <div class="sides">
              {details.map((detail) => (
                <CaseView key={detail.case.id} detail={detail} />
              ))}
            </div>
          </>
        )}
      </Await>
    </>
  );
}

function CaseView({ detail }: { readonly detail: CaseDetail }) {
  const { agent, trial, requests, attempts, scores } = detail.case;
  return (
    <section>
      <h2>
        <UntrustedText text={agent} />
        {`, trial ${trial}`}
      </h2>
      <Scores scores={scores} caption="Scores of the case" />
      {requests.map((request) => {
        const trace = detail.traces[request];
        const attempt = attempts[request];
        if (trace === undefined || attempt === undefined)
          return (
            <p key={request} class="faint">{`The attempt at ${request} has not been made, or crashed and is held.`}</p>
          );
        return (
          <section key={request}>
            <h3 class="side">{request}</h3>
            {attempt.crashed === true && <p class="note">The agent crashed, which counts as an empty answer.</p>}
            <Attempt request={detail.asked[request] ?? ''} chain={detail.chain} trace={trace} />
            <Scores scores={attempt.scores} caption="Scores of this attempt" />
          </section>
        );
      })}
    </section>
  );
}

/** Chooses another case of the same unit to be shown beside this one. */
function OtherCaseChoice({ id, details }: { readonly id: string; readonly details: readonly CaseDetail[] }) {
  const { evaluations } = useClient();
  const { route } = useLocation();
  const [first, second] = details;
  const unit = first?.case.unit;
  const cases = useArrivingList(
    (signal) => evaluations.cases(id, { pageSize: 500, signal, filter: { unit } }),
    [id, unit],
  );
  if (first === undefined) return null;
  const others = cases.items.filter((each) => each.id !== first.case.id);
  if (others.length === 0) return null;
  const at = `/evaluations/${id}/cases/${encodeURIComponent(first.case.id)}`;
  return (
    <label>
      Compare with{' '}
      <select
        value={second?.case.id ?? ''}
        onChange={({ currentTarget: { value } }) =>
          route(value === '' ? at : `${at}?with=${encodeURIComponent(value)}`)
        }
      >
        <option value="">nothing</option>
        {others.map((other) => (
          <option key={other.id} value={other.id}>
            {`${other.agent}, trial ${other.trial}`}
          </option>
        ))}
      </select>
    </label>
  );
}
