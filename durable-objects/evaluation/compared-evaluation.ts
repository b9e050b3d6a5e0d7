import type { AnytimeComparison, AnytimeQuestion } from '#core/evaluation/compare-anytime.ts';
import type { Comparison } from '#core/evaluation/record.ts';
import type { Result } from '#core/values/result.ts';
import type { EvaluationReader } from './evaluation-reader.ts';
import { TextDeletingEvaluation, type RecordingObjects } from './text-deleting-evaluation.ts';

/** Comparisons of two agents of an evaluation: what the API calls. */
export abstract class ComparedEvaluation<Env extends RecordingObjects> extends TextDeletingEvaluation<Env> {
  protected abstract openReader(): EvaluationReader;

  async compare(a: string, b: string): Promise<Result<Comparison>> {
    const readable = this.#refuseUnlessCreated();
    return readable.ok ? this.openReader().compareAgents(a, b) : readable;
  }

  async compareAnytime(asked: AnytimeQuestion): Promise<Result<AnytimeComparison>> {
    const readable = this.#refuseUnlessCreated();
    return readable.ok ? this.openReader().compareAnytime(asked) : readable;
  }

  #refuseUnlessCreated(): Result<null> {
    return this.getEvaluationParts().life.callReaderIfExists(() => null);
  }
}
