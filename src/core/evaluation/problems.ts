import type { ToolChange } from '#core/catalog/changes.ts';
import type { Problem } from '#core/values/errors.ts';
import type { EvaluationConfig } from './config.ts';

/** How much work an evaluation is. */
export interface EvaluationSize {
  readonly units: number;
  readonly agents: number;
  readonly trials: number;
  /** Requests of a unit. */
  readonly requests: number;
}

/** Why an evaluation is impossible, or a leaderboard whose submissions could not be evaluated. */
export type EvaluationRefusal =
  | {
      readonly reason: 'no-units';
      readonly split: EvaluationConfig['split'];
      /** Units that are left out because a wording was written from them. */
      readonly seenUnits: number;
    }
  | ({
      readonly reason: 'too-many-attempts';
      readonly attempts: number;
      readonly most: number;
      /** Units that would fit, with these agents and trials. */
      readonly fittingUnits: number;
    } & EvaluationSize)
  | ({
      readonly reason: 'too-many-trials';
      /** The attempts of one submission. */
      readonly attempts: number;
      readonly most: number;
      /** Trials that would fit, with these units. */
      readonly fittingTrials: number;
    } & Pick<EvaluationSize, 'units' | 'trials'>)
  | {
      readonly reason: 'servers-missing';
      /** Their names; null for a benchmark of another workspace. */
      readonly servers: readonly string[] | null;
    }
  | { readonly reason: 'catalog-changed'; readonly changes: readonly ToolChange[] };

/** Returns what a client is told. */
export function problemOfEvaluationRefusal(refusal: EvaluationRefusal): Problem {
  switch (refusal.reason) {
    case 'no-units':
      return { code: 'nothing-to-evaluate', detail: noUnitsText(refusal) };
    case 'too-many-attempts': {
      const { units, agents, trials, attempts, most, fittingUnits } = refusal;
      return {
        code: 'evaluation-too-large',
        detail: `${pluralCountText(units, 'unit')}, ${pluralCountText(agents, 'agent')} and ${pluralCountText(trials, 'trial')} make ${pluralCountText(attempts, 'attempt')}, and an evaluation may have ${numberText(most)}; with these agents and trials ${pluralCountText(fittingUnits, 'unit')} would fit`,
      };
    }
    case 'too-many-trials': {
      const { units, trials, attempts, most, fittingTrials } = refusal;
      return {
        code: 'evaluation-too-large',
        detail: `${pluralCountText(units, 'unit')} and ${pluralCountText(trials, 'trial')} make ${pluralCountText(attempts, 'attempt')} of each submission, and an evaluation may have ${numberText(most)}; with these units ${pluralCountText(fittingTrials, 'trial')} would fit`,
      };
    }
    case 'servers-missing':
      return {
        code: 'not-found',
        detail:
          refusal.servers === null
            ? 'not all servers of the benchmark are registered in this workspace; its public export names them'
            : `these servers of the benchmark are not registered: ${refusal.servers.join(', ')}`,
      };
    case 'catalog-changed':
      return {
        code: 'catalog-changed',
        detail: `${refusal.changes.filter(({ change }) => change !== 'added').length} of the benchmark's tools are not as its servers list them now; choose "pinned" or "current" as catalog`,
        issues: refusal.changes.map(({ tool, change }) => ({ where: tool, message: change })),
      };
  }
}

const noUnitsText = ({ split, seenUnits }: Extract<EvaluationRefusal, { reason: 'no-units' }>): string =>
  seenUnits === 0
    ? `the split "${split}" has no units`
    : `the wording was written from ${pluralCountText(seenUnits, 'unit')} of the split "${split}" or from others of their lineages, which leaves none to judge it on; take another split, or write it from a smaller share`;

const numberText = (value: number): string => value.toLocaleString('en-US');
const pluralCountText = (value: number, what: string): string =>
  `${numberText(value)} ${what}${value === 1 ? '' : 's'}`;
