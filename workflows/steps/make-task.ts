import { prompts, render } from '#adapters/prompts/index.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Transition } from '#core/traces/transitions.ts';
import type { Questioner, RenderedPrompt } from '#core/ports.ts';
import { dependenciesText } from '#core/scoring/dependencies.ts';
import { makePromptMaterial, type WriterMaterial } from '#core/units/survey/writer-material.ts';
import type { StageResult } from '#core/units/progress.ts';
import type { Situation } from '#core/units/situation.ts';
import { fuzzyAnswer, qualityAnswer } from '#core/units/task-record.ts';
import { listValuesToKeep, listServersOfTools } from '#core/units/task-stages.ts';
import type { UnitWork } from '#durable-objects/exploration/exploration-run.ts';
import { getPairOrThrow, makePromptTool } from './shown-units.ts';

/** Asks the question of a stage that only tasks have: for the critic's grades, or for the fuzzy wording. */
export async function askForTaskGradesOrFuzzyWording(
  models: Questioner,
  { unit, tools, material }: Pick<UnitWork, 'unit' | 'tools' | 'material'>,
  seed: number,
): Promise<StageResult> {
  const pair = getPairOrThrow(unit);
  const shown = tools.map(makePromptTool);
  if (unit.stage.kind === 'fuzzy') {
    const prompt = render(prompts.fuzzyRequest, {
      request: pair.source,
      tools: shown.map(({ name, description }) => ({ name, description })),
      kept: listValuesToKeep(pair),
      earlier: unit.task?.rejectedFuzzy.at(-1) ?? null,
    });
    return {
      kind: 'fuzzy',
      answer: await models.askForJson({ role: 'writer', prompt, form: 'fuzzy-request', schema: fuzzyAnswer, seed }),
    };
  }
  const prompt = render(prompts.taskQuality, {
    tools: shown,
    task: { request: pair.source, chain: pair.chain },
    dependencies: dependenciesText(pair.chain, pair.arguments),
    ...makePromptMaterial(material),
  });
  return {
    kind: 'quality',
    answer: await models.askForJson({ role: 'critic', prompt, form: 'task-quality', schema: qualityAnswer, seed }),
  };
}

interface ChainQuestion {
  readonly tools: readonly Tool[];
  /** Steps of the chain's tools that succeeded before. */
  readonly executed: readonly Transition[];
  readonly situation: Situation;
  readonly material: WriterMaterial;
}

/** Renders the question for a task that leads along a chain and needs all of its servers. */
export const renderChainScenarioPrompt = ({ tools, executed, situation, material }: ChainQuestion): RenderedPrompt =>
  render(prompts.chainScenario, {
    tools: tools.map(makePromptTool),
    executed,
    servers: listServersOfTools(tools.map(({ name }) => name)),
    situation,
    ...makePromptMaterial(material),
  });
