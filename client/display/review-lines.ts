import type { ReviewDetail } from '#core/exploration/record.ts';
import { findClaimProblemOrNull, listClaimedFacts } from '#core/units/grounding.ts';
import { resolveArgumentPath } from '#core/catalog/argument-paths.ts';
import { listRequiredTopLevelNames } from '#core/catalog/schema-fields.ts';
import type { Verdict } from '#core/units/review.ts';
import type { Lineage, Stage, Unit } from '#core/units/unit.ts';
import { countWithNoun, cutToWidth, makePrintableLine, percentText } from '../command-line/text.ts';

/** Returns the words that only one of two texts has, in order, each once; letter case and punctuation are ignored. */
export function wordsOnlyInEachText(one: string, other: string): readonly [string[], string[]] {
  const [first, second] = [wordsByNormalizedForm(one), wordsByNormalizedForm(other)];
  return [wordsMissingFrom(first, second), wordsMissingFrom(second, first)];
}

/** Returns a text's words by their normalized form. */
const wordsByNormalizedForm = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:[.,:/@'’_-][\p{L}\p{M}\p{N}]+)*/gu)].map(([word]) => [
      word.normalize('NFC').toLowerCase(),
      word,
    ]),
  );

const wordsMissingFrom = (words: ReadonlyMap<string, string>, from: ReadonlyMap<string, string>): string[] =>
  [...words].filter(([form]) => !from.has(form)).map(([, word]) => word);

/** Formats everything that a reviewer needs to decide on a unit. */
export const unitReviewLines = ({ exploration, unit, tools, open }: ReviewDetail): string[] => [
  `${unit.id} of ${exploration}: ${open ? 'waits for a decision' : unitStageText(unit.stage)}`,
  ...(unit.lineage === null ? [] : [`  ${lineageText(unit.lineage)}`]),
  ...requestsWithDifferencesLines(unit),
  ...sectionLines('chain', chainLines(unit, tools)),
  ...sectionLines('audits, the last one of the present wording', unit.audits.flatMap(auditLines)),
  ...sectionLines('as a task', taskGradeLines(unit)),
  ...sectionLines('facts', factLines(unit)),
  ...sectionLines('earlier wordings', unit.superseded.flatMap(supersededWordingLines)),
  ...sectionLines(
    'decisions',
    unit.decisions.map(
      ({ verdict, reviewer, at, score }) =>
        `${at} ${makePrintableLine(reviewer)}, at score ${score}: ${verdictText(verdict)}`,
    ),
  ),
];

/** Describes the state of a unit. */
export const unitStageText = (stage: Stage): string =>
  stage.kind === 'done' ? `${stage.status} (${makePrintableLine(stage.reason)})` : `at ${stage.kind}`;

const sectionLines = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];

const lineageText = ({ evolution, kind, seeds }: Lineage): string =>
  `a variant (${kind}) of ${seeds.map(({ unit }) => unit).join(' and ')}, written by evolution ${evolution}`;

function requestsWithDifferencesLines({ pair }: Unit): string[] {
  if (pair === null) return [];
  const { source, followUp } = pair;
  const [onlySource, onlyFollowUp] = wordsOnlyInEachText(source, followUp);
  return [
    '',
    `source:     ${makePrintableLine(source)}`,
    `follow-up:  ${makePrintableLine(followUp)}`,
    `  only the source says:     ${onlySource.map(makePrintableLine).join(' ')}`,
    `  only the follow-up says:  ${onlyFollowUp.map(makePrintableLine).join(' ')}`,
  ];
}

/** Maximum columns of a tool's own description, which may be very long. */
const longestAbout = 200;

/** Formats each step with its tool's required arguments and their sources. */
function chainLines({ pair }: Unit, tools: ReviewDetail['tools']): string[] {
  if (pair === null) return [];
  if (pair.looksLike !== undefined) {
    const about = tools.find(({ name }) => name === pair.looksLike)?.description;
    return [
      'none: no tool may fit it, though it looks like something for',
      `${makePrintableLine(pair.looksLike)}${about === undefined ? '' : `: ${cutToWidth(makePrintableLine(about), longestAbout)}`}`,
    ];
  }
  return pair.chain.flatMap((name, index) => {
    const tool = tools.find((each) => each.name === name);
    const needed = tool === undefined ? [] : listRequiredTopLevelNames(tool.inputSchema);
    return [
      `${index + 1}. ${makePrintableLine(name)}${tool?.description === undefined ? '' : `: ${cutToWidth(makePrintableLine(tool.description), longestAbout)}`}`,
      ...needed.flatMap((argument) =>
        argumentSourceLines(pair.arguments, index + 1, argument, tool?.inputSchema ?? {}),
      ),
    ];
  });
}

type Origins = NonNullable<Unit['pair']>['arguments'];
type ToolSchema = ReviewDetail['tools'][number]['inputSchema'];

/** Formats the sources of a required argument, and of the fields inside of it, one line for each path. */
function argumentSourceLines(origins: Origins, step: number, argument: string, inputSchema: ToolSchema): string[] {
  const named = origins
    .filter((origin) => origin.step === step)
    .map(({ argument: path, source }) => ({ ...resolveArgumentPath(inputSchema, path), source }))
    .filter(({ top }) => top === argument);
  if (named.length === 0) return [`   ${makePrintableLine(argument)} <- no source is named`];
  return Array.from(
    Map.groupBy(named, ({ path }) => path),
    ([path, each]) =>
      `   ${makePrintableLine(path)} <- ${each.map(({ source }) => argumentSourceText(source)).join('; ')}`,
  );
}

function argumentSourceText(source: Origins[number]['source']): string {
  switch (source.kind) {
    case 'span':
      return `"${makePrintableLine(source.text)}" in the requests`;
    case 'spans':
      return `"${makePrintableLine(source.source)}" in the source, "${makePrintableLine(source.followUp)}" in the follow-up`;
    case 'default':
      return "the schema's default";
    case 'composed':
      return 'composed by the agent';
    case 'field':
      return `${makePrintableLine(source.field)} of step ${source.step}`;
  }
}

function auditLines(audit: Unit['audits'][number], place: number): string[] {
  const { score, semanticEquivalence, parameterSolvability, issues, suggestions, findings, violations } = audit;
  return [
    `${place + 1}. score ${score}: equivalence ${semanticEquivalence}, solvability ${parameterSolvability}`,
    ...issues.map(
      ({ request, tool, type, detail }) =>
        `   ${type} in ${request}${tool === null ? '' : `, ${makePrintableLine(tool)}`}: ${makePrintableLine(detail)}`,
    ),
    ...violations.map((violation) => `   violation: ${makePrintableLine(violation)}`),
    ...findings
      .filter(({ verdict }) => verdict !== 'yes')
      .map(
        ({ step, argument, verdict, reason }) =>
          `   step ${step}, ${makePrintableLine(argument)}: ${verdict === 'no' ? 'unsolvable' : 'open'}, ${makePrintableLine(reason)}`,
      ),
    ...suggestions.map((suggestion) => `   suggestion: ${makePrintableLine(suggestion)}`),
  ];
}

/** Formats the grades of a task, and the fuzzy wordings that were not usable. */
const taskGradeLines = ({ task }: Unit): string[] =>
  task === null
    ? []
    : [
        ...task.qualities.flatMap(({ solvability, solvabilityReason, utility, utilityReason }, index) => [
          `${index + 1}. solvability ${solvability}: ${makePrintableLine(solvabilityReason)}`,
          `   utility ${utility}: ${makePrintableLine(utilityReason)}`,
        ]),
        ...task.rejectedFuzzy.map(
          ({ request, flaws }) =>
            `not usable: ${makePrintableLine(request)} (${flaws.map(makePrintableLine).join('; ')})`,
        ),
      ];

/** Formats the facts that the writer used, with the critic's verdict and the check of their words. */
function factLines({ facts, pair, audits, grounding }: Unit): string[] {
  if (grounding.state === 'none' || pair === null) return [];
  if (grounding.state === 'failed')
    return [`the index failed (${grounding.code}): ${makePrintableLine(grounding.detail)}`];
  const claims = listClaimedFacts({ facts, pair });
  const verdicts = audits.at(-1)?.facts ?? [];
  return [
    `${countWithNoun(facts.length, 'passage')} found, ${claims.length} of them used`,
    ...claims.flatMap((claim) => {
      const { name, settles, text, source, licence, relevance, passage } = claim;
      const judged = verdicts.find((each) => each.passage === passage);
      const objection = findClaimProblemOrNull(claim, pair);
      return [
        `"${makePrintableLine(name)}": ${makePrintableLine(settles)} (relevance ${percentText(relevance)})`,
        `   passage: ${makePrintableLine(text)} [${makePrintableLine(source)}${licence === null ? '' : `, ${makePrintableLine(licence)}`}]`,
        `   critic: ${judged === undefined ? 'has not judged it' : `${judged.verdict}, ${makePrintableLine(judged.why)}`}`,
        ...(objection === null ? [] : [`   does not count: ${makePrintableLine(objection)}`]),
      ];
    }),
  ];
}

const supersededWordingLines = ({ source, followUp }: Unit['superseded'][number], place: number): string[] => [
  `${place + 1}. source:     ${makePrintableLine(source)}`,
  `   follow-up:  ${makePrintableLine(followUp)}`,
];

function verdictText(verdict: Verdict): string {
  switch (verdict.decision) {
    case 'approve':
      return 'approved';
    case 'edit':
      return 'edited';
    case 'reject':
      return `rejected, ${makePrintableLine(verdict.reason)}`;
  }
}
