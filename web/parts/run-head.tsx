import type { RunStatus } from '#core/exploration/runs.ts';
import { ProblemText } from './await.tsx';
import { IdTag } from './id-tag.tsx';
import { RulesReplacedModelsNote } from './offline-note.tsx';
import { UntrustedText } from './outside-text.tsx';
import { RunControls, type RunControlsProps } from './run-controls.tsx';
import { ShareRun } from './share-run.tsx';
import { Status } from './status.tsx';

interface RunHeadProps extends Pick<RunControlsProps, 'id' | 'runs'> {
  readonly kind: 'Exploration' | 'Evaluation';
  /** Its kind is shown if it has none. */
  readonly name: string;
  readonly run: { readonly status: RunStatus; readonly reason: string | null; readonly offline: boolean };
  /** Why no events arrive; null while they do. */
  readonly problem: string | null;
}

/** How a run stands, and the buttons that pause, resume, cancel and share it. */
export const RunHead = ({ kind, id, name, run, runs, problem }: RunHeadProps) => (
  <>
    <div class="head-row">
      <div>
        <p class="eyebrow">
          {kind} <IdTag id={id} />
        </p>
        <h1>
          <UntrustedText text={name || kind} /> <Status of={run.status} />
        </h1>
        {run.reason !== null && <p class="faint">{run.reason}</p>}
      </div>
      <div>
        <RunControls id={id} status={run.status} runs={runs} />
        <ShareRun id={id} />
      </div>
    </div>
    <RulesReplacedModelsNote offline={run.offline} />
    {problem !== null && <ProblemText text={`No events arrive: ${problem}. Trying again.`} />}
  </>
);
