import type { ReviewDetail } from '#core/exploration/record.ts';
import { listClaimedFacts, claimProblem } from '#core/units/grounding.ts';
import { findArgument } from '#core/catalog/argument-paths.ts';
import { requiredArguments } from '#core/catalog/schema-fields.ts';
import type { Verdict } from '#core/units/review.ts';
import type { Lineage, Stage, Unit } from '#core/units/unit.ts';
import { countWithNoun, cutToWidth, percentText, makePrintable } from '../command-line/text.ts';
import { differingWords } from './differing-words.ts';

/** Formats everything that a reviewer needs to decide on a unit. */
export const reviewLines = ({ exploration, unit, tools, open }: ReviewDetail): string[] => [
  `${unit.id} of ${exploration}: ${open ? 'waits for a decision' : stageText(unit.stage)}`,
  ...(unit.lineage === null ? [] : [`  ${lineageText(unit.lineage)}`]),
  ...requestLines(unit),
  ...sectionLines('chain', chainLines(unit, tools)),
  ...sectionLines('audits, the last one of the present wording', unit.audits.flatMap(auditLines)),
  ...sectionLines('facts', factLines(unit)),
  ...sectionLines('earlier wordings', unit.superseded.flatMap(wordingLines)),
  ...sectionLines(
    'decisions',
    unit.decisions.map(
      ({ verdict, reviewer, at, score }) =>
        `${at} ${makePrintable(reviewer)}, at score ${score}: ${verdictText(verdict)}`,
    ),
  ),
];

/** Describes the state of a unit. */
export const stageText = (stage: Stage): string =>
  stage.kind === 'done' ? `${stage.status} (${makePrintable(stage.reason)})` : `at ${stage.kind}`;

const sectionLines = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];

const lineageText = ({ evolution, kind, seeds }: Lineage): string =>
  `a variant (${kind}) of ${seeds.map(({ unit }) => unit).join(' and ')}, written by evolution ${evolution}`;

function requestLines({ pair }: Unit): string[] {
  if (pair === null) return [];
  const { source, followUp } = pair;
  const [onlySource, onlyFollowUp] = differingWords(source, followUp);
  return [
    '',
    `source:     ${makePrintable(source)}`,
    `follow-up:  ${makePrintable(followUp)}`,
    `  only the source says:     ${onlySource.map(makePrintable).join(' ')}`,
    `  only the follow-up says:  ${onlyFollowUp.map(makePrintable).join(' ')}`,
  ];
}

/** Maximum columns of a tool's own description, which may be very long. */
const longestAbout = 200;

/** Formats each step with its tool's required arguments and their sources. */
function chainLines({ pair }: Unit, tools: ReviewDetail['tools']): string[] {
  if (pair === null) return [];
  return pair.chain.flatMap((name, place) => {
    const tool = tools.find((each) => each.name === name);
    const needed = tool === undefined ? [] : requiredArguments(tool.inputSchema);
    return [
      `${place + 1}. ${makePrintable(name)}${tool?.description === undefined ? '' : `: ${cutToWidth(makePrintable(tool.description), longestAbout)}`}`,
      ...needed.flatMap((argument) => originLines(pair.arguments, place + 1, argument, tool?.inputSchema ?? {})),
    ];
  });
}

type Origins = NonNullable<Unit['pair']>['arguments'];
type ToolSchema = ReviewDetail['tools'][number]['inputSchema'];

/** Formats the sources of a required argument, and of the fields inside of it, one line for each path. */
function originLines(origins: Origins, step: number, argument: string, inputSchema: ToolSchema): string[] {
  const named = origins
    .filter((origin) => origin.step === step)
    .map(({ argument: path, source }) => ({ ...findArgument(inputSchema, path), source }))
    .filter(({ top }) => top === argument);
  if (named.length === 0) return [`   ${makePrintable(argument)} <- no source is named`];
  return Array.from(
    Map.groupBy(named, ({ path }) => path),
    ([path, each]) => `   ${makePrintable(path)} <- ${each.map(({ source }) => originText(source)).join('; ')}`,
  );
}

function originText(source: Origins[number]['source']): string {
  switch (source.kind) {
    case 'span':
      return `"${makePrintable(source.text)}" in the requests`;
    case 'spans':
      return `"${makePrintable(source.source)}" in the source, "${makePrintable(source.followUp)}" in the follow-up`;
    case 'default':
      return "the schema's default";
    case 'field':
      return `${makePrintable(source.field)} of step ${source.step}`;
  }
}

function auditLines(audit: Unit['audits'][number], place: number): string[] {
  const { score, semanticEquivalence, parameterSolvability, issues, suggestions, findings, violations } = audit;
  return [
    `${place + 1}. score ${score}: equivalence ${semanticEquivalence}, solvability ${parameterSolvability}`,
    ...issues.map(
      ({ request, tool, type, detail }) =>
        `   ${type} in ${request}${tool === null ? '' : `, ${makePrintable(tool)}`}: ${makePrintable(detail)}`,
    ),
    ...violations.map((violation) => `   violation: ${makePrintable(violation)}`),
    ...findings
      .filter(({ verdict }) => verdict !== 'yes')
      .map(
        ({ step, argument, verdict, reason }) =>
          `   step ${step}, ${makePrintable(argument)}: ${verdict === 'no' ? 'unsolvable' : 'open'}, ${makePrintable(reason)}`,
      ),
    ...suggestions.map((suggestion) => `   suggestion: ${makePrintable(suggestion)}`),
  ];
}

/** Formats the facts that the writer used, with the critic's verdict and the check of their words. */
function factLines({ facts, pair, audits, grounding }: Unit): string[] {
  if (grounding.state === 'none' || pair === null) return [];
  if (grounding.state === 'failed') return [`the index failed (${grounding.code}): ${makePrintable(grounding.detail)}`];
  const claims = listClaimedFacts({ facts, pair });
  const verdicts = audits.at(-1)?.facts ?? [];
  return [
    `${countWithNoun(facts.length, 'passage')} found, ${claims.length} of them used`,
    ...claims.flatMap((claim) => {
      const { name, settles, text, source, licence, relevance, passage } = claim;
      const judged = verdicts.find((each) => each.passage === passage);
      const objection = claimProblem(claim, pair);
      return [
        `"${makePrintable(name)}": ${makePrintable(settles)} (relevance ${percentText(relevance)})`,
        `   passage: ${makePrintable(text)} [${makePrintable(source)}${licence === null ? '' : `, ${makePrintable(licence)}`}]`,
        `   critic: ${judged === undefined ? 'has not judged it' : `${judged.verdict}, ${makePrintable(judged.why)}`}`,
        ...(objection === null ? [] : [`   does not count: ${makePrintable(objection)}`]),
      ];
    }),
  ];
}

const wordingLines = ({ source, followUp }: Unit['superseded'][number], place: number): string[] => [
  `${place + 1}. source:     ${makePrintable(source)}`,
  `   follow-up:  ${makePrintable(followUp)}`,
];

function verdictText(verdict: Verdict): string {
  switch (verdict.decision) {
    case 'approve':
      return 'approved';
    case 'edit':
      return 'edited';
    case 'reject':
      return `rejected, ${makePrintable(verdict.reason)}`;
  }
}
