import { isGrave, type Incident } from '#core/reports/watch/incident.ts';
import { UntrustedText, UntrustedTextWithLineBreaks } from '../parts/outside-text.tsx';
import { LocalTime } from '../parts/when.tsx';
import { ChangedWords } from './changed-words.tsx';

interface IncidentProps {
  readonly incident: Incident;
  /** Takes the server as it is now; null where nobody may. */
  readonly onAccept: (() => void) | null;
}

const endTexts = { returned: 'all is as before', accepted: 'accepted', told: 'told once; it counts from then on' };

/** An incident: what happened, since when, what changed, and the call that shows it. */
export const IncidentView = ({ incident, onAccept }: IncidentProps) => {
  const { kind, class: ofChange, what, since, overAt, end, changes, call } = incident;
  const tone = overAt !== null ? '' : isGrave(incident) ? 'bad' : 'warn';
  return (
    <>
      <span class={`label status ${tone}`}>{ofChange ?? kind}</span>
      <div>
        <strong>
          <UntrustedText text={what} />
        </strong>
        <p class="eyebrow">
          {'since '}
          <LocalTime at={since} />
          {overAt === null ? (
            ', and lasts'
          ) : (
            <>
              {', over since '}
              <LocalTime at={overAt} />
              {end !== null && `: ${endTexts[end]}`}
            </>
          )}
        </p>
        {changes.map((change, index) => (
          <ChangeView key={index} change={change} />
        ))}
        {call !== null && <CallThatShows call={call} />}
        {onAccept !== null && (
          <p>
            <button type="button" onClick={onAccept}>
              Accept
            </button>{' '}
            <span class="faint">Take the server as it is now.</span>
          </p>
        )}
      </div>
    </>
  );
};

const ChangeView = ({
  change: { tool, class: name, what, texts },
}: {
  readonly change: Incident['changes'][number];
}) => (
  <>
    <p>
      <span class="label">{name}</span> <UntrustedText text={`${tool === null ? '' : `${tool}: `}${what}`} />
    </p>
    {texts !== undefined && <ChangedWords {...texts} />}
  </>
);

/** A call with its last usual answer and the first unusual one. */
function CallThatShows({
  call: { tool, arguments: given, before, now },
}: {
  readonly call: NonNullable<Incident['call']>;
}) {
  return (
    <div class="attempt">
      <p>
        <code>
          <UntrustedText text={`${tool} ${JSON.stringify(given)}`} />
        </code>
      </p>
      <div class="sides">
        <AnswerAt title="last usual answer" answer={before} />
        <AnswerAt title="first unusual answer" answer={now} />
      </div>
    </div>
  );
}

interface AnswerProps {
  readonly title: string;
  readonly answer: NonNullable<Incident['call']>['now'];
}

const AnswerAt = ({ title, answer }: AnswerProps) =>
  answer === null ? null : (
    <section>
      <h4>
        {`${title}, `}
        <LocalTime at={answer.at} />
      </h4>
      <pre tabIndex={0}>
        <UntrustedTextWithLineBreaks text={answer.text} />
      </pre>
    </section>
  );
