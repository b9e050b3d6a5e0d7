import { z } from 'zod';
import { firstCharacters } from '#core/values/excerpt.ts';
import { severities } from '../tool-report/record.ts';
import { checkRules, families, ruleIds, type RuleId, type Severity } from './rules.ts';

const mostEvidence = 10;
/** Characters of a name, a text or an answer that a finding shows: servers choose them. */
const shownChars = 300;

/** A call that shows a finding. */
export const shownCall = z.object({
  /** The tool's name on its own server. */
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** What came back, shortened. */
  answer: z.string(),
});
export type ShownCall = Readonly<z.infer<typeof shownCall>>;

/** Something that the owner of a server can fix. */
export const checkFinding = z.object({
  rule: z.enum(ruleIds),
  family: z.enum(families),
  severity: z.enum(severities),
  server: z.string(),
  /** `server/tool`; null if it is about the server as a whole. */
  tool: z.string().nullable(),
  /** Other tools that it is about as well, such as a twin: `server/tool`. */
  others: z.array(z.string()),
  /** What was seen. */
  sentence: z.string(),
  /** What in the definitions shows it, such as names of arguments; ten at most. */
  evidence: z.array(z.string()).max(mostEvidence),
  /** The call that shows it; null if the definition does. */
  call: shownCall.nullable(),
  /** What to do. */
  proposal: z.string(),
});
export type CheckFinding = Readonly<z.infer<typeof checkFinding>>;

interface Said {
  /** `server/tool`, or the name of a server in `server` alone. */
  readonly tool?: string | null;
  readonly server: string;
  readonly sentence: string;
  readonly proposal: string;
  readonly severity?: Severity;
  readonly others?: readonly string[];
  readonly evidence?: readonly string[];
  readonly call?: ShownCall | null;
}

/** Returns a finding by a rule, with the rule's usual severity unless it says another one. */
export const findingBy = (
  rule: RuleId,
  { tool = null, server, sentence, proposal, severity, others = [], evidence = [], call = null }: Said,
): CheckFinding => ({
  rule,
  family: checkRules[rule].family,
  severity: severity ?? checkRules[rule].severity,
  server,
  tool,
  others: [...others],
  sentence,
  evidence: evidence.slice(0, mostEvidence).map((each) => firstCharacters(each, shownChars)),
  call: call === null ? null : { ...call, answer: firstCharacters(call.answer, shownChars) },
  proposal,
});

/** The worst first; among equals in the order of tools. */
export const worstFirst = (findings: readonly CheckFinding[]): CheckFinding[] =>
  findings.toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));

/** Whether a finding says that a tool needs work before agents use it. */
export const needsWork = ({ severity }: Pick<CheckFinding, 'severity'>): boolean => severity !== 'low';

/** Leaves twins by their definitions out where calls showed the same: that finding has both texts as well. */
export function withoutProvenTwins(findings: readonly CheckFinding[]): CheckFinding[] {
  const pairOf = ({ tool, others }: CheckFinding): string => JSON.stringify([tool, ...others].toSorted());
  const proven = new Set(findings.filter(({ rule }) => rule === 'twin-by-behaviour').map(pairOf));
  return findings.filter((each) => each.rule !== 'twin-by-definition' || !proven.has(pairOf(each)));
}
