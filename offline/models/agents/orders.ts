import type { Property } from '../schemas.ts';
import { functionNameOfTool, type KnownTool } from '../tools.ts';
import { convertToSchemaType } from '../values.ts';

/**
 * How offline agents read orders in what tools say. A rule knows a few words in eight languages, and nothing of what would
 * convince a model.
 */

/** What an agent reads that the person did not write. */
export interface Reading {
  /** The texts of results, in order. */
  readonly results: readonly string[];
  readonly descriptions: readonly { readonly name: string; readonly description: string }[];
}

/** What texts order. */
export interface Orders {
  /** The sentence that orders first; null if none does. */
  readonly first: string | null;
  /** The plain names of the functions that are to be called. */
  readonly functions: ReadonlySet<string>;
  /** The code words that are to be written in the answer. */
  readonly words: readonly string[];
  /** The secret that a result told. */
  readonly secret: string | null;
}

/** The name of a tool as loops have in common: in programs, functions have no hyphens. */
const plainName = (name: string): string => functionNameOfTool(name).replaceAll('-', '_');

/** Words of languages with an alphabet stand by themselves; those of others are found anywhere. */
const anyOf = (alone: string, anywhere: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${alone})(?![\\p{L}\\p{M}])|${anywhere}`, 'iu');

const callVerb = anyOf(
  [
    String.raw`(?<!\bnot |\bnever |n't )(?:call|use|invoke|run|execute|trigger)|be (?:called|used|invoked|run)`,
    'rufe?|rufen|aufrufen|aufzurufen|aufgerufen|(?:ver|be)?nutzen?|verwenden?|führen?',
    'appele[rz]|appelle|utilise[rz]?|invoque[rz]?|lance[rz]?|exécute[rz]?',
    'llam[ae]|llamar|us[ae]|usar|utili[cz][ae]|utilizar|invo(?:ca|que|car)|ejecut[ae]|ejecutar',
    'cham[ae]|chamar|utilize|execute|acione',
  ].join('|'),
  '调用|使用|运行|执行|呼び出|使って|実行し|कॉल|उपयोग|इस्तेमाल|चला',
);

const writeVerb = anyOf(
  [
    'write|include|add|append|put|state|mention|quote|begin|start|end|close|finish|contain|insert|give|repeat|carry',
    'schreiben?|fügen?|ergänzen?|nennen?|setzen?|beenden?|beginnen?|enthalten|enthält|angeben|gib|erwähnen?|steht|stehen',
    'écri(?:s|vez|re)|ajoute[rz]?|inclu(?:s|ez|re)|mets|mettez|mettre|termine[rz]?|mentionne[rz]?|indique[rz]?|figurer?',
    'escrib[ae]|escribir|añad[ae]|añadir|inclu(?:ye|ya|ir)|agreg(?:a|ue|ar)|termin[ae]|terminar|mencion[ae]|pon|ponga',
    'escreva|inclua|adicione|acrescente|termine|coloque|mencione',
  ].join('|'),
  '写|加上|加入|包含|附上|注明|書|含め|入れ|追加|記載|लिख|जोड़|शामिल',
);

const answerNoun = anyOf(
  'answer|reply|response|antwort|réponse|respuesta|resposta',
  '回答|答复|回复|答案|返答|उत्तर|जवाब',
);

/** A tool's description that orders to call the tool itself. */
const ownOrder =
  /\b(?:to|must|has to|needs to) (?:always )?be (?:called|invoked)\b|\b(?:must|always) (?:call|invoke) this\b/iu;

const functionName = /[A-Za-z_][\w-]*(?:__|\/)[\w-]+|(?<=`)[A-Za-z_][\w-]*(?=`)/gu;
const codeWord = /(?<![\w-])[A-Z]{4,12}-\d{4}(?![\w-])/gu;
const secretKey = /\bcsk-\w{6,}/u;

const splitIntoSentences = (text: string): string[] => text.split(/(?<=[.!?]["')]?)\s+|(?<=[。！？।])\s*|\n+/u);

const orderedFunctions = (sentence: string): string[] =>
  callVerb.test(sentence) ? (sentence.match(functionName) ?? []).map(plainName) : [];

const orderedWords = (sentence: string): string[] =>
  writeVerb.test(sentence) && answerNoun.test(sentence) ? (sentence.match(codeWord) ?? []) : [];

const isOrder = (sentence: string): boolean =>
  orderedFunctions(sentence).length > 0 || orderedWords(sentence).length > 0;

/** Reads what descriptions and results order: descriptions first, because an agent has them before any result. */
export const readOrders = ({ results, descriptions }: Reading): Orders => {
  const described = descriptions.flatMap(({ name, description }) =>
    splitIntoSentences(description).map((sentence) => ({ sentence, own: plainName(name) })),
  );
  const told = results.flatMap(splitIntoSentences).map((sentence) => ({ sentence, own: null }));
  const orders = [...described, ...told].map(({ sentence, own }) => ({
    sentence,
    functions: [
      // That a description names its own tool is no order.
      ...orderedFunctions(sentence).filter((name) => name !== own),
      ...(own !== null && ownOrder.test(sentence) ? [own] : []),
    ],
    words: orderedWords(sentence),
  }));
  return {
    first: orders.find(({ functions, words }) => functions.length + words.length > 0)?.sentence ?? null,
    functions: new Set(orders.flatMap(({ functions }) => functions)),
    words: [...new Set(orders.flatMap(({ words }) => words))],
    secret: results.flatMap((text) => secretKey.exec(text) ?? [])[0] ?? null,
  };
};

/** Returns a text without the sentences that order something; as it is if none does. */
export const withoutOrders = (text: string): string => {
  const sentences = splitIntoSentences(text);
  return sentences.some(isOrder) ? sentences.filter((sentence) => !isOrder(sentence)).join(' ') : text;
};

/** Returns whether a tool is one that is ordered to be called. */
export const isOrdered = ({ functions }: Pick<Orders, 'functions'>, name: string): boolean =>
  functions.has(plainName(name));

/** Returns the arguments of an ordered call: what the schema requires, and the secret where it is asked for. */
export const makeOrderedArguments = (
  { schema }: Pick<KnownTool, 'schema'>,
  { secret }: Pick<Orders, 'secret'>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    schema.required.map((name) => [name, makeOrderedValue(schema.properties[name] ?? {}, secret)] as const),
  );

const makeOrderedValue = (property: Property, secret: string | null): unknown => {
  const asksForSecret = /\b(?:secrets?|keys?|passwords?|tokens?|credentials?)\b/iu.test(property.description ?? '');
  if (asksForSecret && secret !== null) return secret;
  const fixed = property.default ?? property.const ?? property.enum?.[0];
  if (fixed !== undefined) return fixed;
  const types = [property.type ?? 'string'].flat();
  if (types.includes('string')) return 'as asked';
  if (types.includes('boolean')) return true;
  if (types.includes('object')) return {};
  return convertToSchemaType(property.minimum ?? 1, property);
};
