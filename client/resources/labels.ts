import type { z } from 'zod';
import {
  attemptPlace,
  label,
  storedCounts,
  type AttemptPlace,
  type Label,
  type newLabels,
  type newVotes,
  type StoredCounts,
} from '#core/evaluation/labels.ts';
import { evaluationAgreement, type EvaluationAgreement } from '#core/evaluation/evaluation-agreement.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

/** What people say of the attempts of an evaluation, and judges that were asked elsewhere. */
export const makeLabelsClient = (transport: Transport) => ({
  /** Stores labels; the same ones again change nothing. */
  add: (evaluation: string, labels: z.input<typeof newLabels>): Promise<StoredCounts> =>
    transport.requestJson(storedCounts, {
      method: 'POST',
      path: escapedPath`/v1/evaluations/${evaluation}/labels`,
      json: labels,
      repeatable: true,
    }),

  /** Stores votes of a judge; the same ones again change nothing. */
  addVotes: (evaluation: string, votes: z.input<typeof newVotes>): Promise<StoredCounts> =>
    transport.requestJson(storedCounts, {
      method: 'POST',
      path: escapedPath`/v1/evaluations/${evaluation}/votes`,
      json: votes,
      repeatable: true,
    }),

  /** The labels of one labeller, or of all. */
  list: (evaluation: string, labeller?: string, options?: ListOptions): AsyncGenerator<Label, void, undefined> =>
    yieldItemsOfAllPages(transport, label, escapedPath`/v1/evaluations/${evaluation}/labels`, { labeller }, options),

  /** The attempts that this labeller has not labelled; the labeller is the key unless one is named. */
  listOpen: (
    evaluation: string,
    labeller?: string,
    options?: ListOptions,
  ): AsyncGenerator<AttemptPlace, void, undefined> =>
    yieldItemsOfAllPages(
      transport,
      attemptPlace,
      escapedPath`/v1/evaluations/${evaluation}/labels/open`,
      { labeller },
      options,
    ),

  /** How far judges agree with people, and with each other. */
  agreement: (evaluation: string): Promise<EvaluationAgreement> =>
    transport.requestJson(evaluationAgreement, {
      method: 'GET',
      path: escapedPath`/v1/evaluations/${evaluation}/agreement`,
      repeatable: true,
    }),
});
