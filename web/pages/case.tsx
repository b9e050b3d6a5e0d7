import type { CaseDetail } from '#core/evaluation/record.ts';
import { useLocation } from 'preact-iso';
import { AlignedCalls } from '../attempts/aligned-calls.tsx';
import { Answer, Attempt, AttemptFacts, DisturbanceNote } from '../attempts/attempt.tsx';
import { Headline, Scores } from '../attempts/scores.tsx';
import { useClient } from '../data/session.ts';
import { useArrivingList } from '../data/use-list.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await } from '../parts/await.tsx';
import { IdTag } from '../parts/id-tag.tsx';
import { UntrustedText, UntrustedTextWithLineBreaks } from '../parts/outside-text.tsx';
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
      <p class="eyebrow">
        <a href={`/evaluations/${id}`}>Evaluation</a> <IdTag id={id} /> case <IdTag id={wanted} />
      </p>
      <Await of={loaded}>
        {([first, second]) =>
          first !== undefined && (
            <>
              <h1>
                Case of <UntrustedText text={first.case.agent} />
                {second !== undefined && (
                  <>
                    {' beside '}
                    <UntrustedText text={second.case.agent} />
                  </>
                )}
              </h1>
              <OtherCaseChoice id={id} first={first} second={second} />
              {second === undefined ? <CaseView detail={first} /> : <CasePair both={[first, second]} />}
            </>
          )
        }
      </Await>
    </>
  );
}

function CaseView({ detail }: { readonly detail: CaseDetail }) {
  const { requests, attempts, scores } = detail.case;
  return (
    <>
      <Headline scores={scores} />
      <div class="sides">
        {requests.map((request) => {
          const [trace, attempt] = [detail.traces[request], attempts[request]];
          if (trace === undefined || attempt === undefined) return <NotMade key={request} request={request} />;
          return (
            <section key={request}>
              <h2>{request}</h2>
              {attempt.crashed === true && <p class="note">The agent crashed, which counts as an empty answer.</p>}
              <Attempt request={detail.asked[request] ?? ''} chain={detail.chain} trace={trace} />
              <Scores scores={attempt.scores} caption="Scores of this attempt" />
            </section>
          );
        })}
      </div>
      <h2>Scores of the case</h2>
      <Scores scores={scores} caption="Both attempts together" />
    </>
  );
}

const NotMade = ({ request }: { readonly request: string }) => (
  <p class="faint">{`The attempt at ${request} has not been made, or crashed and is held.`}</p>
);

/** Two cases of a unit: request by request, their calls in the same rows. */
function CasePair({ both }: { readonly both: readonly [CaseDetail, CaseDetail] }) {
  const [{ case: first, asked, chain }] = both;
  return (
    <>
      <div class="sides">
        {both.map(({ case: { id, agent, trial, scores } }) => (
          <section key={id}>
            <h2>
              <UntrustedText text={`${agent}, trial ${trial}`} />
            </h2>
            <Headline scores={scores} />
          </section>
        ))}
      </div>
      {first.requests.map((request) => {
        const [left, right] = both.map(({ traces }) => traces[request]);
        if (left === undefined || right === undefined) return <NotMade key={request} request={request} />;
        return (
          <section key={request} class="attempt">
            <h2>{request}</h2>
            <blockquote>
              <UntrustedTextWithLineBreaks text={asked[request] ?? ''} />
            </blockquote>
            {chain.length > 0 && (
              <p class="faint">
                Expected: <UntrustedText text={chain.join(' → ')} />
              </p>
            )}
            <AlignedCalls first={left.steps} second={right.steps} names={[both[0].case.agent, both[1].case.agent]} />
            <div class="sides">
              {both.map((detail) => (
                <EndOfAttempt key={detail.case.id} detail={detail} request={request} />
              ))}
            </div>
          </section>
        );
      })}
      <h2>Scores of the cases</h2>
      <div class="sides">
        {both.map(({ case: { id, agent, trial, scores } }) => (
          <section key={id}>
            <Scores scores={scores} caption={`Both attempts of ${agent}, trial ${trial}, together`} />
          </section>
        ))}
      </div>
    </>
  );
}

interface EndProps {
  readonly detail: CaseDetail;
  readonly request: string;
}

/** What an agent answered in the end, what it took, and what it scored. */
function EndOfAttempt({ detail: { case: shown, traces }, request }: EndProps) {
  const trace = traces[request];
  if (trace === undefined) return null;
  return (
    <section>
      <h3>
        Answer of <UntrustedText text={shown.agent} />
      </h3>
      {trace.disturbance !== undefined && <DisturbanceNote disturbance={trace.disturbance} />}
      <Answer text={trace.finalText} />
      <AttemptFacts trace={trace} />
      <Scores scores={shown.attempts[request]?.scores ?? {}} caption="Scores of this attempt" />
    </section>
  );
}

interface OtherCaseProps {
  readonly id: string;
  readonly first: CaseDetail;
  readonly second: CaseDetail | undefined;
}

/** Chooses another case of the same unit to be shown beside this one. */
function OtherCaseChoice({ id, first, second }: OtherCaseProps) {
  const { evaluations } = useClient();
  const { route } = useLocation();
  const { unit } = first.case;
  const cases = useArrivingList(
    (signal) => evaluations.cases(id, { pageSize: 500, signal, filter: { unit } }),
    [id, unit],
  );
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
