import { loopPrompts, getPromptOrThrow, prompts } from '#adapters/prompts/index.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isModelAgent, type StoredAgent } from '#core/evaluation/config.ts';
import type { Provenance } from '#core/evaluation/record.ts';
import { scorersOfProtocol, type ProtocolKey } from '#core/protocols/protocols.ts';
import { harnessVersion } from '#core/harness-version.ts';

const makeJudgingProvenance = (protocol: ProtocolKey) => [
  ...scorersOfProtocol(protocol).flatMap((scorer) =>
    scorer.unit === 'case' ? [] : scorer.questions.map(({ prompt }) => getPromptOrThrow(prompt)),
  ),
  prompts.judgeFailure,
  prompts.repair,
];

/** What the scores of an evaluation created now depend on. */
export async function makeEvaluationProvenance(
  tools: readonly Tool[],
  agents: readonly StoredAgent[],
  judges: boolean,
  protocol: ProtocolKey,
): Promise<Provenance> {
  const used = [
    ...agents.filter(isModelAgent).flatMap(({ loop }) => loopPrompts[loop]),
    ...(judges ? makeJudgingProvenance(protocol) : []),
  ];
  const ids = [...new Set(used.map(({ id }) => id))].toSorted();
  return { catalog: (await makeCatalog(tools)).id, prompts: ids, harness: harnessVersion };
}
