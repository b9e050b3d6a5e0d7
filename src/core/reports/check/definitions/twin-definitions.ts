import { deriveCategory, splitIdentifier } from '#core/catalog/category.ts';
import { diceCoefficientOfBags } from '#core/similarity/text-likeness.ts';
import { findNearSiblings } from '#core/exploration/near-siblings.ts';
import { listContentWordsOfText, normalizeTermWord } from '#core/exploration/hint/term-words.ts';
import type { CheckFinding } from '../finding.ts';
import { findingOnTool, listedValuesOrNull, type ReadArgument, type ReadServer, type ReadTool } from './read-tool.ts';
import { joinWithAnd, quoted, readName, verbClassOrNull } from './tool-words.ts';

const leastAlike = 0.4;
/** Names of siblings share at least half of what is not their verb. */
const leastSharedNames = 0.5;

/** Words of names of arguments that ask for the same. */
const sameArguments = [
  'query q search term text keyword keywords phrase string input',
  'limit max count top size n maximum',
  'city town location place',
  'id identifier key code number no ref reference uuid',
  'from start begin since',
  'to end until',
  'path file filename filepath',
  'url uri link href',
  'unit units',
];
const argumentForm: ReadonlyMap<string, string> = new Map(
  sameArguments.flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word): [string, string] => [word, first]);
  }),
);
/** Words of names that do not tell what a tool is about. */
const emptyOfNames = new Set(
  'info information details detail data record the a an of for by all with tool result value'.split(' '),
);

/** Qualities of which one tool may have the one and its neighbour the other. */
const opposites: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:summar\w*|short|brief|compact|overview)\b/i, /\b(?:full|detail\w*|complete|verbose|long|whole|entire)\b/i],
  [/\b(?:cached?|stored|snapshot|offline)\b/i, /\b(?:live|fresh|realtime|real-time|current|online)\b/i],
  [
    /\b(?:archiv\w*|closed|inactive|past|old|previous|history|historical)\b/i,
    /\b(?:active|open|current|upcoming|future|latest|recent|new)\b/i,
  ],
  [
    /\b(?:exact\w*|keywords?|literal\w*|full-text)\b/i,
    /\b(?:fuzzy|semantic\w*|meaning|similar\w*|approximate\w*|regex\w*|patterns?)\b/i,
  ],
  [/\b(?:single|one)\b/i, /\b(?:several|multiple|batch|bulk|all|many)\b/i],
  [/\b(?:local\w*)\b/i, /\b(?:remote\w*|global\w*)\b/i],
  [/\bpermanent\w*\b/i, /\b(?:trash|recycle|soft|restor\w*|undo\w*)\b/i],
  [/\b(?:internal\w*|private\w*)\b/i, /\b(?:external\w*|public\w*)\b/i],
  [/\b(?:outgoing|sent)\b/i, /\b(?:incoming|received)\b/i],
  [/\b(?:net)\b/i, /\b(?:gross)\b/i],
  [/\b(?:gram\w*|metric|celsius|kilo\w*)\b/i, /\b(?:pound\w*|imperial|fahrenheit|miles?)\b/i],
  [/\bdraft\w*\b/i, /\b(?:publish\w*|final\w*|sent)\b/i],
  [/\b(?:asynchron\w*|background|queue\w*)\b/i, /\b(?:synchron\w*|immediately|waits?)\b/i],
];
/** Words with which a text says how its tool differs from others. */
const contrasts =
  /\b(?:unlike|in contrast|instead of|as opposed to|rather than|whereas|differs? from|not to be confused|im Gegensatz|anders als|a diferencia|contrairement)\b/i;

/** Returns a finding on the earlier tool of each pair that nothing tells apart. */
export function listTwinFindings({ tools }: ReadServer): CheckFinding[] {
  const named = tools.map((tool) => ({ tool, key: keyOf(tool), takes: argumentKey(tool) }));
  const groups = Map.groupBy(
    named.filter(({ key }) => key !== null),
    ({ key }) => key,
  );
  const found = new Set<ReadTool>();
  return [...groups.values()].flatMap((group) =>
    group.flatMap(({ tool, takes }, index) => {
      const twins = group
        .slice(index + 1)
        .filter(
          (other) =>
            other.takes === takes &&
            !isTold(tool, other.tool) &&
            !differOnlyInNumber(tool, other.tool) &&
            takeSameValues(tool, other.tool) &&
            sayTheSame(tool, other.tool),
        )
        .map(({ tool: other }) => other);
      if (twins.length === 0 || found.has(tool)) return [];
      for (const twin of twins) found.add(twin);
      return twinFinding(tool, twins);
    }),
  );
}

const twinFinding = (tool: ReadTool, twins: readonly ReadTool[]): CheckFinding => {
  const [other = tool] = twins;
  return findingOnTool('twin-by-definition', tool, {
    others: twins.map(({ server, name }) => `${server}/${name}`),
    sentence: `nothing distinguishes it from ${joinWithAnd(twins.map(({ name }) => name))}: the names mean the same, and so do the arguments`,
    evidence: [tool, ...twins].map(({ name, description }) => `${name}: ${quoted(description, 200)}`),
    proposal: `remove one of the two, or say in both descriptions when to use which: "${tool.name} ...; for ... use ${other.name}"`,
  });
};

/** The object words of a name in one order and number, with the meaning of its verb; null for names without either. */
function keyOf({ named: { verb, words } }: ReadTool): string | null {
  const verbs = new Set(verb === null ? [] : words.filter((word) => readName(word).verb === verb));
  const rest = words.filter((word) => !verbs.has(word) && !emptyOfNames.has(word)).map(normalizeTermWord);
  if (rest.length === 0) return verb === null || words.length < 2 ? null : `${verb}:`;
  // A name without a verb, such as `order_status`, says what its tool gives.
  return `${verb ?? 'read'}:${rest.toSorted().join(' ')}`;
}

/** The arguments of a tool in one order: their types and what they ask for. */
function argumentKey(tool: ReadTool): string {
  const named = new Set(splitIdentifier(tool.name).map(normalizeTermWord));
  return tool.arguments
    .filter(({ isTop }) => isTop)
    .map(({ name, types, required }) => {
      const words = splitIdentifier(name)
        .map(normalizeTermWord)
        .filter((word) => !named.has(word));
      const form = words.map((word) => argumentForm.get(word) ?? word).join('_');
      return `${form === '' ? 'id' : form}:${[...types].toSorted().join('|')}:${String(required)}`;
    })
    .toSorted()
    .join(',');
}

/** Whether a text of one of two tools says how they differ. */
const isTold = (one: ReadTool, other: ReadTool): boolean => {
  if (mentions(one, other) || mentions(other, one)) return true;
  const [a, b] = [one, other].map(
    ({ name, title, description }) => `${splitIdentifier(name).join(' ')} ${title} ${description}`,
  );
  if (a === undefined || b === undefined) return false;
  if (contrasts.test(one.description) || contrasts.test(other.description)) return true;
  return opposites.some(
    ([left, right]) =>
      (left.test(a) && !right.test(a) && right.test(b) && !left.test(b)) ||
      (right.test(a) && !left.test(a) && left.test(b) && !right.test(b)),
  );
};

/** `get_item` and `get_items` say by their names that one of them answers with several. */
const differOnlyInNumber = (one: ReadTool, other: ReadTool): boolean => {
  const [a, b] = [splitIdentifier(one.name), splitIdentifier(other.name)];
  return (
    a.length === b.length &&
    a.join(' ') !== b.join(' ') &&
    a.every((word, at) => word === b[at] || normalizeTermWord(word) === normalizeTermWord(b[at] ?? ''))
  );
};

/** Names that differ only in a word such as `info` are of one thing if their descriptions are alike: `read_file`, `get_file_info`. */
const sayTheSame = (one: ReadTool, other: ReadTool): boolean => {
  const has = ({ name }: ReadTool): boolean => splitIdentifier(name).some((word) => emptyOfNames.has(word));
  if (has(one) === has(other)) return true;
  return (
    diceCoefficientOfBags(listContentWordsOfText(one.description), listContentWordsOfText(other.description)) >=
    leastAlike
  );
};

/** Arguments that take other values make tools of their own. */
const takeSameValues = (one: ReadTool, other: ReadTool): boolean => {
  const values = ({ arguments: all }: ReadTool): Map<string, readonly string[]> =>
    new Map(
      all.flatMap((each: ReadArgument): [string, readonly string[]][] =>
        each.isTop ? [[each.name, (listedValuesOrNull(each) ?? []).map(String)]] : [],
      ),
    );
  const [a, b] = [values(one), values(other)];
  return ![...a].some(
    ([name, listed]) =>
      listed.length > 0 && (b.get(name)?.length ?? 0) > 0 && !listed.some((value) => b.get(name)?.includes(value)),
  );
};

/** Returns findings on tools that are nearly alike and do not mention each other, apart from those that are twins. */
export function listSiblingFindings({ tools }: ReadServer, twins: readonly CheckFinding[]): CheckFinding[] {
  const byName = new Map(tools.map((each) => [each.name, each]));
  const near = findNearSiblings(
    tools.map(({ name, title, description, definition }) => ({
      name,
      category: deriveCategory({ name, description }),
      title,
      description,
      inputSchema: definition.inputSchema,
    })),
  );
  const told = new Set(twins.flatMap(({ tool, others }) => others.flatMap((other) => [pairOf(tool ?? '', other)])));
  const shown = new Set<string>();
  return tools.flatMap((tool) => {
    const others = (near.get(tool.name) ?? []).flatMap((name) => {
      const other = byName.get(name);
      if (other === undefined || other === tool || !haveAlikeNames(tool, other) || isTold(tool, other)) return [];
      const pair = pairOf(`${tool.server}/${tool.name}`, `${other.server}/${name}`);
      if (told.has(pair) || shown.has(pair)) return [];
      shown.add(pair);
      return other;
    });
    if (others.length === 0) return [];
    const names = joinWithAnd(others.map(({ name }) => name));
    return findingOnTool('siblings-undistinguished', tool, {
      others: others.map(({ server, name }) => `${server}/${name}`),
      sentence: `it is much like ${names}, and no description says when to use which`,
      evidence: [tool, ...others].map(({ name, description }) => `${name}: ${quoted(description, 160)}`),
      proposal: `end its description with when to use ${names} instead`,
    });
  });
}

const haveAlikeNames = (one: ReadTool, other: ReadTool): boolean => {
  const [a, b] = [one.named, other.named];
  const rest = ({ words, verb }: typeof a): string[] =>
    words.filter((word) => verbClassOrNull(word) !== verb || verb === null).map(normalizeTermWord);
  return a.verb === b.verb && diceCoefficientOfBags(rest(a), rest(b)) >= leastSharedNames;
};

const pairOf = (one: string, other: string): string => [one, other].toSorted().join(' ');

/** Returns whether a text of one tool names another one. */
const mentions = ({ texts }: ReadTool, { name }: ReadTool): boolean =>
  texts.some(
    ({ text, where }) =>
      where !== 'title' &&
      new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w]/g, (each) => `\\${each}`)}(?![\\w-])`).test(text),
  );
