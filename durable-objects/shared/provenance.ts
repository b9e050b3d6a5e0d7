import { loopPrompts, getPromptOrThrow, prompts } from '#adapters/prompts/index.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isModelAgent, type StoredAgent } from '#core/evaluation/config.ts';
import type { Provenance } from '#core/evaluation/record.ts';
import { attemptScorers } from '#core/scoring/scorers.ts';
import { harnessVersion } from '#core/harness-version.ts';

const judging = [
  ...attemptScorers.flatMap(({ questions }) => questions.map(({ prompt }) => getPromptOrThrow(prompt))),
  prompts.judgeFailure,
  prompts.repair,
];

/** What the scores of an evaluation created now depend on. */
export async function makeEvaluationProvenance(
  tools: readonly Tool[],
  agents: readonly StoredAgent[],
  judges: boolean,
): Promise<Provenance> {
  const used = [...agents.filter(isModelAgent).flatMap(({ loop }) => loopPrompts[loop]), ...(judges ? judging : [])];
  const ids = [...new Set(used.map(({ id }) => id))].toSorted();
  return { catalog: (await makeCatalog(tools)).id, prompts: ids, harness: harnessVersion };
}
