import { prompts, render } from '#adapters/prompts/index.ts';
import type { RenderedPrompt } from '#core/ports.ts';
import { makePromptMaterial } from '#core/units/survey/writer-material.ts';
import { makePromptRelation } from '#core/units/relation-kinds.ts';
import type { Situation } from '#core/units/situation.ts';
import type { UnitWork } from '#durable-objects/exploration/exploration-run.ts';
import { getPairOrThrow, makePromptTool } from './shown-units.ts';

/** Renders the question for two requests that only one tool fulfils, and none of its near siblings. */
export const renderSiblingPairPrompt = (
  { unit, tools, siblings, material }: UnitWork,
  situation: Situation,
): RenderedPrompt =>
  render(prompts.siblingPair, {
    tools: tools.map(makePromptTool),
    siblings: siblings.map(makePromptTool),
    relation: makePromptRelation(unit.relation?.asked),
    situation,
    ...makePromptMaterial(material),
  });

/** Renders the question whether two requests lead to one tool, and to none of its near siblings. */
export function renderSiblingAuditPrompt({ unit, tools, siblings, material }: UnitWork): RenderedPrompt {
  const { source, followUp, chain } = getPairOrThrow(unit);
  return render(prompts.siblingAudit, {
    tools: tools.map(makePromptTool),
    siblings: siblings.map(makePromptTool),
    pair: { source, followUp, chain },
    ...makePromptMaterial(material),
  });
}
