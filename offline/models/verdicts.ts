import { listSensesIfNameShared } from '../knowledge/names.ts';
import { stripNameFromStatementOrNull, formatStatement, hasNameAsWord, type Claim } from './claims.ts';
import { listClarifications, removeClarifications, type Clarification } from './clarifying.ts';
import { passageSupportsStatement } from './support.ts';

/** The critic's verdict on one claim. */
export interface FactVerdict {
  readonly passage: number;
  readonly verdict: 'needed' | 'unneeded' | 'unsupported';
  readonly why: string;
}

/** A request split for the check of names: its text without clarifications, and the clarifications. */
interface Told {
  readonly text: string;
  readonly clarifications: readonly Clarification[];
}

export const splitOffClarifications = (request: string): Told => ({
  text: removeClarifications(request),
  clarifications: listClarifications(request),
});

/**
 * Judges a claim by words: the passage must state what is settled and what the requests say about the name, and the
 * name must occur in both and be ambiguous without it. A claim that neither request mentions any more, as after a
 * repair, is not needed.
 */
export const judgeClaim = (claim: Claim, tellings: readonly Told[]): FactVerdict => {
  const { passage, text, name, settles, quote } = claim;
  const verdict = (found: FactVerdict['verdict'], why: string): FactVerdict => ({ passage, verdict: found, why });
  const spoken = tellings.map(({ clarifications }) =>
    clarifications.filter((one) => isClarificationOfClaim(one, claim)),
  );
  if (spoken.every((each) => each.length === 0)) return verdict('unneeded', 'Neither request says it.');
  if (!normalizeText(text).includes(normalizeText(quote)))
    return verdict('unsupported', 'The passage does not say what is quoted.');
  if (!passageSupportsStatement(text, settles))
    return verdict('unsupported', `The passage does not state that ${settles}.`);
  const told = spoken.flat().map((one) => formatClarification(one));
  const unstated = told.find((statement) => !passageSupportsStatement(text, statement));
  if (unstated !== undefined) return verdict('unsupported', `The passage does not state that ${unstated}.`);
  if (!spoken.every((each) => each.some((one) => isFullClarification(one, name, settles))))
    return verdict('unsupported', 'Not both requests say what is settled.');
  if (!tellings.every((one) => hasNameAsWord(one.text, name)))
    return verdict('unneeded', `The requests do not speak of ${name} but to explain it.`);
  if (listSensesIfNameShared(name).length < 2) return verdict('unneeded', `${name} means one thing only.`);
  const clue = listProperNamesExceptSubject(settles, name).find((word) =>
    tellings.every((one) => hasNameAsWord(one.text, word)),
  );
  return clue === undefined
    ? verdict('needed', `${name} may mean several things, and the passage says which.`)
    : verdict('unneeded', `${clue} tells already which ${name} is meant.`);
};

/** Returns what the requests clarify without a claim. */
export const listUnclaimedClarifications = (claims: readonly Claim[], { clarifications }: Told): Clarification[] =>
  clarifications.filter((one) => !claims.some((claim) => isClarificationOfClaim(one, claim)));

const isClarificationOfClaim = ({ name, said }: Clarification, claim: Claim): boolean =>
  name === null
    ? normalizeText(said) === normalizeText(claim.settles) || hasNameAsWord(said, claim.name)
    : normalizeText(name) === normalizeText(claim.name);

const formatClarification = ({ name, said }: Clarification): string =>
  name === null ? said : formatStatement(name, said);

/** Returns whether a clarification says everything that is settled. */
const isFullClarification = (one: Clarification, name: string, settles: string): boolean => {
  const statement = formatClarification(one);
  return (
    normalizeText(statement) === normalizeText(settles) ||
    passageSupportsStatement(`${name}: ${stripNameFromStatementOrNull(name, statement) ?? statement}.`, settles)
  );
};

const listProperNamesExceptSubject = (settles: string, name: string): string[] =>
  [...(stripNameFromStatementOrNull(name, settles) ?? '').matchAll(/\b\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu)].map(
    ([word]) => word,
  );

const normalizeText = (text: string): string =>
  text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').replace(/\.$/u, '').trim();
