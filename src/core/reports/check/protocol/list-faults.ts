import { arrayOrEmpty, isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import {
  listedCapabilities,
  resultOf,
  type Exchange,
  type ListedCapability,
  type ProtocolFault,
  type ProtocolRecord,
} from './exchange.ts';

const mostShown = 5;

/** The texts that each item of a list has. */
const requiredTexts: Readonly<Record<ListedCapability, readonly string[]>> = {
  tools: ['name'],
  resources: ['uri', 'name'],
  prompts: ['name'],
};

/** Returns what is wrong with the lists of tools, resources and prompts. */
export const findListFaults = (lists: ProtocolRecord['lists']): ProtocolFault[] =>
  listedCapabilities.flatMap((capability) => {
    const pages = (lists[capability] ?? []).flatMap((page) => {
      const result = resultOf(page);
      return result === null ? [] : [{ page, result }];
    });
    const broken = pages.find(({ result }) => !isListOf(result[capability], requiredTexts[capability]));
    if (broken !== undefined) return [faultOfForm(capability, broken.page)];
    const cursor = pages.find(({ result }) => !['string', 'undefined'].includes(typeof result['nextCursor']));
    const items = pages.map(({ page, result }) => ({
      page,
      items: arrayOrEmpty(result[capability]).filter(isJsonObject),
    }));
    return [
      ...(cursor === undefined ? [] : [faultOfCursor(capability, cursor.page)]),
      ...(capability === 'tools' ? [...findDuplicates(items), ...findSchemaFaults(items)] : []),
    ];
  });

const isListOf = (value: unknown, texts: readonly string[]): boolean =>
  Array.isArray(value) &&
  value.every((item) => isJsonObject(item) && texts.every((key) => typeof item[key] === 'string'));

const faultOfForm = (capability: ListedCapability, shown: Exchange): ProtocolFault => ({
  severity: 'high',
  sentence: `the result of \`${capability}/list\` is no list \`${capability}\` of objects with ${requiredTexts[capability].map((key) => `\`${key}\``).join(' and ')}: clients refuse the whole list`,
  shown,
  proposal: `give \`${capability}\` as a list in which each item has ${requiredTexts[capability].map((key) => `\`${key}\``).join(' and ')}, as texts`,
});

const faultOfCursor = (capability: ListedCapability, shown: Exchange): ProtocolFault => ({
  severity: 'high',
  sentence: `the \`nextCursor\` of \`${capability}/list\` is no text: clients refuse the whole list`,
  shown,
  proposal: 'give `nextCursor` as a text, and leave it out of the last page: `null` is none',
});

interface Page {
  readonly page: Exchange;
  readonly items: readonly JsonObject[];
}

function findDuplicates(pages: readonly Page[]): ProtocolFault[] {
  const seen = new Set<unknown>();
  const twice = new Set<string>();
  let shown: Exchange | undefined;
  for (const { page, items } of pages)
    for (const { name } of items) {
      if (seen.has(name)) {
        twice.add(JSON.stringify(name));
        shown ??= page;
      }
      seen.add(name);
    }
  if (shown === undefined) return [];
  return [
    {
      severity: 'high',
      sentence: `it lists more than one tool with the name ${inWords(twice)}: calls reach only one of them`,
      shown,
      proposal: 'give each tool a name of its own',
    },
  ];
}

/** A type that is another text is left to the rule `schema-broken`. */
function findSchemaFaults(pages: readonly Page[]): ProtocolFault[] {
  const without = new Set<string>();
  let shown: Exchange | undefined;
  for (const { page, items } of pages)
    for (const { name, inputSchema } of items)
      if (!isJsonObject(inputSchema) || typeof inputSchema['type'] !== 'string') {
        without.add(JSON.stringify(name));
        shown ??= page;
      }
  if (shown === undefined) return [];
  return [
    {
      severity: 'high',
      sentence: `the \`inputSchema\` of ${inWords(without)} is no object with \`"type": "object"\`: clients refuse the whole list`,
      shown,
      proposal: 'give each tool an `inputSchema` with `"type": "object"`, also one without arguments',
    },
  ];
}

const inWords = (names: ReadonlySet<string>): string => {
  const more = names.size - mostShown;
  return `${[...names].slice(0, mostShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
