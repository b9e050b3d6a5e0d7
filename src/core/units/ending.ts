import type { InfrastructureFault } from '#core/models/faults.ts';
import type { IndexFault } from '#core/ports.ts';
import type { Pair } from './answers.ts';
import type { StaticCheck } from './static-check.ts';
import type { TierThresholds } from './tiers.ts';
import type { EarlierExecution, Stage, Unit, UnitStatus } from './unit.ts';
import { witnessExtent, type WitnessExtent } from './witness.ts';

const longestReason = 500;

/** Returns the stage of a unit that has ended. A reason is cut at 500 characters. */
export const doneStage = (status: UnitStatus, reason: string): Stage => ({
  kind: 'done',
  status,
  reason: reason.slice(0, longestReason),
});

export function getPairOrThrow(unit: Unit): Pair {
  if (unit.pair === null) throw new Error(`unit ${unit.id} has no pair at ${unit.stage.kind}`);
  return unit.pair;
}

export const wordingOfPair = ({ source, followUp, arguments: origins }: Pair) => ({
  source,
  followUp,
  arguments: origins,
});

export function makeAcceptedStage(extent: WitnessExtent): Stage {
  const succeeded =
    extent === 'full'
      ? 'every expected tool succeeded in one attempt or the other'
      : extent === 'none'
        ? 'none of the expected tools succeeded'
        : 'only some of the expected tools succeeded';
  return doneStage('accepted', `both requests were executed, and ${succeeded}`);
}

/**
 * Returns the unit as it was executed before its rewording, because the new wording is not as good: it would need a
 * person or another refinement, it led to fewer steps, or a model or all servers broke before that was known.
 */
export function unitAcceptedInEarlierWording(
  unit: Unit,
  { wording, audit, executions, witness }: EarlierExecution,
): Unit {
  const pair = getPairOrThrow(unit);
  const accepted = { ...unit, executions, witness, stage: makeAcceptedStage(witnessExtent(pair.chain, witness)) };
  if (unit.stage.kind === 'refinement') return accepted;
  const isAudited = unit.audits.length > unit.superseded.length;
  return {
    ...accepted,
    superseded: isAudited ? [...unit.superseded, wordingOfPair(pair)] : unit.superseded,
    audits: [...unit.audits, audit],
    pair: { ...pair, ...wording },
  };
}

/** Drops a unit that a fault broke; one that was executed before its rewording stays as it was then. */
export function unitDroppedOrAcceptedInEarlierWording(unit: Unit, fault: InfrastructureFault | IndexFault): Unit {
  const dropped = unitDroppedForFault(unit, fault);
  return unit.earlierExecution === null
    ? dropped
    : unitAcceptedInEarlierWording({ ...unit, faults: dropped.faults }, unit.earlierExecution);
}

export function unitDroppedForFault(unit: Unit, fault: InfrastructureFault | IndexFault): Unit {
  return {
    ...unit,
    faults: [...unit.faults, { ...fault }],
    stage: doneStage('dropped', `${fault.where} ${fault.name}: ${fault.code}: ${fault.detail}`),
  };
}

/** What decides on an audited unit. */
type AuditRules = Pick<TierThresholds, 'passScore'> & { readonly maxRefinements: number };

/** Returns why an audited unit is rejected. */
export const auditRejectionText = (score: number, violations: readonly string[], rules: AuditRules): string =>
  score < rules.passScore
    ? `audited at ${score} after ${rules.maxRefinements} refinements`
    : `unsound after ${rules.maxRefinements} refinements: ${violations.join('; ') || 'an argument has no source'}`;

/** Returns the reason why an edit returns to the queue, for the next reviewer. */
export function auditReturnText(score: number, { findings, violations }: StaticCheck, rules: AuditRules): string {
  if (score < rules.passScore) return `the edited wording was audited at ${score}`;
  const unsolved = findings.filter(({ verdict }) => verdict === 'no');
  const wrong = unsolved.map(({ tool, argument, reason }) => `${argument} of ${tool}: ${reason}`);
  return `the edited wording is unsound: ${[...violations, ...wrong].join('; ')}`;
}
