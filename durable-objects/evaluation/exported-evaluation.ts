import type { Sight } from '#core/access/access.ts';
import type { ExportFormat, MountedInAttempt } from '#core/evaluation/breakdown-record.ts';
import { makeEvaluationRecord } from '#core/evaluation/client-view.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { ComparedEvaluation } from './compared-evaluation.ts';
import { makeExportStream } from './evaluation-export.ts';
import { makeInspectLogStream } from './inspect-log-stream.ts';
import type { RecordingObjects } from './text-deleting-evaluation.ts';

/** The attempts of an evaluation as files: what the API calls. */
export abstract class ExportedEvaluation<Env extends RecordingObjects> extends ComparedEvaluation<Env> {
  /** Returns which tools an agent saw in the unit with this id. */
  protected abstract countMounted(agent: string, unit: string): MountedInAttempt;

  exportAttempts(format: ExportFormat, sight: Sight): Result<ReadableStream<Uint8Array>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    if (!readable.ok) return readable;
    const { store, life } = this.getEvaluationParts();
    return ok(
      makeExportStream({ format, protocol: life.creation.protocol }, store, (agent, unit) =>
        this.countMounted(agent, unit),
      ),
    );
  }

  /** Returns the attempts of an agent so far as a log of Inspect AI. */
  async exportInspectLog(name: string, sight: Sight): Promise<Result<ReadableStream<Uint8Array>>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    if (!readable.ok) return readable;
    const { store, life } = this.getEvaluationParts();
    const reader = this.openReader();
    const run = makeEvaluationRecord(life.creation, life.standing);
    const { agents } = await reader.computeResults();
    const [agent, result] = [run.agents.find((each) => each.name === name), agents.find((each) => each.name === name)];
    if (agent === undefined || result === undefined) {
      const names = run.agents.map((each) => each.name).join(', ');
      return refuse('not-found', `there is no agent ${name} in it; it has ${names}`);
    }
    return ok(await makeInspectLogStream({ run, agent, result }, store, reader));
  }
}
