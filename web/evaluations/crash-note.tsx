import { crashSentences } from '#core/evaluation/crashes.ts';
import type { EvaluationResults } from '#core/evaluation/record.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

/** Says which agents crashed, and how somebody decides on the attempts that are held. */
export function CrashNote({
  id,
  crashes = [],
}: {
  readonly id: string;
  readonly crashes: EvaluationResults['crashes'];
}) {
  if (crashes.length === 0) return null;
  return (
    <div class="note">
      {crashSentences(crashes).map((sentence) => (
        <p key={sentence}>
          <UntrustedText text={sentence} />
        </p>
      ))}
      {crashes.some(({ held }) => held > 0) && (
        <p>
          The run waits for held attempts. <code>{`attempts retry ${id}`}</code> has them made again,{' '}
          <code>{`attempts fail ${id}`}</code> counts them.
        </p>
      )}
    </div>
  );
}
