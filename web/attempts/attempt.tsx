import type { AskedQuestion } from '#core/models/simulated-user/asked-question.ts';
import { findDisturbance } from '#core/traces/disturbances/disturbances.ts';
import type { DisturbanceRecord } from '#core/traces/disturbances/record.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { wholeNumberText, durationText } from '../../client/command-line/text.ts';
import { Facts } from '../parts/facts.tsx';
import { UntrustedText, UntrustedTextWithLineBreaks } from '../parts/outside-text.tsx';
import { Status } from '../parts/status.tsx';
import { alignCallsWithChain } from './align-chain.ts';

interface AttemptProps {
  /** What it was asked. */
  readonly request: string;
  /** The tools that were expected, in order; empty if nobody says. */
  readonly chain: readonly string[];
  readonly trace: Trace;
}

/** An attempt: what was asked, the chain that was expected beside the one that was walked, each call, and the answer. */
export function Attempt({ request, chain, trace }: AttemptProps) {
  const { steps, finalText, end, fault, turns, promptTokens, completionTokens, costUsd, durationMs } = trace;
  return (
    <article class="attempt">
      <h3>Request</h3>
      <blockquote>
        <UntrustedTextWithLineBreaks text={request} />
      </blockquote>
      {trace.textsDeleted !== undefined && (
        <p class="note">{`The texts of this attempt were deleted: ${trace.textsDeleted}.`}</p>
      )}
      {chain.length > 0 && <ExpectedAndCalledChains chain={chain} steps={steps} />}
      {trace.disturbance !== undefined && <DisturbanceNote disturbance={trace.disturbance} />}
      <h3>{`Calls (${steps.length})`}</h3>
      <CallTimeline steps={steps} />
      <h3>Answer</h3>
      {finalText.trim() === '' ? (
        <p class="faint">There is none.</p>
      ) : (
        <blockquote class="answer">
          <UntrustedTextWithLineBreaks text={finalText} />
        </blockquote>
      )}
      <Facts
        of={[
          ['ended', fault === null ? end : `${end}: ${fault.code}, ${fault.detail}`],
          ['turns', turns],
          ['tools of its own', ownToolsText(trace)],
          ['tokens', `${wholeNumberText(promptTokens)} in, ${wholeNumberText(completionTokens)} out`],
          ['cost', `$${costUsd.toFixed(4)}`],
          ['took', durationText(durationMs)],
        ]}
      />
    </article>
  );
}

/** How the attempt was disturbed, which the agent was never told, and what its server itself had answered. */
function DisturbanceNote({ disturbance }: { readonly disturbance: DisturbanceRecord }) {
  const { met, server, original, values, canary, payload } = disturbance;
  const kind = findDisturbance(disturbance.kind);
  return (
    <details class="note" open>
      <summary>
        {`Disturbed: ${kind?.title ?? disturbance.kind}${met ? '' : ', which met no call of this attempt'}`}
      </summary>
      <Facts
        of={[
          ['it', kind?.change ?? null],
          ['right would be', kind?.right ?? null],
          ['its server', server === undefined ? null : server === 'called' ? 'was called' : 'was not called'],
          [
            'changed',
            values.length === 0 ? null : (
              <UntrustedText text={values.map(({ was, is }) => `${was} to ${is}`).join('; ')} />
            ),
          ],
          ['planted text', payload ?? null],
          ['canaries', canary === undefined ? null : `${canary.word}, ${canary.secret}, ${canary.tool}`],
        ]}
      />
      {original !== undefined && (
        <>
          <p>The server itself had answered:</p>
          <blockquote>
            <UntrustedTextWithLineBreaks text={original} />
          </blockquote>
        </>
      )}
    </details>
  );
}

/** Names the tools of its own that an agent called: an attempt that went around the servers did not do nothing. */
function ownToolsText({ ownToolCalls, steps }: Trace): string | null {
  if (ownToolCalls === undefined) return null;
  const own = Object.entries(ownToolCalls).map(([name, count]) => `${name} (${count})`);
  return `${own.join(', ')}${steps.length === 0 ? '; no tool of a server was called' : ''}`;
}

/** The expected chain and the walked one, a line for each step. */
function ExpectedAndCalledChains({
  chain,
  steps,
}: {
  readonly chain: readonly string[];
  readonly steps: readonly Step[];
}) {
  const aligned = alignCallsWithChain(
    chain,
    steps.map(({ tool }) => tool),
  );
  return (
    <div class="scroll" role="region" aria-label="Chains" tabIndex={0}>
      <table class="chains">
        <thead>
          <tr>
            <th class="text">expected</th>
            <th class="text">called</th>
            <th class="text">outcome</th>
          </tr>
        </thead>
        <tbody>
          {aligned.map(({ expected, call }, index) => {
            const step = call === null ? undefined : steps[call];
            return (
              <tr key={index}>
                <td class="text">
                  {expected === null ? <span class="faint">nothing</span> : <UntrustedText text={expected} />}
                </td>
                <td class="text">
                  {step === undefined ? <strong>not called</strong> : <UntrustedText text={step.tool} />}
                </td>
                <td class="text">{step !== undefined && <Status of={stepOutcomeText(step)} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const stepOutcomeText = ({ outcome, reported }: Step): string => (reported === undefined ? outcome : 'reported error');

/** The calls in their order; the bar shows when each began and how long it took, if calls waited for each other. */
function CallTimeline({ steps }: { readonly steps: readonly Step[] }) {
  if (steps.length === 0) return <p class="faint">There is none.</p>;
  const total = Math.max(
    1,
    steps.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
  );
  let before = 0;
  return (
    <ol class="timeline">
      {steps.map((step, index) => {
        const left = (100 * before) / total;
        before += step.latencyMs;
        return (
          <li key={index}>
            <details>
              <summary>
                <UntrustedText text={step.tool} /> <Status of={stepOutcomeText(step)} />{' '}
                <span class="faint">{`turn ${step.turn}, ${stepDurationText(step.latencyMs)}${failureText(step)}`}</span>
                <span class="track" aria-hidden="true">
                  <span style={{ left: `${left}%`, width: `${Math.max(0.5, (100 * step.latencyMs) / total)}%` }} />
                </span>
              </summary>
              <CallDetails step={step} />
            </details>
          </li>
        );
      })}
    </ol>
  );
}

const stepDurationText = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : durationText(ms));

const failureText = ({ failure, disturbed }: Step): string =>
  `${failure === null ? '' : `, ${failure.source === 'undecided' ? 'failure of no class yet' : failure.class}`}${disturbed === true ? ', disturbed' : ''}`;

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
