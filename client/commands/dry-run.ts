import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { toldBeforehandText } from '#core/evaluation/figure-texts.ts';
import type { CommandContext } from '../command-line/context.ts';
import { flagOption } from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';

/** The option of verbs that start runs. */
export const dryRun = flagOption('dry-run', 'say what the run is expected to take, and start nothing');

/** Prints an estimate: tokens, cost, and what both were derived from. */
export function printCostEstimate(estimate: CostEstimate, { output }: Pick<CommandContext, 'output'>): void {
  const { tokens, costUsd, basis, tells, warnings = [] } = estimate;
  const cost = costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(2)}`;
  output.writeAsJsonOrLines({ estimate }, () => [
    `about ${countWithNoun(tokens, 'token')}, ${cost}`,
    ...basis.split('. '),
    ...(tells === undefined ? [] : [toldBeforehandText(tells)]),
  ]);
  for (const warning of warnings) output.writeNote(`warning: ${warning}`);
}
