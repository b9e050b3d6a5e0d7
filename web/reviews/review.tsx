import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReviewDetail } from '#core/exploration/record.ts';
import { useClient } from '../data/session.ts';
import { errorText, useLoaded } from '../data/use-loaded.ts';
import { AuditNotes } from '../parts/audit-notes.tsx';
import { Await, ProblemText } from '../parts/await.tsx';
import { Facts } from '../parts/facts.tsx';
import { UntrustedText, UntrustedTextWithLineBreaks } from '../parts/outside-text.tsx';

interface ReviewProps {
  readonly exploration: string;
  readonly unit: string;
  /** Shows a unit so many places further in the queue. */
  readonly onMove: (steps: number) => void;
  readonly onDecided: (unit: string) => void;
}

type Form = 'edit' | 'reject' | null;

/** What each form asks for. */
const decisionFormsOfReview = ({ unit: { pair } }: ReviewDetail) => ({
  reject: { submit: 'Reject', fields: [{ name: 'reason', label: 'Why', value: '' }] },
  edit: {
    submit: 'Submit the new wording',
    fields: [
      { name: 'source', label: 'First request', value: pair?.source ?? '' },
      { name: 'followUp', label: 'Second request', value: pair?.followUp ?? '' },
    ],
  },
});

/**
 * A unit that waits, with all that a decision needs. Keys work while the focus is in it and no form is open: a approves, e edits, r
 * rejects, j and k show the next and the previous unit. Escape closes a form.
 */
export function UnitReviewForm({ exploration, unit, onMove, onDecided }: ReviewProps) {
  const { reviews } = useClient();
  const article = useRef<HTMLElement>(null);
  const [form, setForm] = useState<Form>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const loaded = useLoaded(() => reviews.get(exploration, unit), [exploration, unit]);
  // Before the unit is painted, so that a key that follows at once reaches it.
  useLayoutEffect(() => article.current?.focus({ preventScroll: true }), []);
  const decide = (deciding: Promise<unknown>): void => {
    deciding.then(
      () => onDecided(unit),
      (error: unknown) => setProblem(errorText(error)),
    );
  };
  const keys = {
    a: () => decide(reviews.approve(exploration, unit)),
    e: () => setForm('edit'),
    r: () => setForm('reject'),
    j: () => onMove(1),
    k: () => onMove(-1),
    Escape: () => setForm(null),
  };
  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-label={`Review of ${unit}`}
      onKeyDown={(event) => {
        const act = Object.entries(keys).find(([key]) => key === event.key)?.[1];
        const isKey = !event.ctrlKey && !event.metaKey && !event.altKey;
        // While a form is open, keys are for what is written there.
        if (act === undefined || !isKey || (form !== null && event.key !== 'Escape')) return;
        event.preventDefault();
        act();
      }}
    >
      <h2>{`Unit ${unit}`}</h2>
      <Await of={loaded}>
        {(detail) => (
          <>
            <ReviewedWording detail={detail} />
            {problem !== null && <ProblemText text={problem} />}
            <DecisionControls form={form} keys={keys} />
            {form !== null && (
              <DecisionFields
                {...decisionFormsOfReview(detail)[form]}
                onSubmit={({ reason = '', source = '', followUp = '' }) =>
                  decide(
                    form === 'reject'
                      ? reviews.reject(exploration, unit, reason)
                      : reviews.edit(exploration, unit, { source, followUp }),
                  )
                }
              />
            )}
          </>
        )}
      </Await>
    </article>
  );
}

interface ControlsProps {
  readonly form: Form;
  /** What each key does; the buttons do the same. */
  readonly keys: Readonly<Record<'a' | 'e' | 'r', () => void>>;
}

const DecisionControls = ({ form, keys }: ControlsProps) => (
  <p class="controls decide">
    <button type="button" onClick={keys.a}>
      Approve <kbd>a</kbd>
    </button>
    <button type="button" aria-expanded={form === 'edit'} onClick={keys.e}>
      Edit <kbd>e</kbd>
    </button>
    <button type="button" aria-expanded={form === 'reject'} onClick={keys.r}>
      Reject <kbd>r</kbd>
    </button>
    <span class="faint">
      <kbd>j</kbd> next, <kbd>k</kbd> previous
    </span>
  </p>
);

/** Both requests, what the critic said of them, and the tools of the chain. */
function ReviewedWording({ detail: { unit, tools } }: { readonly detail: ReviewDetail }) {
  const audit = unit.audits.at(-1);
  if (unit.pair === null) return null;
  return (
    <>
      <h3>First request</h3>
      <blockquote>
        <UntrustedTextWithLineBreaks text={unit.pair.source} />
      </blockquote>
      <h3>Second request</h3>
      <blockquote>
        <UntrustedTextWithLineBreaks text={unit.pair.followUp} />
      </blockquote>
      {audit !== undefined && (
        <>
          <Facts
            of={[
              ['same meaning', `${audit.semanticEquivalence} of 100`],
              [
                unit.pair.looksLike === undefined ? 'parameters can be found' : 'no tool serves it',
                `${audit.parameterSolvability} of 100`,
              ],
            ]}
          />
          <AuditNotes audit={audit} />
        </>
      )}
      <h3>
        {unit.pair.looksLike === undefined ? 'Chain' : 'It looks like something for this tool, and no tool may fit it'}
      </h3>
      <ol>
        {tools.map(({ name, description }) => (
          <li key={name}>
            <strong>
              <UntrustedText text={name} />
            </strong>{' '}
            <UntrustedText text={description ?? ''} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface FieldsProps {
  readonly fields: readonly { readonly name: string; readonly label: string; readonly value: string }[];
  readonly submit: string;
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void;
}

/** Texts that a decision needs; the first one has the focus. */
function DecisionFields({ fields, submit, onSubmit }: FieldsProps) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  return (
    <form
      ref={form}
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        onSubmit(Object.fromEntries([...given].map(([name, value]) => [name, typeof value === 'string' ? value : ''])));
      }}
    >
      {fields.map(({ name, label, value }) => (
        <label key={name}>
          {label}
          <textarea name={name} rows={4} required defaultValue={value} />
        </label>
      ))}
      <button type="submit">{submit}</button>
    </form>
  );
}
