import { useState } from 'preact/hooks';
import { saveTextFile } from '../data/save-file.ts';
import type { TextFile } from '../data/text-file.ts';
import { errorText } from '../data/use-loaded.ts';
import { ProblemText } from './await.tsx';

interface DownloadButtonProps {
  /** What is in the file, such as `the transitions as CSV`. */
  readonly what: string;
  readonly makeFile: () => TextFile | Promise<TextFile>;
}

/** Makes a file when it is pressed, and saves it. */
export function DownloadButton({ what, makeFile }: DownloadButtonProps) {
  const [isMaking, setIsMaking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (): Promise<void> => saveTextFile(await makeFile());
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-disabled={isMaking}
        onClick={() => {
          if (isMaking) return;
          setProblem(null);
          setIsMaking(true);
          save()
            .catch((error: unknown) => setProblem(errorText(error)))
            .finally(() => setIsMaking(false));
        }}
      >
        {`Download ${what}`}
      </button>
      {problem !== null && <ProblemText text={problem} />}
    </>
  );
}
