import { z } from '@hono/zod-openapi';
import type { Settings } from '#adapters/settings.ts';
import { panelMember } from '#core/evaluation/config.ts';
import type { NewEvaluation } from '#core/evaluation/record.ts';
import { modelChoice, type StoredModel } from '#core/models/choices.ts';
import { modelWithListPriceIfUnpriced } from '#core/models/list-prices.ts';
import { maxPanel } from '#core/scoring/votes.ts';
import type { NamedModel } from './preflight.ts';
import { prepareModelForStorage } from './stored-model.ts';

/** The judges that a client chooses; by default those of the deployment. */
export const judgeChoices = {
  /** A model at an endpoint of its own, or at the deployment's endpoint for judges. */
  judge: z.union([modelChoice, panelMember]).optional(),
  /** Judges that are asked for each verdict beside `judge`: the majority decides. */
  panel: z
    .array(panelMember)
    .max(maxPanel - 1)
    .default([]),
  embedder: modelChoice.optional(),
};

const chosenJudges = z.object(judgeChoices);
export type JudgeChoices = z.output<typeof chosenJudges>;

type StoredJudges = Pick<NewEvaluation, 'judge' | 'panel' | 'embedder'>;

/** Returns the judges of an evaluation as it stores them, keys encrypted. */
export async function prepareJudgesForStorage(
  { judge, panel, embedder }: JudgeChoices,
  settings: Settings,
): Promise<StoredJudges> {
  const [storedJudge, storedPanel, storedEmbedder] = await Promise.all([
    judge === undefined || 'baseUrl' in judge
      ? prepareModelForStorage('judge', judge, settings)
      : preparePanelMemberForStorage(judge, settings),
    Promise.all(panel.map((member) => preparePanelMemberForStorage(member, settings))),
    prepareModelForStorage('embedder', embedder, settings),
  ]);
  const now = new Date();
  return {
    judge: modelWithListPriceIfUnpriced(storedJudge, now),
    panel: storedPanel.map((member) => modelWithListPriceIfUnpriced(member, now)),
    embedder: modelWithListPriceIfUnpriced(storedEmbedder, now),
  };
}

/** Lists the models of an evaluation's judges, with the names under which they are refused. */
export const listJudgeModels = ({ judge, panel, embedder }: StoredJudges): NamedModel[] => [
  { name: 'the judge', role: 'judge', model: judge },
  ...panel.map((model): NamedModel => ({ name: `${model.model} of the panel`, role: 'judge', model })),
  { name: 'the embedder', role: 'embedder', model: embedder },
];

async function preparePanelMemberForStorage(
  { model, endpoint }: z.output<typeof panelMember>,
  settings: Settings,
): Promise<StoredModel> {
  const stored = await prepareModelForStorage('judge', endpoint && { ...endpoint, model }, settings);
  return { ...stored, model };
}
