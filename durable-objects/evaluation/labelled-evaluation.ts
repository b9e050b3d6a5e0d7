import { DurableObject } from 'cloudflare:workers';
import type { Sight } from '#core/access.ts';
import type { AttemptPlace, Label, NewLabel, NewVotes, StoredCounts } from '#core/evaluation/labels.ts';
import type { VerdictAgreement } from '#core/evaluation/verdict-agreement.ts';
import { ok, type Result } from '#core/result.ts';
import type { EvaluationLabels } from './evaluation-labels.ts';

/** The part of an evaluation that people and other judges label: what the API calls. */
export abstract class LabelledEvaluation<Env> extends DurableObject<Env> {
  /** Returns the labels for a reader who may see single units; refuses for others. */
  protected abstract openLabels(sight: Sight): Result<EvaluationLabels>;

  addLabels(
    labels: readonly NewLabel[],
    by: Pick<Label, 'labeller' | 'key' | 'at'>,
    sight: Sight,
  ): Result<StoredCounts> {
    const found = this.openLabels(sight);
    return found.ok ? found.value.addLabels(labels, by) : found;
  }

  addVotes(votes: NewVotes, sight: Sight): Result<StoredCounts> {
    const found = this.openLabels(sight);
    return found.ok ? found.value.addVotes(votes) : found;
  }

  /** Labels after a cursor, of one labeller or of all. */
  listLabels(labeller: string | null, after: string, limit: number, sight: Sight): Result<Label[]> {
    const found = this.openLabels(sight);
    return found.ok ? ok(found.value.listLabels(labeller, after, limit)) : found;
  }

  /** Attempts that this labeller has not labelled, after a cursor. */
  listUnlabelled(labeller: string, after: string, limit: number, sight: Sight): Result<AttemptPlace[]> {
    const found = this.openLabels(sight);
    return found.ok ? ok(found.value.listUnlabelled(labeller, after, limit)) : found;
  }

  measureAgreement(): Result<VerdictAgreement> {
    const found = this.openLabels('everything');
    return found.ok ? ok(found.value.measureAgreement()) : found;
  }
}
