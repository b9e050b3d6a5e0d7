import { z } from 'zod';
import { parseValidClaims, type Claim } from './claims.ts';
import { removeClarifications } from './clarifying.ts';
import { statedTextWithoutQuotes } from './literals.ts';
import type { Dice } from './seeded.ts';
import { hasValueFixedBySchema } from './schemas.ts';
import { listSiblingsThatRequestFits } from './siblings.ts';
import { collectSeenValues } from './seen-values.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import {
  nounWithoutArticle,
  certain,
  isPronounPhrase,
  interpretRequest,
  recognised,
  type Clause,
  type Meant,
  type Reading,
} from './understanding.ts';
import { judgeClaim, splitOffClarifications, listUnclaimedClarifications, type FactVerdict } from './verdicts.ts';
import { stemsOfContentWords } from './words.ts';

type Which = 'source' | 'followUp' | 'both';

interface Issue {
  readonly request: Which;
  readonly tool: string | null;
  readonly type: 'missing-parameter' | 'semantic-mismatch' | 'hallucination';
  readonly detail: string;
}

/** The result of an examination: faults give a grade below 80, doubts below 90. */
interface Findings {
  readonly meaningFaults: Issue[];
  readonly parameterFaults: Issue[];
  readonly doubts: Issue[];
}

const pairToAudit = z.looseObject({ source: z.string(), followUp: z.string(), chain: z.array(z.string()) });

/** Form `audit`: grades a pair by its own words. */
export const answerAuditForm = (variables: ReadonlyMap<string, unknown>, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards, collectSeenValues(variables));
  const parsed = pairToAudit.safeParse(variables.get('pair'));
  if (!parsed.success) return fillAuditForm(unreadable, [], dice);
  const { source, followUp, chain } = parsed.data;
  const findings: Findings = { meaningFaults: [], parameterFaults: [], doubts: [] };
  const tellings = [
    readRequestAlongChain('source', source, chain, tools),
    readRequestAlongChain('followUp', followUp, chain, tools),
  ] as const;
  for (const one of tellings) addIssuesOfReading(one, chain, tools, findings);
  addIssuesOfValuesDifferingInPair(tellings[0], tellings[1], chain, findings);
  addIssuesOfSiblings(tellings, tools, toolsOfPrompt(variables.get('siblings'), cards), findings);
  const facts = judgeFactClaimsAndAddIssues(parseValidClaims(variables.get('facts')), source, followUp, findings);
  if (requestsShareTooManyWords(removeClarifications(source), removeClarifications(followUp))) {
    findings.doubts.push(makeIssue('both', null, 'semantic-mismatch', 'The two requests hardly differ in wording.'));
  }
  return fillAuditForm(findings, facts, dice);
};

/** Returns what is wrong with one request for a chain, and how many of its steps take something from an earlier one. */
export const examineRequestForChain = (
  request: string,
  chain: readonly string[],
  tools: readonly KnownTool[],
): { readonly findings: Findings; readonly fedSteps: number } => {
  const findings: Findings = { meaningFaults: [], parameterFaults: [], doubts: [] };
  const told = readRequestAlongChain('source', request, chain, tools);
  addIssuesOfReading(told, chain, tools, findings);
  const fedSteps = [...told.steps.values()].filter(({ reading }) =>
    Object.values(reading.slots).some(({ kind }) => kind === 'reference'),
  ).length;
  return { findings, fedSteps };
};

interface Telling {
  readonly which: 'source' | 'followUp';
  readonly text: string;
  /** The clause that expresses each step of the chain (from 0), and its position. */
  readonly steps: ReadonlyMap<number, { readonly reading: Reading; readonly at: number; readonly clause: Clause }>;
  /** Clauses that express no tool of the chain. */
  readonly foreign: readonly Clause[];
}

const readRequestAlongChain = (
  which: 'source' | 'followUp',
  text: string,
  chain: readonly string[],
  tools: readonly KnownTool[],
): Telling => {
  const steps = new Map<number, { reading: Reading; at: number; clause: Clause }>();
  const openStep = (tool: string): number => chain.findIndex((name, step) => name === tool && !steps.has(step));
  const foreign: Clause[] = [];
  for (const [at, clause] of interpretRequest(text, tools).entries()) {
    const reading = clause.readings.find(({ tool, score }) => score >= recognised && openStep(tool.name) >= 0);
    if (reading === undefined) foreign.push(clause);
    else steps.set(openStep(reading.tool.name), { reading, at, clause });
  }
  return { which, text, steps, foreign };
};

const addIssuesOfReading = (
  told: Telling,
  chain: readonly string[],
  tools: readonly KnownTool[],
  findings: Findings,
): void => {
  addIssuesOfSteps(told, chain, findings);
  addIssuesOfParameters(told, chain, tools, findings);
  addIssuesOfNamedTools(told.which, told.text, chain, findings);
};

const makeIssue = (request: Which, tool: string | null, type: Issue['type'], detail: string): Issue => ({
  request,
  tool,
  type,
  detail,
});

const addIssuesOfSteps = (told: Telling, chain: readonly string[], { meaningFaults, doubts }: Findings): void => {
  let last = -1;
  for (const [place, tool] of chain.entries()) {
    const step = told.steps.get(place);
    if (step === undefined) {
      meaningFaults.push(
        makeIssue(told.which, tool, 'semantic-mismatch', 'Nothing in the request asks for this step.'),
      );
      continue;
    }
    if (step.at < last) {
      meaningFaults.push(makeIssue(told.which, tool, 'semantic-mismatch', 'The request asks for this step earlier.'));
    }
    last = Math.max(last, step.at);
    if (step.reading.score < certain) {
      doubts.push(makeIssue(told.which, tool, 'semantic-mismatch', 'The wording only hints at this step.'));
    }
  }
  for (const clause of told.foreign) {
    if (stemsOfContentWords(clause.text).length < 2) continue;
    meaningFaults.push(
      makeIssue(told.which, null, 'hallucination', 'A part of the request leads to no step of the chain.'),
    );
  }
};

const addIssuesOfParameters = (
  told: Telling,
  chain: readonly string[],
  tools: readonly KnownTool[],
  { parameterFaults, doubts }: Findings,
): void => {
  for (const [index, name] of chain.entries()) {
    const step = told.steps.get(index);
    const tool = tools.find((one) => one.name === name);
    if (step === undefined || tool === undefined) continue;
    const earlier = chain.slice(0, index).flatMap((one) => tools.find((known) => known.name === one) ?? []);
    const wanted = new Set([...tool.schema.required, ...step.reading.phrase.slots]);
    for (const argument of wanted) {
      const meant = step.reading.slots[argument];
      if (meant === undefined) {
        const settled = tool.card.constants?.[argument] !== undefined;
        if (settled || hasValueFixedBySchema(tool.schema.properties[argument] ?? {})) continue;
        parameterFaults.push(makeIssue(told.which, name, 'missing-parameter', `Nothing supplies \`${argument}\`.`));
      } else if (isPronounReference(meant)) {
        doubts.push(
          makeIssue(told.which, name, 'missing-parameter', `It is left open what \`${argument}\` refers to.`),
        );
        if (earlier.every((one) => one.card.gives.length === 0)) {
          parameterFaults.push(
            makeIssue(told.which, name, 'missing-parameter', `No earlier step yields \`${argument}\`.`),
          );
        }
      } else if (meant.kind === 'reference' && !earlier.some((one) => hasOutputWithNoun(one, meant.words))) {
        parameterFaults.push(
          makeIssue(told.which, name, 'missing-parameter', `No earlier step yields what \`${argument}\` refers to.`),
        );
      }
    }
  }
};

const isPronounReference = (meant: Meant): boolean => meant.kind === 'reference' && isPronounPhrase(meant.words);

const hasOutputWithNoun = (tool: KnownTool, words: string): boolean =>
  tool.card.gives.some((output) => nounWithoutArticle(output.noun) === nounWithoutArticle(words));

const addIssuesOfValuesDifferingInPair = (
  one: Telling,
  other: Telling,
  chain: readonly string[],
  { meaningFaults }: Findings,
): void => {
  for (const [index, name] of chain.entries()) {
    const values = serializeStepValues(one, index);
    const others = serializeStepValues(other, index);
    if (values === null || others === null || values === others) continue;
    meaningFaults.push(makeIssue('both', name, 'semantic-mismatch', 'The two requests state different values here.'));
  }
};

/** A request that a sibling of its only tool serves as well does not show which of them an agent should choose. */
const addIssuesOfSiblings = (
  tellings: readonly Telling[],
  [tool]: readonly KnownTool[],
  siblings: readonly KnownTool[],
  { meaningFaults }: Findings,
): void => {
  if (tool === undefined || siblings.length === 0) return;
  for (const { which, text } of tellings)
    for (const { name } of listSiblingsThatRequestFits(text, tool, siblings))
      meaningFaults.push(makeIssue(which, name, 'semantic-mismatch', 'This tool serves the request as well.'));
};

const serializeStepValues = (told: Telling, place: number): string | null => {
  const step = told.steps.get(place);
  if (step === undefined) return null;
  const spoken = Object.values(step.reading.slots).flatMap((meant) =>
    meant.kind === 'stated' ? [statedTextWithoutQuotes(meant.value)] : [],
  );
  const all = step.reading.score > 1 ? spoken : step.clause.literals.map(({ value }) => statedTextWithoutQuotes(value));
  return JSON.stringify(all.toSorted());
};

/** A name of several words is not plain language; a single word may match by chance. */
const addIssuesOfNamedTools = (
  which: Which,
  text: string,
  chain: readonly string[],
  { meaningFaults }: Findings,
): void => {
  for (const name of new Set(chain)) {
    const own = name.slice(name.indexOf('/') + 1);
    if (text.includes(name) || (/[_\-.]|[a-z][A-Z]/u.test(own) && text.includes(own))) {
      meaningFaults.push(makeIssue(which, name, 'hallucination', 'The request gives away the name of the tool.'));
    }
  }
};

/** A statement without a supporting passage is made up, and so is a clarification without one. */
const judgeFactClaimsAndAddIssues = (
  claims: readonly Claim[],
  source: string,
  followUp: string,
  { meaningFaults }: Findings,
): FactVerdict[] => {
  const tellings = { source: splitOffClarifications(source), followUp: splitOffClarifications(followUp) };
  const verdicts = claims.map((claim) => judgeClaim(claim, Object.values(tellings)));
  for (const [index, { verdict, why }] of verdicts.entries()) {
    if (verdict !== 'unsupported') continue;
    const detail = `What is said of "${claims[index]?.name ?? ''}" has no support. ${why}`;
    meaningFaults.push(makeIssue('both', null, 'hallucination', detail));
  }
  for (const which of ['source', 'followUp'] as const) {
    for (const { name, said } of listUnclaimedClarifications(claims, tellings[which])) {
      const detail = `Nothing supports what is said of "${name ?? said}".`;
      meaningFaults.push(makeIssue(which, null, 'hallucination', detail));
    }
  }
  return verdicts;
};

const requestsShareTooManyWords = (source: string, followUp: string): boolean => {
  const one = new Set(stemsOfContentWords(source));
  const other = new Set(stemsOfContentWords(followUp));
  const shared = [...one].filter((word) => other.has(word)).length;
  return source === followUp || shared / Math.max(1, one.size + other.size - shared) > 0.93;
};

const unreadable: Findings = {
  meaningFaults: [makeIssue('both', null, 'semantic-mismatch', 'There is no pair to read.')],
  parameterFaults: [],
  doubts: [],
};

const fillAuditForm = (
  { meaningFaults, parameterFaults, doubts }: Findings,
  facts: readonly FactVerdict[],
  dice: Dice,
): unknown => {
  const issues = [...meaningFaults, ...parameterFaults, ...doubts].slice(0, 50);
  return {
    semanticEquivalence: drawGrade(meaningFaults.length, parameterFaults.length, doubts.length, dice),
    parameterSolvability: drawGrade(parameterFaults.length, meaningFaults.length, doubts.length, dice),
    issues,
    suggestions: [...new Set(issues.map(suggestionForIssue))].slice(0, 20),
    facts: facts.slice(0, 10),
  };
};

const drawGrade = (faults: number, otherFaults: number, doubts: number, dice: Dice): number => {
  const jitter = dice.below(6);
  if (faults > 0) return Math.max(5, 72 - 18 * (faults - 1) - 2 * jitter);
  if (otherFaults > 0) return 74 + Math.min(4, jitter);
  return doubts > 0 ? Math.max(80, 88 - 2 * (doubts - 1) - Math.min(2, jitter)) : 93 + jitter;
};

export const suggestionForIssue = ({ type, tool }: Issue): string => {
  const where = tool === null ? 'the request' : `the part that leads to ${tool}`;
  if (type === 'missing-parameter') return `State the missing value in ${where}, the same in both requests.`;
  return type === 'hallucination'
    ? `Take out of ${where} what does not belong there.`
    : `Word ${where} so that both requests say it, in the chain's order.`;
};
