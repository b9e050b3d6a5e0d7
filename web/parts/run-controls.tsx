import { useState } from 'preact/hooks';
import { isOver, type RunStatus } from '#core/exploration/runs.ts';
import { useSharedRun } from '../data/session.ts';
import { errorText } from '../data/use-loaded.ts';
import { ProblemText } from './await.tsx';

const verbs = { running: ['pause', 'cancel'], paused: ['resume', 'cancel'] } as const;
type Verb = 'pause' | 'resume' | 'cancel';

export interface RunControlsProps {
  readonly status: RunStatus;
  readonly id: string;
  readonly runs: { readonly [V in Verb]: (id: string) => Promise<unknown> };
}

/** Pauses, resumes and cancels a run; cancelling, which is final, asks first. Nothing where a link shows the run. */
export function RunControls({ status, id, runs }: RunControlsProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const sharedRun = useSharedRun();
  if (isOver(status) || sharedRun !== null) return null;
  const offered: readonly Verb[] = status === 'paused' ? verbs.paused : verbs.running;
  const control = (verb: Verb): void => {
    if (verb === 'cancel' && !confirm('End this run for good? What it has committed stays.')) return;
    runs[verb](id).then(
      () => setProblem(null),
      (error: unknown) => setProblem(errorText(error)),
    );
  };
  return (
    <p class="controls">
      {offered.map((verb) => (
        <button key={verb} type="button" onClick={() => control(verb)}>
          {verb}
        </button>
      ))}
      {problem !== null && <ProblemText text={problem} />}
    </p>
  );
}
