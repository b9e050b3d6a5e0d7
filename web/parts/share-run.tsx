import { useState } from 'preact/hooks';
import type { ShareRecord } from '#core/share/share-record.ts';
import { useClient, useSharedRun } from '../data/session.ts';
import { errorText } from '../data/use-loaded.ts';
import { ProblemText } from './await.tsx';
import { LocalTime } from './when.tsx';

/** A link that shows a run, and whether the browser has copied it. */
interface MadeLink extends Pick<ShareRecord, 'url' | 'endsAt'> {
  readonly isCopied: boolean;
}

/** Makes a link that shows the run to everybody who has it, and copies it. Nothing where a link shows the run. */
export function ShareRun({ id }: { readonly id: string }) {
  const { shares } = useClient();
  const sharedRun = useSharedRun();
  const [link, setLink] = useState<MadeLink | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (sharedRun !== null) return null;
  const share = async (): Promise<void> => {
    const { url, endsAt } = await shares.create({ run: id });
    setLink({ url, endsAt, isCopied: await copyIfAllowed(url) });
  };
  return (
    <div class="controls">
      <button
        type="button"
        onClick={() => {
          setProblem(null);
          share().catch((error: unknown) => setProblem(errorText(error)));
        }}
      >
        Share
      </button>
      {link !== null && (
        <p role="status">
          {link.isCopied ? 'Copied' : 'Copy it'}: <a href={link.url}>the link to this run</a> shows it to everybody who
          has it, until <LocalTime at={link.endsAt} />.
        </p>
      )}
      {problem !== null && <ProblemText text={problem} />}
    </div>
  );
}

/** A browser has no clipboard on pages without HTTPS, and its user may forbid it; then the link is there to be copied by hand. */
const copyIfAllowed = (text: string): Promise<boolean> =>
  window.isSecureContext
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false);
