import { listFindingsOfDefinitions } from './definition-findings.ts';
import { severities, type Finding, type TakenTool, type ToolConfusion, type ToolFindings } from './record.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Attempts or calls below which nothing is said of a share: two that agree may be chance. */
const leastSeen = 3;
/** The share of attempts from which a missed or confused tool is a finding. */
const oftenShare = 0.2;
/** The median time of a call from which a tool is slow, in milliseconds. */
const slowMs = 5_000;

type Reported = Pick<
  ToolFindings,
  'tool' | 'verdict' | 'success' | 'missed' | 'commonFailure' | 'commonError' | 'effect' | 'medianMs'
>;

interface Observed {
  readonly confusions: readonly ToolConfusion[];
  readonly taken: readonly TakenTool[];
  /** Whether rules played the agents: what they did wrong says nothing about the tools. */
  readonly offline: boolean;
}

/** Returns what stands out in a report on tools, the worst first: what attempts show before what definitions show. */
export function listToolFindingsWorstFirst(
  tools: readonly Reported[],
  { confusions, taken, offline }: Observed,
  definitions: readonly ToolDefinition[],
): Finding[] {
  const ofAgents = offline
    ? []
    : [
        ...tools.flatMap((of) => [findFailingFinding(of), findMissedFinding(of)]),
        ...confusions.flatMap(listFindingsOfConfusion),
        ...taken.flatMap(listFindingsOfTakenTool),
      ];
  const ofTools = tools.flatMap((of) => [findSlowFinding(of), findUndeclaredEffectFinding(of)]);
  const found = [...ofAgents, ...ofTools, ...listFindingsOfDefinitions(definitions)].flatMap((each) => each ?? []);
  return found.toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
}

function findFailingFinding({ tool, success, commonFailure, commonError }: Reported): Finding | null {
  const failed = success.of - success.count;
  if (success.of < leastSeen || success.share === null || success.share >= 0.5) return null;
  return {
    kind: 'failing',
    severity: success.count === 0 ? 'high' : 'medium',
    tool,
    sentence: `${failed} of ${success.of} calls failed${commonFailure === null ? '' : `, ${commonFailure.count} as ${commonFailure.class}`}`,
    evidence: [],
    units: commonError === null ? [] : [commonError.unit],
    proposal:
      commonFailure?.class === 'syntactic-malformation'
        ? 'describe the form of each argument in the schema, with an example, and say in the error what would be right'
        : 'say in the description what must exist before the call, and in the error how to get it',
  };
}

function findMissedFinding({ tool, missed: { count, of, share } }: Reported): Finding | null {
  if (of < leastSeen || share === null || share < oftenShare) return null;
  return {
    kind: 'missed',
    severity: share >= 0.5 ? 'high' : 'medium',
    tool,
    sentence: `${count} of ${of} attempts that need it did not call it`,
    evidence: [],
    units: [],
    proposal: 'begin the description with what the tool is for, in words that people use when they ask for it',
  };
}

function findSlowFinding({ tool, medianMs }: Reported): Finding | null {
  if (medianMs === null || medianMs < slowMs) return null;
  return {
    kind: 'slow',
    severity: 'low',
    tool,
    sentence: `half of its calls took ${(medianMs / 1000).toFixed(1)} s or longer`,
    evidence: [],
    units: [],
    proposal: 'report progress, or split the work, so that agents do not give it up',
  };
}

function findUndeclaredEffectFinding({ tool, effect }: Reported): Finding | null {
  if (effect !== 'unknown') return null;
  return {
    kind: 'effect-undeclared',
    severity: 'low',
    tool,
    sentence: 'it does not say whether it only reads',
    evidence: [],
    units: [],
    proposal: 'declare `readOnlyHint` and `destructiveHint`: clients ask their users less often then',
  };
}

function listFindingsOfConfusion({ expected, called, attempts, units }: ToolConfusion): Finding[] {
  if (attempts.of < leastSeen || attempts.share === null || attempts.share < oftenShare) return [];
  return [
    {
      kind: 'confused',
      severity: attempts.share >= 0.5 ? 'high' : 'medium',
      tool: expected,
      sentence: `${called} was called in its place in ${attempts.count} of ${attempts.of} attempts`,
      evidence: [],
      units: [...units],
      proposal: `say in both descriptions what ${expected} does that ${called} does not`,
    },
  ];
}

function listFindingsOfTakenTool({ tool, attempts, units }: TakenTool): Finding[] {
  if (attempts.of < leastSeen || attempts.share === null || attempts.share < oftenShare) return [];
  return [
    {
      kind: 'taken',
      severity: attempts.share >= 0.5 ? 'high' : 'medium',
      tool,
      sentence: `it was called in ${attempts.count} of ${attempts.of} attempts at requests that no tool fits`,
      evidence: [],
      units: [...units],
      proposal: 'say in the description what it does not do, and for what it is not made',
    },
  ];
}
