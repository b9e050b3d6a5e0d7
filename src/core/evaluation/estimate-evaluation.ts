import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isModelAgent, mountingOfAgent, type EvaluationConfig } from './config.ts';
import type { EvaluationRecord, NewEvaluation } from './record.ts';
import { groupMountableToolsByServer, makeMountableTool } from '#core/units/mounting/mountable-catalog.ts';
import { isSameMounting } from '#core/units/mounting/mounting.ts';
import {
  plannedDetectableDifferenceOrNull,
  plannedDifferingShare,
  powerForDifference,
} from '#core/statistics/power.ts';
import { countRequestsOfCase, getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import {
  multiplyTokens,
  makeCostEstimateFromModelShares,
  sumPromptAndCompletionTokens,
  roundedTokensText,
  type CostEstimate,
  type ModelShare,
} from '#core/exploration/estimates/cost-estimate.ts';
import { estimateTokensOfAttempt, measured } from '#core/exploration/estimates/measured-costs.ts';
import { meanMountedSchemaTokens } from '#core/exploration/estimates/mounted-size.ts';

/** Attempts from which a run says what attempts take. */
const enoughAttempts = 6;

type Asked = Pick<NewEvaluation, 'agents' | 'judge' | 'panel' | 'embedder' | 'protocol'> & {
  readonly config: EvaluationConfig;
};

/** Returns whether a run shows what attempts of another take: the same benchmark, protocol, judging, mounting and models of agents. */
export const isSimilarEvaluationWithEnoughAttempts = (
  run: EvaluationRecord,
  { config, protocol, agents }: Asked,
): boolean =>
  run.config.benchmark === config.benchmark &&
  run.protocol === protocol &&
  run.config.judges === config.judges &&
  run.rejudges === null &&
  run.progress.made >= enoughAttempts &&
  run.usage.promptTokens > 0 &&
  isSameMounting(run.config.mounting, config.mounting) &&
  run.agents.length === agents.length &&
  agents.every(
    (agent, index) =>
      isModelAgent(agent) &&
      run.agents.some((other, at) => at === index && 'model' in other && other.model === agent.model.model),
  );

/**
 * Estimates what an evaluation takes if no budget ends it early. `sample` are some of its units, which show what agents
 * see; `like` is an earlier run, similar by `isSimilarEvaluationWithEnoughAttempts`, whose means replace the measured ones.
 */
export function estimateEvaluation(
  asked: Asked,
  {
    units,
    tools,
    sample,
  }: { readonly units: number; readonly tools: readonly Tool[]; readonly sample: readonly BenchmarkUnit[] },
  like: Pick<EvaluationRecord, 'id' | 'progress' | 'usage' | 'judgeUsage'> | null,
): CostEstimate {
  const { config, agents, protocol } = asked;
  const requests = countRequestsOfCase(protocol, sample[0]?.kind ?? 'pair', config.disturb?.kinds);
  const attemptsOfAgent = units * config.trials * requests;
  const attempts = attemptsOfAgent * agents.length;
  const catalog = groupMountableToolsByServer(tools.map(makeMountableTool));
  const modelAgents = agents.filter(isModelAgent);
  const byAgent = modelAgents.map((agent): ModelShare => {
    const schemaTokens = meanMountedSchemaTokens(mountingOfAgent(agent, config.mounting), catalog, sample, config.seed);
    return {
      model: agent.model,
      ...multiplyTokens(estimateTokensOfAttempt(schemaTokens, agent.limits.turns), attemptsOfAgent),
    };
  });
  const judging = config.judges ? estimateTokensOfEachJudge(asked, attempts) : [];
  const factor = (shown: number, expected: readonly ModelShare[]): number =>
    like === null || sumPromptAndCompletionTokens(expected) === 0
      ? 1
      : (shown / like.progress.made) * (attempts / sumPromptAndCompletionTokens(expected));
  const shares = [
    ...multiplyTokensOfShares(byAgent, factor(like === null ? 0 : sumPromptAndCompletionTokens([like.usage]), byAgent)),
    ...multiplyTokensOfShares(
      judging,
      factor(like === null ? 0 : sumPromptAndCompletionTokens([like.judgeUsage]), judging),
    ),
  ];
  const seen = sumPromptAndCompletionTokens(shares.slice(0, byAgent.length));
  const estimate = makeCostEstimateFromModelShares(shares, [
    `${attempts} attempts: ${agents.length} agents, ${units} units, ${config.trials} trials, ${requests} requests`,
    `Agents take ${roundedTokensText(seen / Math.max(1, attemptsOfAgent * modelAgents.length))} tokens an attempt, judges ${roundedTokensText((sumPromptAndCompletionTokens(shares) - seen) / Math.max(1, attempts))}`,
    like === null
      ? `Measured on ${measured.on} with rules in place of models: ${measured.attempt.turns} turns an attempt, each with the tools of its mounting`
      : `The means of ${like.progress.made} attempts of ${like.id}, which had the same benchmark, protocol, mounting and models`,
    ...(modelAgents.length === agents.length ? [] : ['What external agents take is not known']),
    'A budget may end it earlier',
  ]);
  const tells = planComparisonOrNull(units);
  return tells === null ? estimate : { ...estimate, tells };
}

/** Returns what a comparison of two agents on so many units would show; null where it could show nothing. */
function planComparisonOrNull(units: number): NonNullable<CostEstimate['tells']> | null {
  const difference = plannedDetectableDifferenceOrNull(units);
  if (difference === null) return null;
  const deviation = Math.sqrt(plannedDifferingShare - 0.1 ** 2);
  return {
    units,
    difference,
    differing: plannedDifferingShare,
    powerAtTenth: powerForDifference(0.1, units, deviation),
  };
}

/**
 * Estimates what judging the attempts of an evaluation again takes. If the judges of `source` were asked often enough, what they took
 * replaces the measured means.
 */
export function estimateCostOfJudgingAgain(
  asked: Pick<Asked, 'judge' | 'panel' | 'embedder' | 'protocol'>,
  source: Pick<EvaluationRecord, 'id' | 'progress' | 'panel' | 'judgeUsage'>,
): CostEstimate {
  const { made } = source.progress;
  const shares = estimateTokensOfEachJudge(asked, made);
  // The same judges as now, but as many as there were then.
  const before = sumPromptAndCompletionTokens(
    estimateTokensOfEachJudge({ ...asked, panel: source.panel.map(() => asked.judge) }, made),
  );
  const taken = sumPromptAndCompletionTokens([source.judgeUsage]);
  const isKnown = made >= enoughAttempts && taken > 0 && before > 0;
  const scaled = multiplyTokensOfShares(shares, isKnown ? taken / before : 1);
  return makeCostEstimateFromModelShares(scaled, [
    `${made} attempts and ${asked.panel.length === 0 ? '1 judge' : `${asked.panel.length + 1} judges`}, with ${roundedTokensText(sumPromptAndCompletionTokens(scaled) / Math.max(1, made))} tokens an attempt`,
    isKnown ? `The means of the judges of ${source.id}` : `Measured on ${measured.on} with rules in place of models`,
  ]);
}

const multiplyTokensOfShares = (shares: readonly ModelShare[], by: number): ModelShare[] =>
  shares.map((share) => ({ ...share, ...multiplyTokens(share, by) }));

function estimateTokensOfEachJudge(
  { judge, panel, embedder, protocol }: Pick<Asked, 'judge' | 'panel' | 'embedder' | 'protocol'>,
  attempts: number,
): ModelShare[] {
  const { judge: own, panelMember, embedder: compared } = getProtocol(protocol).judging;
  const shares: ModelShare[] = [
    { model: judge, ...multiplyTokens(own, attempts) },
    ...panel.map((model) => ({ model, ...multiplyTokens(panelMember, attempts) })),
  ];
  return sumPromptAndCompletionTokens([compared]) === 0
    ? shares
    : [...shares, { model: embedder, ...multiplyTokens(compared, attempts) }];
}
