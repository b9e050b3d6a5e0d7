import { prompts } from '#adapters/prompts/index.ts';
import { freezeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { StoredAgent } from '#core/evaluation/config.ts';
import type { Provenance } from '#core/evaluation/record.ts';
import { harnessVersion } from '#core/harness.ts';

const judging = [
  prompts.judgePlan,
  prompts.judgeRelevance,
  prompts.judgeBackRequests,
  prompts.judgeCoverage,
  prompts.judgeFailure,
  prompts.repair,
];
const byLoop: { readonly [Loop in StoredAgent['loop']]: readonly { readonly id: string }[] } = {
  'function-calling': [prompts.agent],
  'prompted-calling': [prompts.agentPrompted],
  external: [],
  uploaded: [],
};

/** What an evaluation that begins now rests on. */
export async function provenanceOf(
  tools: readonly Tool[],
  agents: readonly StoredAgent[],
  judges: boolean,
): Promise<Provenance> {
  const used = [...agents.flatMap(({ loop }) => byLoop[loop]), ...(judges ? judging : [])];
  const ids = [...new Set(used.map(({ id }) => id))].toSorted();
  return { catalog: (await freezeCatalog(tools)).id, prompts: ids, harness: harnessVersion };
}
