import type { Card, Slot } from '../cards/card.ts';
import { readProperty, typesOf, type ArgumentSchema, type Property } from './schemas.ts';
import { contentWords, nameWords } from './words.ts';

/** Derives a card for a tool without one, from its description and schema. */
export const deriveCard = (name: string, description: string, schema: ArgumentSchema): Card => {
  const slots: Record<string, Slot> = {};
  const constants: Record<string, unknown> = {};
  for (const argument of schema.required) {
    const property = schema.properties[argument] ?? {};
    const slot = slotFor(name, argument, property);
    if (slot === null) constants[argument] = property.default ?? property.const ?? smallest(property);
    else slots[argument] = slot;
  }
  const doing = errandOf(name, description);
  return {
    tool: name,
    phrases: [
      `${doing}${listed(slots, (slot, words) => `with ${slot} as the ${words}`)}`,
      `go ahead and ${doing}${listed(slots, (slot, words) => `using the ${words} ${slot}`)}`,
      `see to it for me to ${doing}${listed(slots, (slot, words) => `given the ${words} ${slot}`)}`,
    ],
    slots,
    constants,
    gives: [{ kind: 'text', noun: `the answer about ${keywords(doing)}`, pick: { whole: true } }],
  };
};

const errandOf = (name: string, description: string): string => {
  const toolName = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('__')) + 1);
  const [sentence = ''] = description.split(/[.!?:;\n(]/u);
  const plain = sentence
    .replaceAll(name, '')
    .replaceAll(toolName, nameWords(toolName).length > 1 ? nameWords(toolName).join(' ') : 'that')
    .replace(/["'`“”«»{}[\]]/gu, '')
    .replace(/,/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const words = (plain === '' ? `take the step of ${nameWords(toolName).join(' ')}` : plain).split(' ').slice(0, 14);
  const [verb = '', ...rest] = words;
  return [imperative(verb), ...rest].join(' ');
};

const imperative = (verb: string): string => {
  const lower = verb.toLowerCase();
  if (/(?:sh|ch|ss|x)es$/u.test(lower)) return lower.slice(0, -2);
  return /[^s]s$/u.test(lower) && lower.length > 3 ? lower.slice(0, -1) : lower;
};

const keywords = (doing: string): string => {
  const kept = doing.split(' ').filter((word) => contentWords(word).length > 0);
  return (kept.length === 0 ? [doing] : kept).slice(1, 5).join(' ') || doing;
};

const listed = (slots: Record<string, Slot>, wording: (slot: string, words: string) => string): string => {
  const parts = Object.keys(slots).map((slot) => wording(`{${slot}}`, nameWords(slot).join(' ')));
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
};

const slotFor = (tool: string, argument: string, property: Property): Slot | null => {
  if (property.const !== undefined) return null;
  const given = [...(property.enum ?? []), ...(property.examples ?? []), property.default].filter(isSample);
  const [type = 'string'] = typesOf(property).filter((one) => one !== 'null');
  const own = `${tool}:${argument}`;
  if (type === 'string') {
    const free = property.enum === undefined && property.format === undefined;
    const kind = free && /text|message|content|query|input|string|title|name|note/iu.test(argument) ? 'text' : own;
    return { kind, samples: given.length > 0 ? given : stringSamples(argument, property.format) };
  }
  if (type === 'integer' || type === 'number') {
    const least = property.minimum ?? 1;
    return { kind: type, samples: given.length > 0 ? given : [least + 2, least + 4, least + 9] };
  }
  if (type === 'boolean') return { kind: own, samples: [true, false] };
  if (type === 'array') {
    const [item = 'string'] = typesOf(readProperty(property.items));
    if (item === 'number' || item === 'integer')
      return {
        kind: 'numbers',
        samples: [
          [3, 5, 8],
          [2, 4, 9, 12],
        ],
      };
    if (item === 'string')
      return {
        kind: own,
        samples: [
          ['north', 'south'],
          ['alpha', 'beta', 'gamma'],
        ],
      };
  }
  return null;
};

const isSample = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const stringSamples = (argument: string, format: string | undefined): string[] => {
  if (format === 'date') return ['2030-05-17', '2031-01-09', '2032-11-30'];
  if (format === 'date-time') return ['2030-05-17T08:30:00Z', '2031-01-09T12:00:00Z', '2032-11-30T18:45:00Z'];
  if (format === 'uri' || format === 'url')
    return ['https://example.org/', 'https://example.com/a', 'https://example.net/b'];
  if (format === 'email') return ['info@example.org', 'team@example.com', 'desk@example.net'];
  if (/path|file/iu.test(argument)) return ['notes.txt', 'report.md', 'data.csv'];
  return ['harbour lights', 'green valley', 'north bridge'];
};

/** Returns the smallest value for an argument of a structured type. */
const smallest = (property: Property): unknown => {
  const [type = 'object'] = typesOf(property);
  if (type === 'array') return [];
  if (type !== 'object') return null;
  return Object.fromEntries(
    (property.required ?? []).map((name) => {
      const inner = readProperty(property.properties?.[name]);
      const [first] = slotFor('', name, inner)?.samples ?? [];
      return [name, inner.default ?? inner.const ?? first ?? smallest(inner)];
    }),
  );
};
