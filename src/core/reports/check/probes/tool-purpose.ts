import { arrayOrEmpty, type JsonObject } from '#core/values/json-schema/json-object.ts';
import type { ListedTool } from '../listed-tool.ts';
import { wordsOf } from './known-values.ts';
import { examplesInText, textOf, type Argument } from './sample-arguments.ts';

/** Words with which a name or a description explains why results change. */
const changeWords =
  /random|\bcurrent|\bnow\b|\btimes?\b|timestamp|clock|uptime|latest|\blive\b|generat|uuid|sample|shuffl|status|metric|usage|memory|\bcpu\b|\broll|dice|simulat|zufäll|aktuell|aléatoire|actuel|aleatori|actual|随机|当前|现在|ランダム|現在|случайн|текущ/i;

/** Whether a tool says that its results change by themselves, as times, states and random values do. */
export const explainsChange = ({ name, description = '' }: ListedTool): boolean =>
  changeWords.test(`${name} ${description}`);

/** The words of what a tool is about: those of its name without the verb. */
export function subjectOf({ name }: Pick<ListedTool, 'name'>): string[] {
  const words = wordsOf(name);
  return words.length > 1 ? words.slice(1) : words;
}

const verbOf = (tool: ListedTool): string => wordsOf(tool.name)[0] ?? '';
const searchWords = /^(?:query|search|q|keyword|keyword|term|filter|prefix|contains|phrase|text)$/;
/** Verbs of a search, in several languages and wherever they stand in a name. */
const searchVerbs =
  /^(?:search|find|query|filter|suggest|match|browse|such\w*|busca\w*|cherche\w*|recherche\w*|procura\w*|cerca\w*|zoek\w*|szuka\w*|wyszuka\w*|hleda\w*|sok|poisk|naiti|kensaku|sousuo)$/;
/** Whether an argument is what a tool searches for. */
export const searches = (tool: ListedTool, name: string): boolean =>
  wordsOf(tool.name).some((word) => searchVerbs.test(word)) || wordsOf(name).some((word) => searchWords.test(word));
/** Whether a tool returns a list, which may be empty. */
export const lists = (tool: ListedTool): boolean =>
  /^(?:list|enumerate|all|browse)$/.test(verbOf(tool)) ||
  tool.name.endsWith('s') ||
  /^\W*(?:list|returns? (?:all|the list)|enumerat)/i.test(tool.description ?? '');
const computes =
  /^(?:convert|calc|calculate|compute|validate|parse|format|encode|decode|hash|generate|check|verify|test|render|translate|count|estimate|compare|analy[sz]e|transform|round|resolve|make|build|create|evaluate|eval|normali[sz]e|escape|detect|is|to|from|sum|add|multiply)$/;

/** Last words of arguments that name one thing of the server, and those that do so only where the tool looks something up. */
const identifierWords = new Set(
  'id no sku reference ref isbn iban barcode ean uuid identifier plz zip postcode'.split(' '),
);
const likelyIdentifiers = new Set(
  'key code number slug symbol ticker handle login callsign username name postal'.split(' '),
);

/** Whether an argument names something that the server has, or has not. */
export function isIdentifier(tool: ListedTool, { name, schema }: Argument, about: readonly string[]): boolean {
  if (arrayOrEmpty(schema['enum']).length > 0 || computes.test(verbOf(tool)) || searches(tool, name)) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (/cursor|token|page|limit|offset|count/.test(last) || arrayOrEmpty(schema['examples']).some(isProse)) return false;
  if (identifierWords.has(last) || /(?:^|\W)(?:id|identifier|ids?)\b/i.test(textOf(schema['description']).slice(0, 60)))
    return true;
  if (isCode(schema)) return true;
  return (about.includes(last) || likelyIdentifiers.has(last)) && looksUp(tool);
}

/** Whether the examples of an argument are codes, such as `W101` and `OS-2041`: letters, then digits, as ids are. */
const isCode = (schema: JsonObject): boolean => {
  const examples = [...arrayOrEmpty(schema['examples']), ...examplesInText(textOf(schema['description']), 'string')];
  return examples.length > 0 && examples.every((each) => typeof each === 'string' && code.test(each));
};
const code = /^\p{L}{1,5}[-_]?\d[\dA-Z_-]{1,15}$/u;

/** Whether a tool returns what is there, by its name or the beginning of its description. */
const looksUp = (tool: ListedTool): boolean =>
  retrieves.test(verbOf(tool)) ||
  /^\W*(?:gets?|returns?|looks? up|shows?|gives?|fetch|reads?|retriev|finds?|tells?|lists?)\b/i.test(
    tool.description ?? '',
  );

const retrieves = /^(?:list|get|fetch|read|show|describe|lookup|look|retrieve|load|view|open|track|status)$/;

/** Whether a value is a text of several words or lines, and no name of a thing. */
const isProse = (value: unknown): boolean => typeof value === 'string' && (value.length > 40 || /\s\S+\s/.test(value));
