import {
  listMaskedLiterals,
  maskLiterals,
  listNumbersInMasked,
  restoreMaskedLiterals,
  type Literal,
} from './literals.ts';
import { stemsOfContentWords } from './words.ts';

/** One thing that an answer says. */
export interface Statement {
  readonly text: string;
  /** The assistant's own words: up to a colon, if one follows. */
  readonly own: string;
  /** What it reports after the colon. */
  readonly report: string;
  /** Stems of all its words, including those inside quotes. */
  readonly words: ReadonlySet<string>;
  /** The quoted values and lone numbers in it. */
  readonly values: readonly Literal[];
  /**
   * How it ends: `done` has a result, `failed` has none for a reason that a tool gave,
   * `excused` for the agent's own reason, `given-up` without a reason; `promised` is in the future.
   */
  readonly manner: 'done' | 'failed' | 'excused' | 'given-up' | 'promised';
}

const sentenceEnd = /(?<=[.!?;])\s+(?=[\p{Lu}\ue000-\uf8ff])/u;
const listMarker = /^\s*(?:[-*•]|\d+[.)])\s+/u;
const negative =
  /\b(?:could not|couldn't|can ?not|can't|unable to|not able to|did not (?:work|succeed|find)|didn't (?:work|succeed|find)|fail(?:s|ed|ure)?|found nothing|nothing (?:was |could be |to be )?found|no (?:\w+ ){0,3}(?:found|results?|matches|exists?)|not (?:possible|available|found)|does not exist|gave an error)\b/iu;
const evidence =
  /\b(?:tried|attempted|failed|returned|answered|reported|replied|searched|looked|found|error|does not exist|no (?:\w+ ){0,3}(?:results?|matches))\b/iu;
const cause = /\b(?:because|since|due to|as (?:the|there|it|no)|reason)\b/iu;
const promise = /\b(?:i|we)(?: will|'ll| can| could| would| shall| am going to|'d)\b|\blet me\b|\bgoing to\b/iu;

/**
 * Splits an answer into statements, line by line and sentence by sentence. A tool's output stays with the words that
 * report it, to the end of the line.
 */
export const splitIntoStatements = (answer: string): Statement[] =>
  answer.split(/\n+/u).flatMap((line) => {
    const { text, literals } = maskLiterals(line.replace(listMarker, ''));
    const [before, after] = splitAtColon(text);
    const sentences = reporting.test(before) ? before.split(sentenceEnd) : text.split(sentenceEnd);
    const last = sentences.length - 1;
    const parts = sentences.map((sentence, index): readonly [string, string] =>
      reporting.test(before) && index === last ? [sentence, after] : splitAtColon(sentence),
    );
    return parts
      .filter(([own]) => own.trim() !== '')
      .map(([own, report]) => makeStatementOfAnswer(own, report, literals));
  });

const reporting = /\b(?:got|failed|returned|gave|sa(?:ys|id)|reports?|reported|results?|output|found|error)$/iu;

const splitAtColon = (masked: string): readonly [before: string, after: string] => {
  const colon = masked.search(/:(?:\s|$)/u);
  return colon < 0 ? [masked, ''] : [masked.slice(0, colon), masked.slice(colon + 1)];
};

const makeStatementOfAnswer = (own: string, report: string, literals: readonly Literal[]): Statement => {
  const masked = report === '' ? own : `${own}:${report}`;
  const text = restoreMaskedLiterals(masked, literals);
  return {
    text,
    own: restoreMaskedLiterals(own, literals),
    report: restoreMaskedLiterals(report, literals).trim(),
    words: new Set(stemsOfContentWords(text)),
    values: [...listMaskedLiterals(masked, literals), ...listNumbersInMasked(masked)],
    // "In short: nothing was found." has its content after the colon.
    manner: stemsOfContentWords(own).length < 2 ? mannerOf(masked, '') : mannerOf(own, report),
  };
};

const mannerOf = (own: string, report: string): Statement['manner'] => {
  if (negative.test(own)) {
    const reasoned = report.trim() !== '' || cause.test(own);
    if (evidence.test(own)) return 'failed';
    return reasoned ? 'excused' : 'given-up';
  }
  return promise.test(own) ? 'promised' : 'done';
};
