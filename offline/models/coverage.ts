import { splitClauses } from './connectors.ts';
import {
  maskLiterals,
  listNumbersInMasked,
  restoreMaskedLiterals,
  listMaskedLiterals,
  type Literal,
} from './literals.ts';
import type { Statement } from './statements.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { certain, interpretRequest } from './understanding.ts';
import { stemsOfContentWords, makeRarityFunction } from './words.ts';

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

export const reasons: Readonly<Record<Statement['manner'], string>> = {
  done: 'The answer says what came of it.',
  failed: 'The answer says what was tried and why nothing came of it.',
  excused: 'The answer passes over it with an excuse.',
  'given-up': 'The answer gives it up without a reason.',
  promised: 'The answer promises it only.',
};

export const scoreIntentsCoveredByStatements = (
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
      ...all.flatMap(({ values }) => values.flatMap(({ text }) => stemsOfContentWords(text))),
    ]),
    values: new Set(all.flatMap(({ values }) => values.map(({ text }) => text))),
  };
  return all.map((wanted) => {
    let best: Covered = { score: 0, manner: null };
    for (const [at, statement] of statements.entries()) {
      const near = computeNearnessToIntent(wanted, statement, weight);
      const spoken = Math.min(1, Math.max(0, (near - none) / (whole - none)));
      const valued = spoken * worthOfStatement(statement, statements[at + 1], said);
      if (valued > best.score) best = { score: valued, manner: statement.manner };
    }
    return best;
  });
};

/** How much a statement is about what somebody wants, 0..1. */
export type Nearness = (intent: string, statement: Statement) => number;

/** Returns the nearness that somebody with these cards sees. */
export const makeNearnessMeasure = (cards: Cards): Nearness => {
  const { weight, wantedBy } = makeKnowledgeOnce(cards);
  return (intent, statement) => computeNearnessToIntent(wantedBy(intent), statement, weight);
};

const extractIntentWordingsAndValues = (intent: string, tools: readonly KnownTool[]): Wanted => {
  const { text, literals } = maskLiterals(intent);
  const called = interpretRequest(intent, tools).flatMap(({ readings: [best] }) =>
    best !== undefined && best.score >= certain ? [best.tool] : [],
  );
  const others = called.flatMap((tool) => tool.phrases.map((phrase) => phrase.words));
  return {
    wordings: [new Set(stemsOfContentWords(text)), ...others].filter((words) => words.size > 0),
    values: [...listMaskedLiterals(text, literals), ...listNumbersInMasked(text)],
  };
};

/** Returns how much a statement covers a sub-intent, 0..1. */
const computeNearnessToIntent = (
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
  const stated = values.filter((value) => statesValue(text, value)).length;
  return worded * (0.5 + (0.5 * stated) / values.length);
};

const statesValue = (said: string, { text, value }: Literal): boolean =>
  typeof value === 'number'
    ? [...said.matchAll(/-?\d+(?:\.\d+)?/gu)].some(([number]) => number === text)
    : said.includes(oneLine(text));

/** The words and values of all sub-intents; everything else is new. */
interface Said {
  readonly words: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const worthOfStatement = (statement: Statement, next: Statement | undefined, said: Said): number => {
  const { manner } = statement;
  if (manner !== 'done') return worth[manner];
  if (statement.report !== '') return statement.report === '(nothing)' ? withoutOutcome : worth.done;
  if (saysMoreThanIntents(statement, said)) return worth.done;
  if (
    next !== undefined &&
    /^(?:it|that|this|they|the result|result)\b/iu.test(next.own) &&
    saysMoreThanIntents(next, said)
  )
    return worth.done;
  return /\b(?:done|did|have|has|was|were|is|are)\b|\bi \w+ed\b/iu.test(statement.own) ? withoutOutcome : repeated;
};

const saysMoreThanIntents = (statement: Statement, said: Said): boolean =>
  [...statement.words].some((word) => !said.words.has(word) && !idle.has(word)) ||
  statement.values.some(({ text }) => !said.values.has(text));

/** Words that join statements without content. */
export const idle = new Set(
  stemsOfContentWords(
    'first firstly next then finally lastly after afterwards begin start end finish order errand thing few small need help ' +
      'thanks thank hello hi done following round now also got get gave have has had was were done been task request',
  ),
);

/** Returns a test whether a claim occurs in what is known; a number also matches if it is rounded. */
export const makeValueOccurrenceCheck = (texts: readonly string[]): ((claim: Literal) => boolean) => {
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

export const clausesOf = (request: string): string[] => {
  const { text, literals } = maskLiterals(request);
  return splitClauses(text).map((clause) => restoreMaskedLiterals(clause, literals));
};

interface Knowledge {
  readonly wantedBy: (intent: string) => Wanted;
  /** Returns the weight of a word. */
  readonly weight: (word: string) => number;
}

/** Caches parsed texts, because every agent is asked about the same ones. */
const mostRead = 5_000;

const knowledge = new WeakMap<Cards, Knowledge>();

/** What a judge with these cards knows, made once: the wordings of all tools as synonyms, and the weight of each word. */
const makeKnowledgeOnce = (cards: Cards): Knowledge => {
  const before = knowledge.get(cards);
  if (before !== undefined) return before;
  const listed = [...cards.keys()].map((name) => ({ name }));
  const tools = toolsOfPrompt(listed, cards);
  const read = new Map<string, Wanted>();
  const wantedBy = (intent: string): Wanted => {
    const wanted = read.get(intent) ?? extractIntentWordingsAndValues(intent, tools);
    if (read.size < mostRead) read.set(intent, wanted);
    return wanted;
  };
  const known = { wantedBy, weight: makeRarityFunction(tools.map((tool) => tool.vocabulary)) };
  knowledge.set(cards, known);
  return known;
};

export const textOfVariable = (variables: ReadonlyMap<string, unknown>, name: string): string => {
  const value = variables.get(name);
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
};

export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
