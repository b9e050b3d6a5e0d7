import { findDisturbance } from '#core/traces/disturbances/disturbances.ts';
import type { DisturbanceRecord } from '#core/traces/disturbances/record.ts';
import type { Trace } from '#core/traces/trace.ts';
import { countWithNoun, durationText, wholeNumberText } from '../../client/command-line/text.ts';
import { Facts } from '../parts/facts.tsx';
import { UntrustedText, UntrustedTextWithLineBreaks } from '../parts/outside-text.tsx';
import { Calls } from './calls.tsx';

interface AttemptProps {
  /** What it was asked. */
  readonly request: string;
  /** The tools that were expected, in order; empty if nobody says. */
  readonly chain: readonly string[];
  readonly trace: Trace;
}

/** An attempt as a conversation: what was asked, each call beside what was expected, and the answer. */
export function Attempt({ request, chain, trace }: AttemptProps) {
  const { steps, finalText } = trace;
  return (
    <article class="attempt">
      <h3>Request</h3>
      <blockquote>
        <UntrustedTextWithLineBreaks text={request} />
      </blockquote>
      {trace.textsDeleted !== undefined && (
        <p class="note">{`The texts of this attempt were deleted: ${trace.textsDeleted}.`}</p>
      )}
      {trace.disturbance !== undefined && <DisturbanceNote disturbance={trace.disturbance} />}
      <h3>{countWithNoun(steps.length, 'call')}</h3>
      <Calls chain={chain} trace={trace} />
      <h3>Answer</h3>
      <Answer text={finalText} />
      <AttemptFacts trace={trace} />
    </article>
  );
}

/** How the attempt was disturbed, which the agent was never told, and what its server itself had answered. */
export function DisturbanceNote({ disturbance }: { readonly disturbance: DisturbanceRecord }) {
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

/** What the agent said in the end. */
export const Answer = ({ text }: { readonly text: string }) =>
  text.trim() === '' ? (
    <p class="faint">There is none.</p>
  ) : (
    <blockquote class="answer">
      <UntrustedTextWithLineBreaks text={text} />
    </blockquote>
  );

/** How an attempt ended, and what it took. */
export const AttemptFacts = ({ trace }: { readonly trace: Trace }) => {
  const { end, fault, turns, promptTokens, completionTokens, costUsd, durationMs } = trace;
  return (
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
  );
};
