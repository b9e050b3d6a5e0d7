import { z } from 'zod';
import { errandStyles, chattyStyles, plainStyles, splitClauses } from './connectors.ts';
import { mask, listNumbersInMasked, unmask, listMaskedLiterals, type Literal } from './literals.ts';
import { splitIntoStatements, type Statement } from './statements.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { certain, interpretRequest } from './understanding.ts';
import { contentWords, makeRarityFunction } from './words.ts';

type Variables = ReadonlyMap<string, unknown>;

const mostSubIntents = 10;
const longestSentence = 1_000;
const longestRequest = 4_000;

/** Form `sub-intents`: the clauses of the first wording. */
export const answerSubIntentsForm = (variables: Variables): unknown => {
  const [request = ''] = z.array(z.string()).catch([]).parse(variables.get('requests'));
  const clauses = splitRequestIntoClauses(request);
  const parts = clauses.length === 0 ? [request.trim() || 'find out what is wanted'] : clauses;
  const kept = parts.slice(0, mostSubIntents - 1);
  const rest = parts.slice(mostSubIntents - 1).join('; ');
  return { subIntents: [...kept, ...(rest === '' ? [] : [rest])].map((part) => part.slice(0, longestSentence)) };
};

/** Form `sub-intent-scores`: how much of each sub-intent an answer covers. */
export const answerSubIntentScoresForm = (variables: Variables, cards: Cards): unknown => {
  const intents = z.array(z.string()).catch([]).parse(variables.get('intents'));
  const statements = splitIntoStatements(textIn(variables, 'response'));
  return {
    scores: scoreIntentCoverage(intents, statements, cards).map(({ score, manner }, at) => ({
      subIntent: at + 1,
      score: roundToHundredths(score),
      nothingFound: manner === 'failed' && score >= 0.5,
      why: manner === null ? 'The answer does not speak of it.' : reasons[manner],
    })),
  };
};

const shownCall = z.looseObject({ outcome: z.string().catch('fault'), result: z.string().catch('') });

/** Form `relevance`: how much of the request an answer covers, minus unsupported claims. */
export const answerRelevanceForm = (variables: Variables, cards: Cards): unknown => {
  const request = textIn(variables, 'request');
  const response = textIn(variables, 'response');
  const calls = z.array(shownCall).catch([]).parse(variables.get('calls'));
  const statements = splitIntoStatements(response);
  const clauses = splitRequestIntoClauses(request);
  const covered = scoreIntentCoverage(clauses.length === 0 ? [request] : clauses, statements, cards);
  const shown = calls.some(({ outcome }) => outcome === 'success');
  const scores = covered.map(({ score, manner }) => (shown || manner !== 'done' ? score : Math.min(score, 0.3)));
  const useful = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const support = makeClaimSupportTest([request, ...calls.map(({ result }) => result)]);
  const claims = statements.flatMap(({ values }) => values);
  const bare = claims.filter((claim) => !support(claim));
  const penalty = bare.length === 0 ? 0 : Math.min(0.6, 0.1 * bare.length + (0.35 * bare.length) / claims.length);
  const unsupported =
    bare.length === 0
      ? 'nothing'
      : bare
          .slice(0, 3)
          .map(({ text }) => text.slice(0, 60))
          .join(', ');
  return {
    why: `Covers ${Math.round(useful * 100)} of 100 of the request; without support: ${unsupported}.`,
    score: roundToHundredths(Math.max(0, useful * (1 - penalty))),
  };
};

/** Form `back-requests`: the content of an answer, requested in as many ways as are wanted. */
export const answerBackRequestsForm = (variables: Variables): unknown => {
  const matters = splitIntoStatements(textIn(variables, 'response')).flatMap(requestTextsOfStatement);
  const clauses = matters.length === 0 ? ['tell me something'] : [...new Set(matters)];
  const styles = plainStyles.flatMap((plain, at) => [plain, chattyStyles[at] ?? plain, errandStyles[at] ?? plain]);
  const count = z.int().min(1).catch(1).parse(variables.get('count'));
  return {
    requests: Array.from({ length: count }, (_, at) =>
      (styles[at % styles.length]?.(clauses) ?? '').slice(0, longestRequest),
    ),
  };
};

const failedCall = z.record(z.string(), z.unknown()).catch({});

/**
 * Form `failure`: the class of a failed call, by the words of its error; if they say nothing, by its keys; else
 * `unclear`. A result that was marked as a success and has no word of failure is none.
 */
export const answerFailureForm = (variables: Variables, cards: Cards): unknown => {
  const { arguments: args, marked, ...error } = failedCall.parse(variables.get('call'));
  const text = Object.values(error)
    .filter((value) => typeof value === 'string')
    .join('\n');
  if (marked === 'success' && !wordsOfFailure.test(text))
    return { why: 'Nothing in the result says that the call failed.', class: 'no-failure' };
  const rule = failureWords.find(({ words }) => words.test(text));
  if (rule !== undefined) return { why: `The error says: ${rule.words.exec(text)?.[0] ?? ''}`, class: rule.class };
  const [tool] = toolsOfPrompt([variables.get('tool')], cards);
  const known = Object.keys(tool?.schema.properties ?? {});
  const given = known.length === 0 ? [] : Object.keys(failedCall.parse(args));
  const strange = given.find((key) => !known.includes(key));
  if (strange !== undefined) return { why: `The tool has no \`${strange}\`.`, class: 'undefined-parameter-key' };
  return { why: 'The error does not say what happened.', class: 'unclear' };
};

const wordsOfFailure =
  /error|fail|exception|invalid|denied|not found|unable|cannot|can't|unknown|missing|wrong|refused|timed? ?out|traceback|错误|失败|錯誤|失敗|false|\b[45]\d\d\b/iu;

const failureWords: readonly { readonly class: string; readonly words: RegExp }[] = [
  // Phrases with a word that means something else on its own.
  { class: 'syntactic-malformation', words: /\bunexpected token\b|\bnot valid json\b/iu },
  {
    class: 'implicit-business-constraint',
    words:
      /\bdivision by zero\b|\binvalid value for\b|\bis not absolute\b|\b(?:expected|provide) one of\b|\bonly [\w, ]+ (?:is|are) allowed\b/iu,
  },
  { class: 'precondition-violation', words: /\bnothing to \w+|\bis empty\b|\bno connected\b/iu },
  {
    class: 'invalid-artifact-reference',
    words: /\bno (?:results|data|matches)\b|\bno \w+ (?:\w+ )?(?:matching|for|named)\b|暂无/iu,
  },
  {
    class: 'server-defect',
    words:
      /\bhas no attribute\b|\bcannot read propert|\bis not a function\b|\bexecutable doesn't exist\b|\bno module named\b|\bcommand not found\b|\binternal server error\b/iu,
  },
  {
    class: 'authentication-deficit',
    words: /\b(?:log(?:ged)? ?in|sign(?:ed)? in|credentials?|api key|token|password|unauthori[sz]ed)\b/iu,
  },
  {
    class: 'resource-contention',
    words: /\b(?:lock(?:ed)?|in use|busy|conflict(?:s|ing)?|occupied|concurrent(?:ly)?)\b/iu,
  },
  { class: 'context-invalidation', words: /\b(?:expired|stale|destroyed|closed|detached|no longer)\b/iu },
  {
    class: 'access-policy-rejection',
    words: /\b(?:forbidden|denied|not allowed|not permitted|permissions?|blocked|policy|refus(?:ed|es))\b/iu,
  },
  {
    class: 'service-scope-limitation',
    words: /\b(?:quota|rate limit|region|plan|not supported|unsupported|not available|unavailable)\b/iu,
  },
  { class: 'network-instability', words: /\b(?:network|connection|socket|dns|host|gateway|unreachable|fetch)\b/iu },
  {
    class: 'asynchronous-indeterminacy',
    words: /\b(?:time[d]?[ -]?out|deadline|(?:is|are|still) pending|in progress|unknown (?:state|status|outcome))\b/iu,
  },
  {
    class: 'precondition-violation',
    words:
      /\b(?:(?:must|please|need to|have to|call|run|use) [^.]{1,80}\bfirst|not (?:yet )?(?:initiali[sz]ed|open|connected|selected|started)|no (?:open|active|current))\b/iu,
  },
  {
    class: 'undefined-parameter-key',
    words:
      /\b(?:unknown|unexpected|unrecogni[sz]ed|additional) (?:\w+ )?(?:parameters?|arguments?|keys?|propert(?:y|ies)|fields?)\b/iu,
  },
  {
    class: 'invalid-artifact-reference',
    words: /\b(?:not found|no such|does(?: not|n't) exist|missing|unknown|cannot find|nonexistent)\b/iu,
  },
  {
    class: 'syntactic-malformation',
    words:
      /\b(?:pars(?:e|ed|ing)|syntax|malformed|json|format|invalid type|expected \w+|must be (?:an? )?(?:string|number|integer|array|object|boolean))\b/iu,
  },
  {
    class: 'implicit-business-constraint',
    words:
      /\b(?:must|should|at most|at least|limit|range|too \w+|between|exceeds?|already exists|only|cannot(?! read)|may not|invalid)\b/iu,
  },
];

/** A sub-intent in a form that can be searched in an answer. */
interface Wanted {
  /** Sets of stems, any of which expresses it: its own, and those of the other wordings of its tool. */
  readonly wordings: readonly ReadonlySet<string>[];
  readonly values: readonly Literal[];
}

interface Covered {
  readonly score: number;
  /** The manner of the statement that covers it; null if none does. */
  readonly manner: Statement['manner'] | null;
}

/** Up to this share a statement is about something else; from `whole` on it is about nothing else. */
const none = 0.25;
const whole = 0.7;

/** The score of a manner; for `done` with an outcome. */
const worth: Readonly<Record<Statement['manner'], number>> = {
  done: 0.96,
  failed: 0.82,
  excused: 0.45,
  'given-up': 0.3,
  promised: 0.2,
};
/** Done, but without an outcome; and the request merely repeated. */
const withoutOutcome = 0.75;
const repeated = 0.2;

const reasons: Readonly<Record<Statement['manner'], string>> = {
  done: 'The answer says what came of it.',
  failed: 'The answer says what was tried and why nothing came of it.',
  excused: 'The answer passes over it with an excuse.',
  'given-up': 'The answer gives it up without a reason.',
  promised: 'The answer promises it only.',
};

export const scoreIntentCoverage = (
  intents: readonly string[],
  statements: readonly Statement[],
  cards: Cards,
): Covered[] => {
  if (statements.length === 0) return intents.map(() => ({ score: 0, manner: null }));
  const { weight, wantedBy } = makeKnowledgeOnce(cards);
  const all = intents.map(wantedBy);
  const said = {
    words: new Set([
      ...all.flatMap(({ wordings }) => wordings.flatMap((words) => [...words])),
      ...all.flatMap(({ values }) => values.flatMap(({ text }) => contentWords(text))),
    ]),
    values: new Set(all.flatMap(({ values }) => values.map(({ text }) => text))),
  };
  return all.map((wanted) => {
    let best: Covered = { score: 0, manner: null };
    for (const [at, statement] of statements.entries()) {
      const near = computeNearness(wanted, statement, weight);
      const spoken = Math.min(1, Math.max(0, (near - none) / (whole - none)));
      const valued = spoken * worthOf(statement, statements[at + 1], said);
      if (valued > best.score) best = { score: valued, manner: statement.manner };
    }
    return best;
  });
};

/** How much a statement is about what somebody wants, 0..1. */
export type Nearness = (intent: string, statement: Statement) => number;

/** Returns the nearness that somebody with these cards sees. */
export const makeNearnessFunction = (cards: Cards): Nearness => {
  const { weight, wantedBy } = makeKnowledgeOnce(cards);
  return (intent, statement) => computeNearness(wantedBy(intent), statement, weight);
};

const parseIntent = (intent: string, tools: readonly KnownTool[]): Wanted => {
  const { text, literals } = mask(intent);
  const called = interpretRequest(intent, tools).flatMap(({ readings: [best] }) =>
    best !== undefined && best.score >= certain ? [best.tool] : [],
  );
  const others = called.flatMap((tool) => tool.phrases.map((phrase) => phrase.words));
  return {
    wordings: [new Set(contentWords(text)), ...others].filter((words) => words.size > 0),
    values: [...listMaskedLiterals(text, literals), ...listNumbersInMasked(text)],
  };
};

/** Returns how much a statement covers a sub-intent, 0..1. */
const computeNearness = (
  { wordings, values }: Wanted,
  statement: Statement,
  weight: (word: string) => number,
): number => {
  let worded = wordings.length === 0 ? 1 : 0;
  for (const wording of wordings) {
    let total = 0;
    let held = 0;
    for (const word of wording) {
      const value = weight(word);
      total += value;
      if (statement.words.has(word)) held += value;
    }
    worded = Math.max(worded, held / total);
  }
  if (values.length === 0) return worded;
  const text = oneLine(statement.text);
  const stated = values.filter((value) => statesLiteral(text, value)).length;
  return worded * (0.5 + (0.5 * stated) / values.length);
};

const statesLiteral = (said: string, { text, value }: Literal): boolean =>
  typeof value === 'number'
    ? [...said.matchAll(/-?\d+(?:\.\d+)?/gu)].some(([number]) => number === text)
    : said.includes(oneLine(text));

/** The words and values of all sub-intents; everything else is new. */
interface Said {
  readonly words: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const worthOf = (statement: Statement, next: Statement | undefined, said: Said): number => {
  const { manner } = statement;
  if (manner !== 'done') return worth[manner];
  if (statement.report !== '') return statement.report === '(nothing)' ? withoutOutcome : worth.done;
  if (saysSomethingNew(statement, said)) return worth.done;
  if (
    next !== undefined &&
    /^(?:it|that|this|they|the result|result)\b/iu.test(next.own) &&
    saysSomethingNew(next, said)
  )
    return worth.done;
  return /\b(?:done|did|have|has|was|were|is|are)\b|\bi \w+ed\b/iu.test(statement.own) ? withoutOutcome : repeated;
};

const saysSomethingNew = (statement: Statement, said: Said): boolean =>
  [...statement.words].some((word) => !said.words.has(word) && !idle.has(word)) ||
  statement.values.some(({ text }) => !said.values.has(text));

/** Words that join statements without content. */
const idle = new Set(
  contentWords(
    'first firstly next then finally lastly after afterwards begin start end finish order errand thing few small need help ' +
      'thanks thank hello hi done following round now also got get gave have has had was were done been task request',
  ),
);

/** Returns whether a claim occurs in what is known; a number also matches if it is rounded. */
export const makeClaimSupportTest = (texts: readonly string[]): ((claim: Literal) => boolean) => {
  const known = oneLine(texts.join('\n'));
  const numbers = (known.replace(/(?<=\d),(?=\d{3}\b)/gu, '').match(/\d+(?:\.\d+)?/gu) ?? []).map(Number);
  return ({ text, value }) => {
    const claimed = oneLine(text).replace(/\.{3}$|…$/u, '');
    // A digest such as 5e4379 reads like a number with an exponent.
    if (typeof value !== 'number' || /e/iu.test(text)) return known.includes(claimed);
    const digits = text.split('.')[1]?.length ?? 0;
    return numbers.some(
      (number) => Math.abs(number - Math.abs(value)) <= (digits === 0 ? 1e-9 : 0.5 * 10 ** -digits + 1e-9),
    );
  };
};

/** Returns the subject of a statement, worded as a request. */
const requestTextsOfStatement = ({ own, report }: Statement): string[] => {
  const asked = stripReporting(own);
  const words = contentWords(asked).filter((word) => !idle.has(word));
  if (words.length > 0) return [asked];
  const told = stripReporting(report.slice(0, 300));
  return contentWords(told).length >= 2 ? [told] : [];
};

const stripReporting = (text: string): string =>
  text
    .trim()
    .replace(/^(?:done|sure|certainly|okay|ok|well)[.,!]?\s*/iu, '')
    .replace(
      /^(?:i|we)(?:'ve| have| had)?(?: (?:was|were) (?:asked )?to| (?:tried|attempted) to| could ?n[o']t| can ?not| can't| also)*\s+/iu,
      '',
    )
    .replace(/,?\s+(?:and (?:i )?got|which (?:has )?failed|but (?:it|that) failed)$/iu, '')
    .replace(/[\s.;,!?]+$/u, '');

export const splitRequestIntoClauses = (request: string): string[] => {
  const { text, literals } = mask(request);
  return splitClauses(text).map((clause) => unmask(clause, literals));
};

interface Knowledge {
  readonly wantedBy: (intent: string) => Wanted;
  /** Returns the weight of a word. */
  readonly weight: (word: string) => number;
}

/** Caches parsed texts, because every agent is asked about the same ones. */
const mostRead = 5_000;

const knowledge = new WeakMap<Cards, Knowledge>();

/** The judge's synonyms: the wordings of all tools that have cards. */
const makeKnowledgeOnce = (cards: Cards): Knowledge => {
  const before = knowledge.get(cards);
  if (before !== undefined) return before;
  const listed = [...cards.keys()].map((name) => ({ name }));
  const tools = toolsOfPrompt(listed, cards);
  const read = new Map<string, Wanted>();
  const wantedBy = (intent: string): Wanted => {
    const wanted = read.get(intent) ?? parseIntent(intent, tools);
    if (read.size < mostRead) read.set(intent, wanted);
    return wanted;
  };
  const known = { wantedBy, weight: makeRarityFunction(tools.map((tool) => tool.vocabulary)) };
  knowledge.set(cards, known);
  return known;
};

export const textIn = (variables: Variables, name: string): string => {
  const value = variables.get(name);
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
};

export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;
