import { z } from 'zod';
import { issueText } from '#core/values/issue-text.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import type { CheckFinding } from './finding.ts';
import { gradeFamilies, type Grades } from './grade.ts';
import type { CheckReport } from './report.ts';
import { ruleIds, type Family } from './rules.ts';

/** A finding that the owner of a server accepts. */
const acceptedFinding = z.strictObject({
  rule: z.enum(ruleIds, {
    error: ({ input }) => (input === undefined ? 'is missing' : `there is no rule ${JSON.stringify(input)}`),
  }),
  /** `server/tool`, or the name of a server for what is about it as a whole. */
  tool: z
    .string('give `server/tool`, or the name of the server for what is about it as a whole')
    .min(1, 'give `server/tool`, or the name of the server for what is about it as a whole'),
  /** Why it is accepted, for people. */
  reason: z.string().optional(),
});

/** The content of a file of accepted findings. */
export const baseline = z.strictObject({
  /** The version of the format. */
  sextant: z.literal(1, {
    error: ({ input }) => (input === undefined ? 'is missing' : 'this release reads version 1 of the format'),
  }),
  accepted: z.array(acceptedFinding),
});
export type Baseline = Readonly<z.infer<typeof baseline>>;

/** Reads a file of accepted findings, or returns what is wrong with it and where, such as `accepted.0.rule: is missing`. */
export function readBaseline(text: string): Result<Baseline, string> {
  const json = parseJsonWithinLimits(text);
  if (!json.ok) return json;
  const parsed = baseline.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues
      .map((issue) => [...issue.path.map(String), issueText(issue)])
      .map((parts) => `${parts.slice(0, -1).join('.') || 'the file'}: ${parts.at(-1)}`)
      .join('; '),
  );
}

/** What of a finding stays the same from check to check: its rule, and the tool or the server that it is about. */
const keyOf = ({ rule, tool, server }: Pick<CheckFinding, 'rule' | 'server' | 'tool'>): string =>
  JSON.stringify([rule, tool ?? server]);

/** Returns a file that accepts all findings of a report, in the order of tools and rules: two such files can be compared line by line. */
export const baselineOf = ({ findings }: Pick<CheckReport, 'findings'>): Baseline => {
  const unique = new Map(findings.map((finding) => [keyOf(finding), finding]));
  const accepted = Array.from(unique.values(), ({ rule, tool, server }) => ({ rule, tool: tool ?? server }));
  return {
    sextant: 1,
    accepted: accepted.toSorted(
      (one, other) => compareTexts(one.tool, other.tool) || compareTexts(one.rule, other.rule),
    ),
  };
};

/** Orders texts the same way on every machine. */
const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Returns a report without the findings that a baseline accepts: they are counted, and the grades are of the others. */
export function withoutAccepted(report: CheckReport, { accepted }: Baseline): CheckReport {
  const keys = new Set(accepted.map(({ rule, tool }) => JSON.stringify([rule, tool])));
  const findings = report.findings.filter((finding) => !keys.has(keyOf(finding)));
  const removed = report.findings.length - findings.length;
  return gradedAgain({ ...report, findings, accepted: report.accepted + removed }, () => true);
}

/** Returns a report with the findings and the grades of some families; the others count as not looked at. */
export const onlyFamilies = (report: CheckReport, families: readonly Family[]): CheckReport =>
  gradedAgain({ ...report, findings: report.findings.filter(({ family }) => families.includes(family)) }, (family) =>
    families.includes(family),
  );

/** Returns a report with grades of its findings; a family without a grade gets none. */
function gradedAgain(report: CheckReport, isGraded: (family: Family) => boolean): CheckReport {
  const now = gradeFamilies(report);
  const gradeOf = (family: Family): Grades[Family] =>
    report.grades[family] === null || !isGraded(family) ? null : now[family];
  return {
    ...report,
    grades: {
      safe: gradeOf('safe'),
      clear: gradeOf('clear'),
      distinct: gradeOf('distinct'),
      sturdy: gradeOf('sturdy'),
      lean: gradeOf('lean'),
      conformant: gradeOf('conformant'),
    },
  };
}
