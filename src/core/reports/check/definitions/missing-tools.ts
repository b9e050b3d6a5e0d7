import { splitIdentifier } from '#core/catalog/category.ts';
import { findingBy, type CheckFinding } from '../finding.ts';
import { findingOnTool, listSchemaWords, type PlacedText, type ReadServer } from './read-tool.ts';
import { verbClassOrNull } from './tool-words.ts';

export const shownNames = 5;

/** Verbs with which names of tools begin, and hardly any other identifiers. */
const plainVerbs = new Set(
  'get list search find create update delete add remove fetch lookup describe show send cancel convert calculate compute generate retrieve edit insert upload download query submit validate verify register assign approve publish enumerate'.split(
    ' ',
  ),
);
/** More verbs, which begin names of fields as well: they count only where a text says that something is called. */
const otherVerbs = new Set(
  'book order reserve escalate close open start stop pay refund export import schedule reschedule confirm reopen rename move copy check track subscribe merge archive restore'.split(
    ' ',
  ),
);
/** Last words of identifiers that are fields, columns or settings, whatever verb they begin with. */
const fieldEnd =
  /^(?:id|ids|name|names|time|date|at|by|in|out|on|off|up|type|types|format|key|keys|url|uri|path|term|terms|count|counts|size|limit|only|mode|status|code|string|text|value|values|field|fields|token|flag|options?|params?|enabled|allowed|result|results|response|request|error|errors|max|min|query|filter|index|number|permission|permissions|role|scope|event|events|to|from|ok|done|method|description|label|version|config|ms|s)$/;
export const identifier = /(?<![\w./$@\\#:-])[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*(?![\w/\\=]|\.\w|:\w|-\w)/g;
/** Words right before a name that make it the name of a tool. */
const callsBefore =
  /(?:\b(?:call|calls|calling|use|uses|using|run|running|invoke|invoking|see|via|try|from|with|by|tools?|function|then|first|after|before|or|and|as|instead of|rufe?|nutze|verwende|siehe|aus|utilise[rz]?|usar?|utiliza|appelle[rz]?|voir|ver|chame|llame|llama|chiama(?:re)?|antes|primeiro|primero|dapprima|roep|wywołaj|вызовите|вызови|сначала)|请?调用|使用|参见|用|由)\s*(?:the |den |die |das |le |la |el )?[`"'「]?$/iu;
const seesBefore =
  /\b(?:call|see|siehe|voir|véase|ver|rufe?|mit|via|avec|con|aus|nutze|appelez|utilisez|use|вызови(?:те)?|через|liefert|nennt|donne|fournit|devuelve|gives|by|par|por)\s[`"']?$/iu;
const strictlyCallsBefore = /(?:\b(?:call|calling|invoke|invoking|use the|via the|tools?)|请?调用)\s*[`"'「]?$/iu;
const callsAfter = /^[`"'」]?\s*(?:tool\b|first\b|\(\)|工具)/iu;
const gives =
  /^[`"'」]?\s*(?:gives?|returns?|lists?|shows?|finds?|liefert|nennt|gibt|zeigt|donne|devuelve|可以?查|得到)\b/iu;
/** What is passed to a name is passed to a tool. */
const handsBefore = /\b(?:pass|give|hand|send|feed|supply|take)\b[^.]{0,60}\b(?:to|into)\s[`"']?$/i;
/** Tools of an earlier version may be named, as ones that are gone. */
const speaksOfPast =
  /\b(?:replaces?|replaced|replacing|formerly|deprecated|renamed|previously|was called|merged|supersedes?|ersetzt)\b[^.]{0,120}$/i;
/** Code of databases, pages and shells, whose functions look like tools. */
const speaksOfCode =
  /\b(?:SQL|JavaScript|TypeScript|Python|MongoDB|selector|DOM|SDK|REST|endpoint|API method|npm|npx|CLI|function call|library|hook|callback|method of)\b/;

/** Returns findings about tools that texts name and no server here lists. */
export function listMissingToolFindings(server: ReadServer, servers: readonly ReadServer[]): CheckFinding[] {
  const known = knownNames(server, servers);
  const ofTools = server.tools.flatMap((tool) => {
    const found = listNamed(tool.texts, known, server);
    const [one] = found;
    if (one === undefined) return [];
    return findingOnTool('speaks-of-missing-tool', tool, {
      sentence: `its ${one.where} names \`${one.name}\`, and the server lists no such tool`,
      evidence: found.map(({ where, around }) => `${where}: …${around}…`),
      proposal: proposeName(one.name, server),
    });
  });
  const said = listNamed([{ where: 'instructions', text: server.instructions }], known, server);
  const [one] = said;
  if (one === undefined) return ofTools;
  return [
    ...ofTools,
    findingBy('speaks-of-missing-tool', {
      server: server.name,
      sentence: `its instructions name \`${one.name}\`, and it lists no such tool`,
      evidence: said.map(({ around }) => `…${around}…`),
      proposal: proposeName(one.name, server),
    }),
  ];
}

const proposeName = (name: string, { tools }: ReadServer): string => {
  const words = new Set(splitIdentifier(name));
  const [best] = tools
    .map((tool) => ({ name: tool.name, shared: splitIdentifier(tool.name).filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .toSorted((one, other) => other.shared - one.shared);
  return best === undefined
    ? `add the tool ${name}, or remove the sentence`
    : `name a tool that exists, such as ${best.name}, add ${name}, or remove the sentence`;
};

export interface Named {
  readonly where: string;
  readonly name: string;
  readonly around: string;
}

/** Names that a text may use: tools of all servers, fields and listed values, without what joins their words. */
interface KnownNames {
  readonly names: ReadonlySet<string>;
  readonly tools: readonly string[];
}

export const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

export function knownNames({ tools }: ReadServer, servers: readonly ReadServer[]): KnownNames {
  const names = new Set(servers.flatMap((each) => [each.name, ...each.tools.map(({ name }) => name)]).map(folded));
  for (const { definition } of tools) {
    for (const word of listSchemaWords(definition.inputSchema)) names.add(folded(word));
    for (const word of listSchemaWords(definition.outputSchema ?? {})) names.add(folded(word));
  }
  return { names, tools: tools.map(({ name }) => folded(name)) };
}

function listNamed(texts: readonly PlacedText[], known: KnownNames, server: ReadServer): Named[] {
  const found = new Map<string, Named>();
  for (const { where, text } of texts) {
    if (where === 'title') continue;
    for (const match of text.matchAll(identifier)) {
      const [name] = match;
      if (found.size >= shownNames) break;
      const before = text.slice(Math.max(0, match.index - 150), match.index);
      const after = text.slice(match.index + name.length, match.index + name.length + 20);
      const key = folded(name);
      if (isKnown(key, known) || !isToolName(name, { before, after, text, server })) continue;
      const around = text.slice(Math.max(0, match.index - 30), match.index + name.length + 20).replaceAll(/\s+/g, ' ');
      if (!found.has(key)) found.set(key, { where, name, around });
    }
  }
  return [...found.values()];
}

/** Tools are also named without what is in front of all of them: `getAll` for `shop_getAll`. */
const isKnown = (key: string, { names, tools }: KnownNames): boolean =>
  names.has(key) ||
  names.has(`${key}s`) ||
  names.has(key.replace(/s$/, '')) ||
  tools.some((tool) => tool.endsWith(key));

interface Context {
  readonly before: string;
  readonly after: string;
  readonly text: string;
  readonly server: ReadServer;
}

function isToolName(name: string, { before, after, text, server }: Context): boolean {
  const words = splitIdentifier(name);
  const [verb = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  const isMarked = /[`"'「]$/.test(before) && /^[`"'」]/.test(after);
  if (words.length < 2 || !/[a-z]/.test(name) || name.startsWith('mcp__')) return false;
  if (/[`"']\s*[:=]|^\s*[:=]\s*\S/.test(after) && !/^[`"']?[.:]?\s*$/.test(after) && !/^[`"']?: [A-Z]/.test(after))
    return false;
  const isVerb = verbClassOrNull(verb) !== null || plainVerbs.has(verb) || otherVerbs.has(verb);
  const isHanded = handsBefore.test(before);
  const isCalled = isHanded || callsBefore.test(before) || callsAfter.test(after) || gives.test(after);
  const isStrictlyCalled = strictlyCallsBefore.test(before) || /^[`"'」]?\s*(?:tool\b|工具)/iu.test(after);
  if (speaksOfCode.test(text) && !isStrictlyCalled) return false;
  if (speaksOfPast.test(before)) return false;
  const style = styleOf(name);
  if (style === 'kebab')
    return isVerb && rest.length > 0 && (isMarked || usesStyle(server, 'kebab')) && isCalled && plainVerbs.has(verb);
  if (style === 'camel')
    return (
      (isVerb || hasFormOfOwnName(words, server)) &&
      !fieldEnd.test(last) &&
      isCalled &&
      // What happens "via" such a name is often a function of a library.
      (isMarked || isStrictlyCalled || (usesStyle(server, 'camel') && !/\bvia\s$/i.test(before)))
    );
  if (style !== 'snake' || name !== name.toLowerCase()) return false;
  if (isStrictlyCalled && !/^(?:is|has|max|min|num|total|default)$/.test(verb))
    return isVerb || /^[`"'」]?\s*(?:tool\b|工具)/iu.test(after) || isCalledFirst(before, after);
  if (hasFormOfOwnName(words, server) && !fieldEnd.test(last) && (gives.test(after) || seesBefore.test(before)))
    return true;
  if (plainVerbs.has(last) && isCalled && !fieldEnd.test(verb) && last !== 'edit') return true;
  if (fieldEnd.test(last)) return false;
  return (
    plainVerbs.has(verb) || (otherVerbs.has(verb) && (isHanded || isCalledFirst(before, after) || gives.test(after)))
  );
}

/** Whether a name begins or ends as a tool of the server does, such as `kunden_suchen` beside `rechnungen_suchen`. */
const hasFormOfOwnName = (words: readonly string[], { tools }: ReadServer): boolean =>
  tools.some(({ name }) => {
    const own = splitIdentifier(name);
    return own.length > 1 && (own[0] === words[0] || own.at(-1) === words.at(-1));
  });

/** `Call session_open first` */
const isCalledFirst = (before: string, after: string): boolean =>
  /\bcall(?:ing)? [`"']?$/i.test(before) && /^[`"']?\s*(?:first|before|to|for|and|with|,|\.|$)/i.test(after);

export const styleOf = (name: string): 'snake' | 'kebab' | 'camel' | 'other' => {
  if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(name)) return 'snake';
  if (/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(name)) return 'kebab';
  return /^[a-z]+[0-9]*(?:[A-Z][a-z0-9]*)+$/.test(name) ? 'camel' : 'other';
};

const usesStyle = ({ tools }: ReadServer, style: ReturnType<typeof styleOf>): boolean => {
  const counted = tools.filter(({ name }) => styleOf(name) === style).length;
  return counted * 2 >= tools.length;
};
