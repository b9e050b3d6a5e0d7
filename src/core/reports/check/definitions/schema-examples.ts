import type { Schema } from '#core/catalog/schema-fields.ts';
import { isSchema } from '#core/catalog/schema-fields.ts';
import { arrayOrEmpty, isJsonObject } from '#core/values/json-schema/json-object.ts';
import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import {
  findingOnTool,
  listedValuesOrNull,
  standaloneSchema,
  valueOfKeyword,
  type ReadArgument,
  type ReadTool,
  type ToolRule,
} from './read-tool.ts';
import { quoted } from './tool-words.ts';

const mostExamples = 20;
const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** A value that a text gives as an example, with all ways to read it: `5` may be a number or a text. */
interface Example {
  readonly shown: string;
  readonly readings: readonly unknown[];
}

interface Refused {
  readonly path: string;
  readonly shown: string;
  readonly because: string;
}

/** Finds examples that the schema of their own argument refuses. */
export const findRefusedExamples: ToolRule = (tool) => {
  const root = tool.definition.inputSchema;
  const found = [
    ...tool.arguments.flatMap((each) =>
      [...listExamplesOfSchema(each), ...listExamplesOfText(each.description, each)].flatMap(
        (example) => refuse(example, each, root) ?? [],
      ),
    ),
    ...listRefusedInDescription(tool, root),
  ];
  const [one] = found;
  if (one === undefined) return null;
  return findingOnTool('example-refused', tool, {
    sentence: `its own schema refuses the example ${one.shown} of \`${one.path}\`: ${one.because}`,
    evidence: found.map(({ path, shown, because }) => `${path}: ${shown}: ${because}`),
    proposal: proposeExample(tool.arguments.find(({ path }) => path === one.path)),
  });
};

const proposeExample = (argument: ReadArgument | undefined): string => {
  const values = argument === undefined ? null : listedValuesOrNull(argument);
  return values === null
    ? 'give an example that the schema takes, or change the schema so that it takes this one'
    : `give one of ${values
        .slice(0, 5)
        .map((each) => JSON.stringify(each))
        .join(', ')} as the example, or add this one to the \`enum\``;
};

/** Finds a default that its own schema refuses. */
export const findRefusedDefaults: ToolRule = (tool) => {
  const root = tool.definition.inputSchema;
  const found = tool.arguments.flatMap((argument) => {
    const value = argument.property['default'];
    // A default of null says "none": leaving the argument out gives the same.
    if (value === undefined || value === null) return [];
    const because = refusalOrNull(argument, value, root);
    return because === null ? [] : [{ path: argument.path, shown: JSON.stringify(value), because }];
  });
  const [one] = found;
  if (one === undefined) return null;
  return findingOnTool('default-refused', tool, {
    sentence: `its own schema refuses the default of \`${one.path}\`, ${quoted(one.shown)}: ${one.because}`,
    evidence: found.map(({ path, shown, because }) => `${path}: ${shown}: ${because}`),
    proposal: `choose a default for \`${one.path}\` that its schema takes, or remove it`,
  });
};

function listExamplesOfSchema(argument: ReadArgument): Example[] {
  const given = [
    ...arrayOrEmpty(valueOfKeyword(argument, 'examples')),
    ...(argument.property['example'] === undefined ? [] : [argument.property['example']]),
  ];
  return given.slice(0, mostExamples).map((value) => ({ shown: JSON.stringify(value), readings: [value] }));
}

const introduction =
  /(?:\be\.\s?g\.?|\beg\b\.?|\bfor example\b|\bfor instance\b|\bsuch as\b|\bexamples?:|\bz\.\s?B\.|\bzum Beispiel\b|\bpar exemple\b|\bpor ejemplo\b|\bad esempio\b|例如|例えば|例[:：]|\bпо примеру\b|(?<!\p{L})например(?!\p{L})|\bpor exemplo\b|比如)[,:：]?\s*/giu;
const literal = /^(?:"([^"\n]{1,100})"|“([^”\n]{1,100})”|`([^`\n]{1,100})`|'([^'\n]{1,100})'(?!\w))/u;
const bare = /^([\p{L}\p{N}_+#@./:~^$€%-]{1,60})/u;
const between =
  /^(?:\s*(?:,|;|、|\/)?\s*(?:\bor\b|\band\b|\boder\b|\bund\b|\bou\b|\bet\b|\by\b|\bo\b|或|和)?\s*)(?=["“`']|[\p{L}\p{N}])/u;
/** Examples of what is not wanted, or of a part of a value. */
const notTheValue =
  /\b(?:not|never|no|invalid|wrong|avoid|instead of|rather than|without|except|unlike|n['’]t|nicht|kein\w*|ohne|sin|sans|prefix\w*|suffix\w*|begin\w*|start\w*|end(?:s|ing) (?:with|in)|contain\w*|followed|returns?|gives?|yields?|becomes?|turns?|into|produces?|keys?|fields?|columns?|characters?|separat\w*|delimit\w*|operators?)\b[^.()]{0,40}$/i;

/** Returns the examples that a text gives after "e.g.", as far as they are surely values of the argument. */
export function listExamplesOfText(text: string, argument: ReadArgument): Example[] {
  if (argument.types.has('object') && argument.types.size === 1) return [];
  return Array.from(text.matchAll(introduction))
    .slice(0, mostExamples)
    .flatMap((match) => {
      const before = text.slice(Math.max(0, match.index - 60), match.index);
      if (notTheValue.test(before)) return [];
      return readExampleList(text.slice(match.index + match[0].length, match.index + match[0].length + 400), argument);
    });
}

function readExampleList(text: string, argument: ReadArgument): Example[] {
  const found: Example[] = [];
  let rest = text;
  while (found.length < mostExamples) {
    const quotedValue = literal.exec(rest);
    if (quotedValue !== null) {
      const value = quotedValue.slice(1).find((each) => each !== undefined) ?? '';
      rest = rest.slice(quotedValue[0].length);
      // What follows may say more about the value: `"2.675" as text`.
      found.push({
        shown: quotedValue[0],
        readings: readingsOfLiteral(value, quotedValue[0].startsWith('"') || quotedValue[0].startsWith('“')),
      });
    } else {
      const word = bare.exec(rest)?.[1];
      if (word === undefined) return found;
      const after = rest.slice(word.length);
      const value = word.replace(/[.:,]+$/, '');
      if (!isEndOfExample(after, word) || !isSureBareExample(value, argument))
        return isSureBareExample(value, argument) || found.length === 0 ? [] : found;
      rest = after;
      found.push({ shown: value, readings: readingsOfLiteral(value, false) });
      if (word.endsWith('.')) return found;
    }
    const joint = between.exec(rest);
    if (joint === null || joint[0] === '' || /^\s+$/.test(joint[0])) return found;
    rest = rest.slice(joint[0].length);
  }
  return found;
}

/** A word without quotes is an example by itself only if a sign follows it, or "or": else it begins a phrase. */
const isEndOfExample = (after: string, word: string): boolean =>
  /^\s*$|^\s?[,;)\]}]|^\.\s|^\.$|^ or [\w"'`]+[).,;]|^\s*\(/u.test(after)
    ? !/^,\s*(?:then|followed|plus)\b|^,\d{3}/.test(after)
    : word.endsWith('.') && /^\s/.test(after);

/** Words without quotes are checked only against lists, numbers, and forms that such a word can have. */
function isSureBareExample(value: string, argument: ReadArgument): boolean {
  const listed = listedValuesOrNull(argument);
  if (listed !== null) return /^[\w.-]+$/.test(value);
  const { types } = argument;
  if (types.size > 0 && !types.has('string') && !types.has('array')) return /^-?\d+(?:\.\d+)?$/.test(value);
  return valueOfKeyword(argument, 'pattern') !== undefined || valueOfKeyword(argument, 'format') !== undefined
    ? /\d|[A-Z]{2}|^[a-z]{1,4}$/.test(value)
    : false;
}

const readingsOfLiteral = (value: string, isText: boolean): unknown[] => {
  if (isText) return [value, ...(/^[[{]/.test(value) ? parsed(value) : [])];
  return [value, ...parsed(value)];
};

const parsed = (text: string): unknown[] => {
  try {
    const value: unknown = JSON.parse(text);
    return [value];
  } catch {
    // Not JSON: the text itself is the only reading.
    return [];
  }
};

function refuse({ shown, readings }: Example, argument: ReadArgument, root: Schema): Refused | null {
  const all = argument.types.has('array') ? readings.flatMap((each) => [each, [each]]) : readings;
  const refusals = all.map((each) => refusalOrNull(argument, each, root));
  const [because] = refusals;
  if (because === undefined || because === null || refusals.includes(null)) return null;
  return { path: argument.path, shown, because: refusals.at(-1) ?? because };
}

/** Returns why an argument's schema refuses a value; null if it takes it, or that is not sure. */
function refusalOrNull(argument: ReadArgument, value: unknown, root: Schema): string | null {
  // A type that does not exist refuses everything: that is a fault of the schema.
  if ([...argument.types].some((type) => !jsonTypes.has(type))) return null;
  const checked = checkValueAgainstSchema(standaloneSchema(argument, root), value);
  if (checked.verdict !== 'violates') return null;
  const listed = listedValuesOrNull(argument, root);
  const texts = listed?.slice(0, 6).map((each) => JSON.stringify(each));
  if (texts !== undefined && listed !== null && !listed.includes(value))
    return `it takes ${texts.join(', ')}${listed.length > texts.length ? ', …' : ''}`;
  return inWords(checked.violations[0] ?? 'it does not fit');
}

const inWords = (violation: string): string => violation.replace(/^#[^:]*: /, 'it ');

/** Finds refused values in the description of a tool: in JSON with names of arguments, and after `name=`. */
function listRefusedInDescription(tool: ReadTool, root: Schema): Refused[] {
  const top = new Map(tool.arguments.filter(({ isTop }) => isTop).map((each) => [each.name, each]));
  const objects = listJsonObjects(tool.description).filter((object) =>
    Object.keys(object).every((key) => top.has(key)),
  );
  const ofObjects = objects.flatMap((object) =>
    Object.entries(object).flatMap(([key, value]) => {
      const argument = top.get(key);
      return argument === undefined
        ? []
        : (refuse({ shown: `${key}: ${JSON.stringify(value)}`.slice(0, 200), readings: [value] }, argument, root) ??
            []);
    }),
  );
  const assigned = Array.from(
    tool.description.matchAll(/(?<![\w.-])(\w{2,40})\s?=\s?("[^"\n]{0,80}"|'[^'\n]{0,80}'|-?\d+(?:\.\d+)?\b(?!\.\d))/g),
  ).flatMap(([shown, name = '', value = '']) => {
    const argument = top.get(name);
    if (argument === undefined) return [];
    const text = value.replace(/^["']|["']$/g, '');
    return (
      refuse(
        {
          shown,
          readings: /^["']/.test(value)
            ? readingsOfLiteral(text, value.startsWith('"'))
            : readingsOfLiteral(text, false),
        },
        argument,
        root,
      ) ?? []
    );
  });
  const named = Array.from(
    tool.description.matchAll(
      /(?:\be\.\s?g\.|\bfor example|\bfor instance|\bz\.\s?B\.|\bpar exemple|\bpor ejemplo|\bpor exemplo|例如|например)[,:]?\s*(?:(?:a|an|the|with)\s+)?[`"']?(\w{2,40})[`"']?\s?:?\s?("[^"\n]{1,80}"|“[^”\n]{1,80}”)/giu,
    ),
  ).flatMap(([, name = '', value = '']) => {
    const argument = top.get(name);
    return argument === undefined
      ? []
      : (refuse({ shown: `${name} ${value}`, readings: readingsOfLiteral(value.slice(1, -1), true) }, argument, root) ??
          []);
  });
  return [...ofObjects, ...assigned, ...named, ...listRefusedOfOnlyArgument(tool, root)];
}

/** With one argument, an example of the tool is one of the argument, if it stands at the end of a sentence or in brackets. */
function listRefusedOfOnlyArgument(tool: ReadTool, root: Schema): Refused[] {
  const top = tool.arguments.filter(({ isTop }) => isTop);
  const [only] = top;
  if (only === undefined || top.length > 1 || isOutputLikely(tool.description)) return [];
  if (
    listedValuesOrNull(only) === null &&
    valueOfKeyword(only, 'pattern') === undefined &&
    valueOfKeyword(only, 'format') === undefined
  )
    return [];
  return listExamplesOfText(tool.description, only)
    .filter(({ shown }) => /^["“`']/.test(shown))
    .flatMap((example) => refuse(example, only, root) ?? []);
}

const isOutputLikely = (text: string): boolean =>
  /\b(?:returns?|gives?|into|as|to|becomes?|formats?)\b[^.]{0,60}(?:e\.\s?g|for example|such as)/i.test(text);

/** Returns the objects that are written as JSON in a text. */
function listJsonObjects(text: string): Schema[] {
  const found: Schema[] = [];
  for (let at = text.indexOf('{'); at >= 0 && found.length < mostExamples; at = text.indexOf('{', at + 1)) {
    const end = closingBrace(text, at);
    const value = end === null ? undefined : parsed(text.slice(at, end + 1))[0];
    if (end !== null && isJsonObject(value) && isSchema(value) && Object.keys(value).length > 0) {
      found.push(value);
      at = end;
    }
  }
  return found;
}

function closingBrace(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + 2_000); at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}
