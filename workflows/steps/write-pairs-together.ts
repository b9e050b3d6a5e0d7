import { prompts, render } from '#adapters/prompts/index.ts';
import { modelSeed } from '#core/models/seed.ts';
import { materialForPrompt } from '#core/survey/writer-material.ts';
import { relationForPrompt } from '#core/units/relation-kinds.ts';
import { catalogPairsAnswer } from '#core/units/answers.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { Caller } from '../caller.ts';
import type { DrivenRun } from '../called-objects.ts';
import type { StepServices } from './services.ts';
import { toolForPrompt } from './drive-unit.ts';

/** Lets a writer that sees the whole catalog write the pairs of several units at once. */
export async function writePairsTogether(
  services: StepServices,
  run: Caller<DrivenRun>,
  driver: number,
  units: readonly string[],
): Promise<Stop['why']> {
  const group = await run((object) => object.openCatalogPairWriting(driver, units));
  if (group.kind === 'stop') return group.why;
  const context = await services.context();
  const models = await services.models();
  const answer = await models.askForJson({
    role: 'writer',
    prompt: render(prompts.catalogPairs, {
      tools: group.tools.map(toolForPrompt),
      count: group.relations.length,
      relations: group.relations.map(relationForPrompt),
      ...materialForPrompt(group.material),
    }),
    form: 'catalog-pairs',
    schema: catalogPairsAnswer,
    seed: modelSeed(context.seed, 'model', ...units),
  });
  await run((object) => object.commitWrittenCatalogPairs(units, answer));
  return 'nothing-left';
}
