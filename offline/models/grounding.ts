import { z } from 'zod';
import { firstStatementOf, parseNamesBeforeColon, listSensesIfNameShared } from '../knowledge/names.ts';
import { parseValidClaims, stripNameFromStatementOrNull, formatStatement, hasNameAsWord } from './claims.ts';
import type { Clarification } from './clarifying.ts';
import { misstateOrNull } from './misstating.ts';
import type { Dice } from './seeded.ts';
import { stemsOfContentWords } from './words.ts';

/** What the writer thinks of a passage, and its use. */
interface FactUse {
  readonly passage: number;
  readonly relevance: number;
  readonly use: { readonly name: string; readonly settles: string; readonly quote: string } | null;
}

/** The rated passages, and what both requests must say because of one of them. */
export interface Grounded {
  readonly facts: readonly FactUse[];
  readonly clarification: (Clarification & { readonly name: string }) | null;
}

export const ungrounded: Grounded = { facts: [], clarification: null };

/** A task from the scenario, and its question to an encyclopedia. */
export interface Errand {
  readonly request: string;
  readonly factQuery: string;
}

/** How often the writer clarifies what is clear, and how often it misremembers what it has just read. */
const needless = 0.25;
const misread = 0.06;

const given = z.union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)]);

/**
 * Rates the passages, and uses the one that says which thing an ambiguous name in the task means. Passages about an
 * unambiguous name are used only by mistake. Shared words alone never make a passage useful.
 */
export const ratePassagesAndUseOne = (passages: unknown, errand: Errand, dice: Dice): Grounded => {
  const texts = (Array.isArray(passages) ? passages : []).slice(0, 10).flatMap((entry: unknown, index) => {
    const text = given.safeParse(entry).data;
    return text === undefined ? [] : [{ passage: index + 1, text, name: findExplainedName(text, errand) }];
  });
  const used = choosePassageWithClarification(texts, errand, dice);
  return {
    facts: texts.map(({ passage, text, name }) =>
      used !== null && passage === used.passage
        ? { passage, relevance: 0.9 + dice.below(10) / 100, use: used.use }
        : { passage, relevance: computeRelevance(text, name, errand), use: null },
    ),
    clarification: used?.clarification ?? null,
  };
};

interface Read {
  readonly passage: number;
  readonly text: string;
  /** The name that the task asks about and this passage explains; null if there is none. */
  readonly name: string | null;
}

const findExplainedName = (text: string, { request, factQuery }: Errand): string | null =>
  parseNamesBeforeColon(text).find(
    (name) => name !== '' && hasNameAsWord(request, name) && hasNameAsWord(factQuery, name),
  ) ?? null;

interface Used {
  readonly passage: number;
  readonly use: FactUse['use'];
  readonly clarification: Grounded['clarification'];
}

const choosePassageWithClarification = (texts: readonly Read[], errand: Errand, dice: Dice): Used | null => {
  const named = texts.flatMap(({ passage, text, name }) => (name === null ? [] : [{ passage, text, name }]));
  const [best] = named.toSorted(
    (one, other) =>
      computeShareOfWordsInFactQuery(other.text, errand) - computeShareOfWordsInFactQuery(one.text, errand),
  );
  if (best === undefined) return null;
  const { passage, text, name } = best;
  const ambiguous = named.filter((one) => one.name === name).length > 1 || listSensesIfNameShared(name).length > 1;
  if (ambiguous ? computeShareOfWordsInFactQuery(text, errand) < clearlyMeant : !dice.chance(needless)) return null;
  const quote = firstStatementOf(text);
  if (quote === '') return null;
  const said = withTheUnlessArticle((dice.chance(misread) ? misstateOrNull(quote, dice) : null) ?? quote);
  return { passage, use: { name, settles: formatStatement(name, said), quote }, clarification: { name, said } };
};

/** If the question has this share of a passage's words, it asks for that passage. */
const clearlyMeant = 0.8;

const computeShareOfWordsInFactQuery = (text: string, { factQuery }: Errand): number => {
  const asked = new Set(stemsOfContentWords(factQuery));
  const told = stemsOfContentWords(firstStatementOf(text));
  return told.length === 0 ? 0 : told.filter((word) => asked.has(word)).length / told.length;
};

const withTheUnlessArticle = (said: string): string => (/^(?:an?|the) /iu.test(said) ? said : `the ${said}`);

/** Another sense of the name shows that it is ambiguous; anything else counts by its shared words. */
const computeRelevance = (text: string, name: string | null, { request }: Errand): number => {
  const wanted = new Set(stemsOfContentWords(request));
  const words = new Set(stemsOfContentWords(text));
  const shared = [...words].filter((word) => wanted.has(word)).length;
  const likeness = Math.min(0.8, shared / Math.max(4, Math.min(words.size, wanted.size)));
  return Math.round((name === null ? likeness : Math.max(0.6, likeness)) * 100) / 100;
};

const diagnosis = z.looseObject({ issues: z.array(z.looseObject({ type: z.string(), detail: z.string() })).catch([]) });

/** Returns what a repaired pair must still say: what was settled, unless the audit objected to it. */
export const findClarificationWithoutObjection = (facts: unknown, diagnosed: unknown): Grounded['clarification'] => {
  const objections = (diagnosis.safeParse(diagnosed).data?.issues ?? []).filter(({ type }) => type === 'hallucination');
  for (const { name, settles } of parseValidClaims(facts)) {
    const said = stripNameFromStatementOrNull(name, settles);
    if (said !== null && !objections.some(({ detail }) => detail.includes(name))) return { name, said };
  }
  return null;
};
