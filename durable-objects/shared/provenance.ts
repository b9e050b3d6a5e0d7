import { loopPrompts, getPromptOrThrow, prompts } from '#adapters/prompts/index.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isModelAgent, type EvaluationConfig, type StoredAgent } from '#core/evaluation/config.ts';
import type { Provenance } from '#core/evaluation/record.ts';
import { scorerKeysOfProtocol, scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { areReadTogether } from '#core/scoring/attempt-reading.ts';
import { harnessVersion } from '#core/values/harness-version.ts';

const listJudgingPrompts = (protocol: ProtocolKey) => [
  ...scorersOfProtocol(protocol).flatMap((scorer) =>
    scorer.unit === 'case' ? [] : scorer.questions.map(({ prompt }) => getPromptOrThrow(prompt)),
  ),
  ...(areReadTogether(scorerKeysOfProtocol(protocol)) ? [prompts.judgeAttempt] : []),
  prompts.judgeFailure,
  prompts.repair,
];

/** What the scores of an evaluation created now depend on. */
export async function makeEvaluationProvenance(
  tools: readonly Tool[],
  agents: readonly StoredAgent[],
  { judges, user }: Pick<EvaluationConfig, 'judges' | 'user'>,
  protocol: ProtocolKey,
): Promise<Provenance> {
  const used = [
    ...agents.filter(isModelAgent).flatMap(({ loop }) => loopPrompts[loop]),
    ...(judges ? listJudgingPrompts(protocol) : []),
    ...(user === 'answer' ? [prompts.simulatedUser] : []),
  ];
  const ids = [...new Set(used.map(({ id }) => id))].toSorted();
  return { catalog: (await makeCatalog(tools)).id, prompts: ids, harness: harnessVersion };
}
