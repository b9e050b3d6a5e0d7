import { useState } from 'preact/hooks';
import type { ShareRecord } from '#core/access/share/share-record.ts';
import { copyIfAllowed } from '../data/copy-text.ts';
import { useClient, useSharedRun } from '../data/session.ts';
import { errorText } from '../data/use-loaded.ts';
import { ProblemText } from './await.tsx';
import { LocalTime } from './when.tsx';

/** A link that shows a run, and whether the browser has copied it. */
interface MadeLink extends Pick<ShareRecord, 'url' | 'endsAt'> {
  readonly isCopied: boolean;
}

/** Makes links that show the run to everybody who has them, and ends them. Nothing where a link shows the run. */
export function ShareRun({ id }: { readonly id: string }) {
  const { shares } = useClient();
  const sharedRun = useSharedRun();
  const [link, setLink] = useState<MadeLink | 'revoked' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (sharedRun !== null) return null;
  const share = async (): Promise<void> => {
    const { url, endsAt } = await shares.create({ run: id });
    setLink({ url, endsAt, isCopied: await copyIfAllowed(url) });
  };
  const revoke = async (): Promise<void> => {
    await shares.revoke(id);
    setLink('revoked');
  };
  const startAndShowProblem = (action: () => Promise<void>) => (): void => {
    setProblem(null);
    action().catch((error: unknown) => setProblem(errorText(error)));
  };
  return (
    <div class="controls">
      <button type="button" onClick={startAndShowProblem(share)}>
        Share
      </button>
      <button type="button" onClick={startAndShowProblem(revoke)}>
        End all links
      </button>
      {link === 'revoked' && <p role="status">No link that was made before shows this run.</p>}
      {link !== null && link !== 'revoked' && (
        <p role="status">
          {link.isCopied ? 'Copied' : 'Copy it'}: <a href={link.url}>the link to this run</a> shows it to everybody who
          has it, until <LocalTime at={link.endsAt} />.
        </p>
      )}
      {problem !== null && <ProblemText text={problem} />}
    </div>
  );
}
