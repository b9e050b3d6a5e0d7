import { z } from 'zod';
import type { Output } from '../../cards/card.ts';
import { parseFieldReference } from '../derived-card.ts';
import type { FunctionTool } from '../protocol.ts';
import { parsePropertySchema, type Property } from '../schemas.ts';
import { isPronounPhrase, nounWithoutArticle } from '../understanding.ts';
import { convertSlotValueToArgument } from '../values.ts';
import { stemsOfContentWords } from '../words.ts';
import type { PastCall } from './conversation.ts';
import type { Habits } from './habits.ts';
import type { Task } from './plan.ts';

/**
 * How offline agents write programs: a call for each task, one after the other, with values of earlier results where the request
 * refers to them. They write by rule, so a program shows that programs run, and nothing of what a model would write.
 */

/** The names of the functions that run a program and describe tools. */
export const runCode = 'run_code';
export const describeTools = 'describe_tools';

/** Characters of each result that a program returns. */
const returnedChars = 400;

/** Returns whether an agent calls its tools in programs. */
export const mustWritePrograms = (functions: readonly Pick<FunctionTool, 'name'>[]): boolean =>
  functions.some(({ name }) => name === runCode);

/** Reads the tools that a prompt lists for programs, with what descriptions of some of them add. */
export const readDeclaredTools = (listed: unknown, past: readonly PastCall[]): readonly FunctionTool[] => {
  const lines = z.array(z.string()).catch([]).parse(listed);
  const described = past.filter(({ name }) => name === describeTools).flatMap(({ result }) => result.split('\n'));
  const tools = [...lines, ...described].flatMap((line) => parseDeclaration(line) ?? []);
  return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
};

/** Parses a declaration, or a name with the beginning of a description. */
const parseDeclaration = (line: string): FunctionTool | null => {
  const [, description = '', name, rest = ''] = /^(?:\/\*\* (.*?) \*\/ )?(\w+)\((.*)$/u.exec(line) ?? [];
  if (name !== undefined) return { name, description, parameters: parseArgumentTypes(rest) };
  const [, own, about = ''] = /^(\w+)(?:: (.*))?$/u.exec(line) ?? [];
  return own === undefined ? null : { name: own, description: about };
};

/** Returns the schema of arguments from their types, as far as the rules use it. */
const parseArgumentTypes = (text: string): Record<string, unknown> => {
  const [body = ''] = splitAtTopLevel(/^args\??: \{ ([\s\S]*)$/u.exec(text)?.[1] ?? '', '}');
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const part of splitAtTopLevel(body, ';')) {
    const field = /^\s*(?:\/\*\* ([\s\S]*?) \*\/ )?(?:'((?:[^'\\]|\\.)*)'|([\w$]+))(\?)?: ([\s\S]*?)\s*$/u.exec(part);
    const name = field?.[2] ?? field?.[3];
    if (field === null || name === undefined) continue;
    properties[name] = { description: field[1] ?? '', ...schemaOfType(field[5] ?? '') };
    if (field[4] === undefined) required.push(name);
  }
  return { type: 'object', properties, required };
};

/** Splits a text at a mark that is in no braces, brackets, comment or literal. */
const splitAtTopLevel = (text: string, mark: string): string[] => {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'|[\s\S]/gu)) {
    if (depth === 0 && token === mark) parts.push('');
    else parts[parts.length - 1] += token;
    if (/^[{[(]$/u.test(token)) depth += 1;
    if (/^[}\])]$/u.test(token)) depth -= 1;
  }
  return parts;
};

const schemaOfType = (type: string): Record<string, unknown> => {
  if (type.endsWith('[]'))
    return { type: 'array', items: schemaOfType(type.slice(0, -2).replace(/^\((.*)\)$/u, '$1')) };
  if (type.startsWith('[')) return { type: 'array' };
  if (type.startsWith('{')) return { type: 'object' };
  const kinds = splitAtTopLevel(type, '|').map((each) => each.trim());
  const literals = kinds.flatMap((each) => (/^'.*'$/u.test(each) ? [each.slice(1, -1).replaceAll("\\'", "'")] : []));
  if (literals.length > 0) return { type: 'string', enum: literals };
  const known = kinds.filter((each) => ['string', 'number', 'boolean', 'null'].includes(each));
  return known.length === 0 ? {} : { type: known.length === 1 ? known[0] : known };
};

const returned = z.array(z.tuple([z.string(), z.boolean(), z.string()]));

/** Returns the calls of the programs so far; null if one of them did not return any. */
export const callsOfPrograms = (past: readonly PastCall[]): PastCall[] | null => {
  const programs = past.filter(({ name }) => name === runCode).map(({ result }) => parseReturned(result));
  if (programs.includes(null)) return null;
  return programs.flatMap((calls) =>
    // What a program passed is not known.
    (calls ?? []).map(([name, isDone, result]) => ({ name, arguments: '', result, failed: !isDone })),
  );
};

const parseReturned = (result: string): z.infer<typeof returned> | null => {
  try {
    return returned.safeParse(JSON.parse(/^Returned: (.*)$/mu.exec(result)?.[1] ?? '')).data ?? null;
  } catch {
    return null;
  }
};

/** A call of a program: the name of its tool, and its arguments as code. */
interface Line {
  readonly tool: string;
  readonly args: string;
}

/**
 * Writes a program that makes a call, and then those of the tasks, up to the first one that refers to something which no call of the
 * program gives. It ends at a call that fails, or where a value is missing, and returns the beginning of each result.
 */
export const writeProgram = (
  first: { readonly task: Task; readonly arguments: Readonly<Record<string, unknown>> },
  tasks: readonly Task[],
  habits: Repeating,
): string => {
  const lines: Line[] = [{ tool: first.task.reading.tool.name, args: JSON.stringify(first.arguments) }];
  const before = [first.task];
  for (const task of tasks) {
    const args = writeArgumentsOrNull(task, before);
    if (args === null) break;
    lines.push({ tool: task.reading.tool.name, args });
    before.push(task);
  }
  return formatProgram(lines, habits);
};

/** Which calls a program repeats once by itself. */
type Repeating = Pick<Habits, 'retries' | 'doubtsEmpty'>;

/** Writes a program that makes one call. */
export const writeProgramOfCall = (tool: string, args: Readonly<Record<string, unknown>>, habits: Repeating): string =>
  formatProgram([{ tool, args: JSON.stringify(args) }], habits);

const formatProgram = (lines: readonly Line[], habits: Repeating): string => {
  const calls = lines.map(({ tool, args }, at) => `const r${at} = await call('${tool}', ${args});`);
  const code = calls.join('\n');
  // A helper may call those before it.
  const helpers = Object.entries(helperFunctions)
    .toReversed()
    .reduce<string[]>(
      (used, [name, text]) => ([code, ...used].join().includes(`${name}(`) ? [text, ...used] : used),
      [],
    );
  // The program says by what it returns how far it came: a call that failed is in it, so nothing vanishes in the `catch`.
  return [...makeFrame(habits), ...helpers, 'try {', code, '} catch {}', 'return done;'].join('\n');
};

const makeFrame = (habits: Repeating): readonly string[] => [
  'const done = [];',
  `const text = (r) => (typeof r === 'string' ? r : JSON.stringify(r));`,
  // Servers wrap what they also say as text into an object with one field.
  `const whole = (r) => { const v = r && typeof r === 'object' ? Object.values(r) : []; return text(v.length === 1 ? v[0] : r).trim(); };`,
  ...writeAsk(habits),
  `const call = async (name, args) => {`,
  `  try { const r = await ${habits.retries || habits.doubtsEmpty ? 'ask(name, args)' : 'tools[name](args)'}; done.push([name, true, whole(r).slice(0, ${returnedChars})]); return r; }`,
  `  catch (e) { done.push([name, false, e.message]); throw e; }`,
  `};`,
];

/** Writes the helper that repeats calls, if any are repeated. */
const writeAsk = ({ retries, doubtsEmpty }: Repeating): readonly string[] => [
  ...(doubtsEmpty
    ? [`const isEmpty = (r) => /^(?:\\[\\]|\\{\\}|""|null|\\(?(?:nothing|none)\\)?)?$/i.test(whole(r ?? null));`]
    : []),
  ...(retries || doubtsEmpty
    ? [
        `const ask = async (name, args) => {`,
        `  let r;`,
        `  try { r = await tools[name](args); }`,
        `  catch (e) { ${retries ? 'return tools[name](args);' : 'throw e;'} }`,
        `  return ${doubtsEmpty ? 'isEmpty(r) ? tools[name](args) : r' : 'r'};`,
        `};`,
      ]
    : []),
];

/** What a program needs to take values from results, each part where it occurs. */
const helperFunctions = {
  need: `const need = (v) => { if (v === undefined || v === null) throw new Error('missing'); return v; };`,
  at: `const at = (r, path) => path.reduce((v, k) => v?.[k], typeof r === 'string' ? JSON.parse(r.slice(r.search(/[\\[{]/))) : r);`,
  match: `const match = (r, p) => p.exec(whole(r))?.[1];`,
  find: `const find = (v, n, own = '') => { if (!v || typeof v !== 'object') return; const all = Array.isArray(v) ? [] : Object.entries(v).map(([k, x]) => [k.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]/g, ' ').toLowerCase(), x]); for (const [k, x] of all) if (typeof x !== 'object' && (k === n || own + ' ' + k === n)) return x; for (const [k, x] of Array.isArray(v) ? v.map((x) => [own, x]) : all) { const f = find(x, n, k.replace(/s$/, '')); if (f !== undefined) return f; } };`,
};

/** What a result gives has this place in arguments. */
const hole = '$result';

/** Writes the arguments of a task's call; null if it refers to something that no earlier call gives. */
const writeArgumentsOrNull = (task: Task, before: readonly Task[]): string | null => {
  const { tool, slots } = task.reading;
  const remembered = task.forgetsOlder ? before.slice(-1) : before;
  const args: Record<string, unknown> = { ...tool.card.constants };
  const expressions: string[] = [];
  for (const [slot, meant] of Object.entries(slots)) {
    const property = tool.schema.properties[slot] ?? {};
    if (meant.kind === 'stated' || task.literalReference) {
      const value = meant.kind === 'stated' ? meant.value : meant.words;
      args[slot] = convertSlotValueToArgument(tool.card.slots[slot], value, property);
      continue;
    }
    const given = writeReferenceOrNull(meant.words, remembered, before);
    if (given === null) return null;
    const { argument, samples = [] } = tool.card.slots[slot] ?? {};
    const isTemplate = argument !== undefined;
    const target = isTemplate ? parsePropertySchema({ type: typeNameOf(samples[0]) }) : property;
    // The template is filled with the hole as it is.
    args[slot] = isTemplate ? convertSlotValueToArgument({ kind: '', samples: [], argument }, hole, {}) : hole;
    expressions.push(convertInCode(`need(${given})`, target));
  }
  for (const name of tool.schema.required) {
    const property = tool.schema.properties[name] ?? {};
    args[name] ??= property.default ?? property.const ?? property.enum?.[0];
    if (args[name] === undefined) return null;
  }
  let next = 0;
  return JSON.stringify(args).replaceAll(`"${hole}"`, () => expressions[next++] ?? 'undefined');
};

const typeNameOf = (sample: unknown): string | undefined =>
  sample === undefined ? undefined : Array.isArray(sample) ? 'array' : typeof sample;

/** Writes how a value gets the type of an argument. */
const convertInCode = (expression: string, { type }: Property): string => {
  const types = type === undefined ? [] : [type].flat();
  if (types.includes('number') || types.includes('integer')) return `Number(${expression})`;
  if (types.includes('array')) return `[${expression}].flat()`;
  return types.includes('string') ? `text(${expression})` : expression;
};

/** Writes what the words of a reference mean among the results of earlier tasks, the latest first. */
const writeReferenceOrNull = (words: string, remembered: readonly Task[], all: readonly Task[]): string | null => {
  const latestFirst = remembered.toReversed();
  const nameOf = (task: Task): string => `r${all.indexOf(task)}`;
  const [latest] = latestFirst;
  if (latest === undefined) return null;
  if (isPronounPhrase(words)) return writePick(latest.reading.tool.card.gives[0], nameOf(latest));
  const field = parseFieldReference(words);
  if (field !== null) return latestFirst.map((task) => `find(${nameOf(task)}, ${JSON.stringify(field)})`).join(' ?? ');
  const wanted = new Set(stemsOfContentWords(words));
  const isExact = ({ noun }: Output): boolean => nounWithoutArticle(noun) === nounWithoutArticle(words);
  const isNear = ({ noun }: Output): boolean => {
    const own = stemsOfContentWords(noun);
    return own.length > 0 && wanted.size > 0 && own.filter((word) => wanted.has(word)).length >= own.length * 0.6;
  };
  for (const isMeant of [isExact, isNear])
    for (const task of latestFirst) {
      const output = task.reading.tool.card.gives.find(isMeant);
      if (output !== undefined) return writePick(output, nameOf(task));
    }
  return null;
};

const writePick = (output: Output | undefined, result: string): string => {
  if (output === undefined || 'whole' in output.pick) return `whole(${result})`;
  if ('pattern' in output.pick) return `match(${result}, ${String(new RegExp(output.pick.pattern))})`;
  return `at(${result}, ${JSON.stringify(output.pick.path.split(/[.[\]]+/u).filter((part) => part !== ''))})`;
};
