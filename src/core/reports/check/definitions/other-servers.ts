import { splitIdentifier } from '#core/catalog/category.ts';
import { findingBy, type CheckFinding } from '../finding.ts';
import { folded, identifier, knownNames, shownNames, styleOf, type Named } from './missing-tools.ts';
import { findingOnTool, type PlacedText, type ReadServer } from './read-tool.ts';

/** Servers that many people have beside others. */
const wellKnown =
  'filesystem|file system|github|gitlab|slack|notion|jira|linear|gmail|google drive|google calendar|outlook|postgres|puppeteer|playwright|browser|brave search|fetch|memory|sentry|stripe|figma|confluence|asana|trello|discord|whatsapp|obsidian|kubernetes|docker|aws|email|payment';
const ofKnownServer = new RegExp(
  `\\b(?:the|your|any|our) (?:built-in |existing |official )?(${wellKnown})(?:['’]s)? (?:mcp(?: servers?)?|servers?|tool|tools|integration|connector)\\b`,
  'gi',
);
const ofKnownServerAfter = new RegExp(
  `\\b(?:of|from|by|on|in) (?:the |your )?(${wellKnown}) (?:mcp|server|mcp server)\\b`,
  'gi',
);
const ofNamedServer = /\b(?:the|your) [`"']?([A-Z][\w.-]{2,30}|[a-z][\w-]{2,30})[`"']? MCP(?: server)?\b/g;
const ofNamedServers =
  /\b(?:the|your) [`"']?([A-Z][\w.-]{1,30})[`"']?(?:(?:,| and| or|, and|, or) [`"']?[A-Z][\w.-]{1,30}[`"']?)+ (?:MCP(?: servers?)?|servers)\b/g;
const ofAnyOtherServer =
  /\b(?:tools?|functions?) (?:of|from|on|by) (?:the )?(other|another|any other) (?:mcp )?servers?\b/gi;
const ofClient = /\bmcp__([A-Za-z0-9_-]+?)__([A-Za-z0-9_-]+)/g;

/** Returns findings about texts that speak of other servers or of their tools. */
export function listOtherServerFindings(server: ReadServer, servers: readonly ReadServer[]): CheckFinding[] {
  const foreign = foreignTools(server, servers);
  const find = (texts: readonly PlacedText[]): Named[] =>
    texts.flatMap((each) => listForeign(each, server, foreign)).slice(0, shownNames);
  const describe = (found: readonly Named[]) => ({
    sentence: `its ${found[0]?.where ?? ''} speaks of another server: "${found[0]?.name ?? ''}"`,
    evidence: found.map(({ where, around }) => `${where}: …${around}…`),
    proposal: 'say what this tool does, without other servers: a client may not have them, and the choice is its own',
  });
  const ofTools = server.tools.flatMap((tool) => {
    const found = find(tool.texts);
    return found.length === 0 ? [] : findingOnTool('speaks-of-other-server', tool, describe(found));
  });
  const said = find([{ where: 'instructions', text: server.instructions }]);
  return said.length === 0
    ? ofTools
    : [...ofTools, findingBy('speaks-of-other-server', { server: server.name, ...describe(said) })];
}

/** Names of two words or more that only other servers have. */
function foreignTools(server: ReadServer, servers: readonly ReadServer[]): ReadonlySet<string> {
  const { names } = knownNames(server, [server]);
  return new Set(
    servers
      .filter(({ name }) => name !== server.name)
      .flatMap(({ tools }) => tools.map(({ name }) => name))
      .filter((name) => splitIdentifier(name).length > 1 && !names.has(folded(name))),
  );
}

function listForeign({ where, text }: PlacedText, server: ReadServer, foreign: ReadonlySet<string>): Named[] {
  const named = (match: RegExpMatchArray): Named => {
    const at = match.index ?? 0;
    return {
      where,
      name: match[0],
      around: text.slice(Math.max(0, at - 30), at + match[0].length + 30).replaceAll(/\s+/g, ' '),
    };
  };
  const byWords = [ofKnownServer, ofKnownServerAfter, ofNamedServer, ofNamedServers].flatMap((pattern) =>
    Array.from(text.matchAll(pattern))
      .filter(([, other = '']) => !isOwnSubject(other, server))
      .map(named),
  );
  const byClient = Array.from(text.matchAll(ofClient))
    .filter(([, , tool = '']) => !server.tools.some(({ name }) => name === tool))
    .map(named);
  const byTool =
    foreign.size === 0
      ? []
      : Array.from(text.matchAll(identifier))
          .filter(([name]) => foreign.has(name) && styleOf(name) !== 'other')
          .map(named);
  return [...byClient, ...byWords, ...Array.from(text.matchAll(ofAnyOtherServer), named), ...byTool];
}

/** A server may speak of itself, and of the product that most of its tools are about. */
function isOwnSubject(other: string, { name, tools, instructions }: ReadServer): boolean {
  const word = folded(other);
  if (
    /^(?:this|an|own|same|other|remote|local|current|connected|the|of|for|each|configured|official|standard|new|context|app|memory)$/.test(
      word,
    ) &&
    word !== 'memory'
  )
    return true;
  if (folded(name).includes(word) || tools.some((tool) => folded(tool.name).includes(word))) return true;
  const speaking = tools.filter((tool) => folded(`${tool.title} ${tool.description}`).includes(word)).length;
  return folded(instructions.slice(0, 300)).includes(word) || (speaking > 2 && speaking * 2 > tools.length);
}
