import type { UnitDetail } from '#core/exploration/record.ts';
import { requestSide } from '#core/units/unit.ts';
import { Attempt } from '../attempts/attempt.tsx';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { AuditNotes } from '../parts/audit-notes.tsx';
import { Await } from '../parts/await.tsx';
import { Facts } from '../parts/facts.tsx';
import { IdTag } from '../parts/id-tag.tsx';
import { UntrustedText, UntrustedTextWithLineBreaks } from '../parts/outside-text.tsx';
import { Status } from '../parts/status.tsx';
import { useTitle } from '../parts/use-title.ts';

const sideTitles = {
  source: 'First request',
  followUp: 'Second request, which asks for the same in other words',
} as const;

/** A unit: both of its requests with what the base agent did, what the critic said, and how it came to be. */
export default function Unit({ id, unit }: { readonly id: string; readonly unit: string }) {
  useTitle(`Unit ${unit}`);
  const { explorations } = useClient();
  const loaded = useLoaded(() => explorations.unit(id, unit), [id, unit]);
  return (
    <>
      <p class="eyebrow">
        <a href={`/explorations/${id}`}>Exploration</a> <IdTag id={id} />
      </p>
      <Await of={loaded}>{(detail) => <UnitView detail={detail} />}</Await>
    </>
  );
}

function UnitView({ detail: { unit, traces } }: { readonly detail: UnitDetail }) {
  const { stage, pair, audits, faults } = unit;
  const audit = audits.at(-1);
  return (
    <>
      <h1>
        {`Unit ${unit.id}`} <Status of={stage.kind === 'done' ? stage.status : stage.kind} />
      </h1>
      {stage.kind === 'done' && <p>{stage.reason}</p>}
      <Facts
        of={[
          ['kind', unit.probe ? 'probe: drawn without steering' : 'steered'],
          ['relation', unit.relation?.written ?? unit.relation?.asked ?? null],
          ['chain', pair === null ? null : <UntrustedText text={expectationText(pair)} />],
          ['audit', audit === undefined ? null : `${audit.score} of 100 after ${audits.length}`],
          ['faults', faults.length === 0 ? null : faults.map(({ name, code }) => `${name}: ${code}`).join(', ')],
        ]}
      />
      {audit !== undefined && (
        <details>
          <summary>What the critic said</summary>
          <AuditNotes audit={audit} />
        </details>
      )}
      {pair !== null && (
        <div class="sides">
          {requestSide.options.map((side) => {
            const trace = traces[side];
            return (
              <section key={side}>
                <h2>{sideTitles[side]}</h2>
                {trace === null ? (
                  <blockquote>
                    <UntrustedTextWithLineBreaks text={pair[side]} />
                  </blockquote>
                ) : (
                  <Attempt request={pair[side]} chain={pair.chain} trace={trace} />
                )}
              </section>
            );
          })}
        </div>
      )}
    </>
  );
}

const expectationText = ({ chain, looksLike }: NonNullable<UnitDetail['unit']['pair']>): string =>
  looksLike === undefined ? chain.join(' → ') : `none: it looks like something for ${looksLike}, but no tool fits it`;
