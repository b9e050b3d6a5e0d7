import { prompts, render } from '#adapters/prompts/index.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import { makePromptMaterial } from '#core/units/survey/writer-material.ts';
import { makeRandom } from '#core/values/random.ts';
import { drawSituation } from '#core/units/situation.ts';
import { makePromptRelation } from '#core/units/relation-kinds.ts';
import { catalogPairsAnswer } from '#core/units/answers.ts';
import type { CatalogPairsOutcome } from '#durable-objects/exploration/unit-desk.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { Caller } from '../caller.ts';
import type { DrivenRun } from '../called-objects.ts';
import type { StepServices } from './services.ts';
import { makeUndoneStageOrRethrow, type RestingStep } from './undone-stage.ts';
import { makePromptTool } from './shown-units.ts';

/** Lets a writer that sees the whole catalog write the pairs of several units at once. */
export async function writePairsTogether(
  services: StepServices,
  run: Caller<DrivenRun>,
  driver: number,
  units: readonly string[],
): Promise<{ readonly why: Stop['why'] } | RestingStep> {
  const group = await run((object) => object.rounds.openCatalogPairWriting(driver, units));
  if (group.kind === 'stop') return { why: group.why };
  const context = await services.context();
  const models = await services.models();
  const answer: CatalogPairsOutcome = await models
    .askForJson({
      role: 'writer',
      prompt: render(prompts.catalogPairs, {
        tools: group.tools.map(makePromptTool),
        count: group.relations.length,
        relations: group.relations.map(makePromptRelation),
        situations: units.map((id) => drawSituation(makeRandom(context.seed, 'situation', id), context.languages)),
        ...makePromptMaterial(group.material),
      }),
      form: 'catalog-pairs',
      schema: catalogPairsAnswer,
      seed: deriveModelSeedFromKeys(context.seed, 'model', ...units),
    })
    .catch((error: unknown) => makeUndoneStageOrRethrow(error, []));
  await run((object) => object.rounds.commitWrittenCatalogPairs(units, answer));
  return 'kind' in answer ? { why: 'endpoint-rests', untilMs: answer.untilMs, requests: 0 } : { why: 'nothing-left' };
}
