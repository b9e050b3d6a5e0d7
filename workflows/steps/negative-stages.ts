import { prompts, render } from '#adapters/prompts/index.ts';
import type { Questioner, RenderedPrompt } from '#core/ports.ts';
import { makePromptMaterial } from '#core/units/survey/writer-material.ts';
import { negativeAuditAnswer, negativePairAnswer } from '#core/units/answers.ts';
import { auditAnswerFromNegative, pairAnswerFromNegative } from '#core/units/negative.ts';
import type { StageResult } from '#core/units/progress.ts';
import { makePromptRelation } from '#core/units/relation-kinds.ts';
import type { Situation } from '#core/units/situation.ts';
import type { UnitWork } from '#durable-objects/exploration/exploration-run.ts';
import { getPairOrThrow, makePromptTool } from './shown-units.ts';

/** Asks for two requests that look as if one tool served them, though no tool of the catalog does. */
export async function writeNegativePair(
  models: Questioner,
  work: UnitWork,
  { situation, seed }: { readonly situation: Situation; readonly seed: number },
): Promise<StageResult> {
  const answer = await models.askForJson({
    role: 'writer',
    prompt: renderNegativePairPrompt(work, situation),
    form: 'negative-pair',
    schema: negativePairAnswer,
    seed,
  });
  const looksLike = work.tools[0]?.name;
  if (looksLike === undefined) throw new Error(`the negative unit ${work.unit.id} has no tool to look like`);
  return {
    kind: 'pair',
    answer: answer.ok ? { ...answer, value: pairAnswerFromNegative(looksLike, answer.value) } : answer,
  };
}

/** Asks whether any tool of the catalog serves the requests of a negative unit. */
export async function auditNegativePair(
  models: Questioner,
  { unit, tools, others }: UnitWork,
  seed: number,
): Promise<StageResult> {
  const { source, followUp } = getPairOrThrow(unit);
  const answer = await models.askForJson({
    role: 'critic',
    prompt: render(prompts.negativeAudit, { tools: tools.map(makePromptTool), others, pair: { source, followUp } }),
    form: 'negative-audit',
    schema: negativeAuditAnswer,
    seed,
  });
  return { kind: 'audit', answer: answer.ok ? { ...answer, value: auditAnswerFromNegative(answer.value) } : answer };
}

const renderNegativePairPrompt = (
  { unit, tools, others, material }: UnitWork,
  situation: Situation,
): RenderedPrompt => {
  const { survey } = makePromptMaterial(material);
  return render(prompts.negativePair, {
    tools: tools.map(makePromptTool),
    others,
    relation: makePromptRelation(unit.relation?.asked),
    survey,
    situation,
  });
};
