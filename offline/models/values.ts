import { z } from 'zod';
import type { Output, Slot } from '../cards/card.ts';
import { listJsonTypes, type Property } from './schemas.ts';
import { singularOf } from './tool-words.ts';
import { splitIdentifierIntoWords } from './words.ts';

const record = z.record(z.string(), z.unknown());

/** Extracts what an output names from a result's text; undefined if it is missing. */
export const extractValueOfOutput = (output: Output, text: string): unknown => {
  const { pick } = output;
  if ('whole' in pick) return text.trim();
  if ('pattern' in pick) return new RegExp(pick.pattern).exec(text)?.[1];
  return valueAtPath(parseJsonInText(text), pick.path) ?? findInTruncatedJson(text, pick.path);
};

const parseJsonInText = (text: string): unknown => {
  const start = text.search(/[[{]/u);
  if (start < 0) return undefined;
  for (const end of [text.length, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1]) {
    try {
      const value: unknown = JSON.parse(text.slice(start, end));
      return value;
    } catch {
      continue;
    }
  }
  return undefined;
};

/**
 * Returns the first plain value under a name in a text's JSON, at any depth. The name is given as words, perhaps behind those
 * of what the value belongs to: `task id` is also the `id` inside `task` or `tasks`.
 */
export const findValueUnderName = (words: string, text: string): unknown =>
  findValueInJson(words, parseJsonInText(text), '');

const findValueInJson = (words: string, value: unknown, owner: string): unknown => {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item) => findValueInJson(words, item, owner)).find((found) => found !== undefined);
  }
  const entries = Object.entries(record.safeParse(value).data ?? {}).map(([name, inner]): [string, unknown] => [
    splitIdentifierIntoWords(name).join(' '),
    inner,
  ]);
  const own = entries.find(
    ([name, inner]) => (name === words || `${owner} ${name}` === words) && typeof inner !== 'object',
  );
  return (
    own?.[1] ??
    entries
      .map(([name, inner]) => findValueInJson(words, inner, name.split(' ').map(singularOf).join(' ')))
      .find((found) => found !== undefined)
  );
};

/** In truncated JSON, finds the first plain value under the path's last name. */
const findInTruncatedJson = (text: string, path: string): unknown => {
  const name = path.split('.').findLast((step) => !/^\d+$/u.test(step));
  if (name === undefined || parseJsonInText(text) !== undefined) return undefined;
  const found = text.match(/"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/gu) ?? [];
  for (const member of found) {
    const read = parseJsonInText(`{${member}}`);
    const value = valueAtPath(read, name);
    if (value !== undefined) return value;
  }
  return undefined;
};

const valueAtPath = (value: unknown, path: string): unknown => {
  let current = value;
  for (const step of path.split(/[.[\]]+/u).filter((part) => part !== '')) {
    if (Array.isArray(current)) {
      const items: readonly unknown[] = current;
      current = items[Number(step)];
    } else {
      const parsed = record.safeParse(current);
      current = parsed.success ? parsed.data[step] : undefined;
    }
  }
  return current;
};

/** Converts a value to the type of the argument, if possible. */
export const convertToSchemaType = (value: unknown, property: Property): unknown => {
  const types = listJsonTypes(property);
  const own = jsonTypeOf(value);
  if (types.length === 0 || types.includes(own) || (own === 'integer' && types.includes('number'))) return value;
  if (types.includes('number') || types.includes('integer')) {
    const number = typeof value === 'string' ? Number(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iu.exec(value)?.[0]) : Number.NaN;
    if (typeof value === 'number') return types.includes('number') ? value : Math.round(value);
    if (!Number.isNaN(number)) return types.includes('number') ? number : Math.round(number);
  }
  if (types.includes('array')) {
    if (typeof value === 'string') {
      const parsed = parseJsonInText(value);
      if (Array.isArray(parsed)) return parsed;
    }
    return [value];
  }
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (types.includes('string') && value !== undefined) return JSON.stringify(value);
  if (types.includes('object') && typeof value === 'string') return parseJsonInText(value) ?? value;
  return value;
};

const jsonTypeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
};

/** Converts a slot's value to the tool's argument. Inside a template, the card's samples show the required type. */
export const convertSlotValueToArgument = (slot: Slot | undefined, value: unknown, property: Property): unknown => {
  if (slot?.argument === undefined) return convertToSchemaType(value, property);
  const [sample] = slot.samples;
  const type = Array.isArray(sample) ? 'array' : typeof sample;
  return fillTemplate(slot.argument, sample === undefined ? value : convertToSchemaType(value, { type }));
};

const fillTemplate = (template: unknown, value: unknown): unknown => {
  if (template === '$value') return value;
  if (Array.isArray(template)) return template.map((item: unknown) => fillTemplate(item, value));
  const parsed = record.safeParse(template);
  if (!parsed.success) return template;
  return Object.fromEntries(Object.entries(parsed.data).map(([key, inner]) => [key, fillTemplate(inner, value)]));
};
