import type { AskedQuestion } from '#core/models/simulated-user/asked-question.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { countWithNoun, durationText } from '../../client/command-line/text.ts';
import { UntrustedText, UntrustedTextWithLineBreaks } from '../parts/outside-text.tsx';
import { Status } from '../parts/status.tsx';
import { alignCallsWithChain } from '#core/traces/align-chain.ts';

interface CallsProps {
  /** The tools that were expected, in order; empty if nobody says. */
  readonly chain: readonly string[];
  readonly trace: Trace;
}

/** The calls in their order, with searches and programs between them; a full mark is an expected call, a dashed one an expected call that was not made. */
export function Calls({ chain, trace: { steps, routes = [], programs = [] } }: CallsProps) {
  const aligned = alignCallsWithChain(
    chain,
    steps.map(({ tool }) => tool),
  );
  if (aligned.length === 0 && routes.length === 0) return <p class="faint">There is none.</p>;
  const routesAfter = (count: number) =>
    routes
      .filter(({ after }) => after === count)
      .map(({ query, tools }, index) => (
        <li key={`route ${count} ${index}`} class="faint">
          {'searched for '}
          <UntrustedText text={query} />
          {`: ${countWithNoun(tools.length, 'tool')}`}
        </li>
      ));
  return (
    <ol class="calls">
      {routesAfter(0)}
      {aligned.map(({ expected, call }, index) => {
        const step = call === null ? undefined : steps[call];
        if (step === undefined || call === null)
          return (
            <li key={index} class="missing">
              expected and not called: <UntrustedText text={expected ?? ''} />
            </li>
          );
        return (
          <>
            <li key={index} class={expected === null ? '' : 'expected'}>
              <Call step={step} note={chain.length === 0 ? '' : expected === null ? ', not expected' : ', expected'} />
            </li>
            {routesAfter(call + 1)}
          </>
        );
      })}
      {programs.length > 0 && <li class="faint">{`${countWithNoun(programs.length, 'program')} made these calls`}</li>}
    </ol>
  );
}

interface CallProps {
  readonly step: Step;
  /** What is said of it beside its turn. */
  readonly note?: string;
  /** Whether another attempt called the same tool with other arguments. */
  readonly differs?: boolean;
}

const shownArgumentChars = 160;

/** A call on one line, which unfolds. */
export const Call = ({ step, note = '', differs = false }: CallProps) => (
  <details class={`call ${differs ? 'differs' : ''}`}>
    <summary>
      <strong>
        <UntrustedText text={step.tool} />
      </strong>
      <span class="faint">{stepDurationText(step.latencyMs)}</span>
      <Status of={stepOutcomeText(step)} />
      <code>
        <UntrustedText text={(JSON.stringify(step.arguments) ?? '').slice(0, shownArgumentChars)} />
      </code>
    </summary>
    <div>
      <p class="faint">{`turn ${step.turn}${note}${failureText(step)}`}</p>
      <CallDetails step={step} />
    </div>
  </details>
);

const stepOutcomeText = ({ outcome, reported }: Step): string => (reported === undefined ? outcome : 'reported error');

const stepDurationText = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : durationText(ms));

const failureText = ({ failure, disturbed }: Step): string =>
  `${failure === null ? '' : `, ${failure.source === 'undecided' ? 'failure of no class yet' : failure.class}`}${disturbed === true ? ', disturbed' : ''}`;

/** What a call was given and what came back. */
function CallDetails({ step }: { readonly step: Step }) {
  const { arguments: given, text, truncated, code, fault, summary, asked = [] } = step;
  return (
    <>
      <h4>Arguments</h4>
      <pre tabIndex={0}>{given === null ? 'none that could be read' : JSON.stringify(given, null, 2)}</pre>
      {asked.length > 0 && <Questions asked={asked} />}
      <h4>{`Result${truncated ? ', its beginning' : ''}${code === undefined ? '' : `, code ${code}`}`}</h4>
      <pre tabIndex={0}>
        <UntrustedTextWithLineBreaks text={text === '' ? 'empty' : text} />
      </pre>
      {summary !== undefined && (
        <>
          <h4>What the agent saw of it: a summary by its own model</h4>
          <pre tabIndex={0}>
            <UntrustedTextWithLineBreaks text={summary} />
          </pre>
        </>
      )}
      {fault !== null && <p class="note">{`${fault.code}: ${fault.detail}`}</p>}
    </>
  );
}

/** What the server asked its user before it answered, and what it was given. */
function Questions({ asked }: { readonly asked: readonly AskedQuestion[] }) {
  return (
    <>
      <h4>{`Questions of the server to its user (${asked.length})`}</h4>
      <ul>
        {asked.map(({ message, answer, by, why }, index) => (
          <li key={index}>
            <UntrustedText text={message} />{' '}
            <span class="faint">{`${answer === null ? 'declined' : 'answered'} by ${answererText(by)}`}</span>
            {answer !== null && (
              <pre tabIndex={0}>
                <UntrustedTextWithLineBreaks text={JSON.stringify(answer, null, 2)} />
              </pre>
            )}
            {why !== '' && (
              <p class="note">
                <UntrustedText text={why} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const answererText = (by: AskedQuestion['by']): string =>
  by === 'policy' ? 'the policy of the run' : by === 'rule' ? 'a rule' : by.model;
