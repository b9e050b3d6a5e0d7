import type { Output } from '../../cards/card.ts';
import { parseFieldReference } from '../derived-card.ts';
import type { KnownTool } from '../tools.ts';
import { nounWithoutArticle, isPronounPhrase } from '../understanding.ts';
import {
  convertSlotValueToArgument,
  convertToSchemaType,
  extractValueOfOutput,
  findValueUnderName,
} from '../values.ts';
import { stemsOfContentWords } from '../words.ts';
import type { Task } from './plan.ts';

/** A successful call that a later reference can mean. */
export interface Finding {
  readonly tool: KnownTool;
  readonly result: string;
}

/** Returns the arguments for a task, or null if something that it needs is not available. */
export const resolveArgumentsOrNull = (
  task: Task,
  findings: readonly Finding[],
): Readonly<Record<string, unknown>> | null => {
  const { tool, slots } = task.reading;
  const remembered = task.forgetsOlder ? findings.slice(-1) : findings;
  const result: Record<string, unknown> = { ...tool.card.constants };
  for (const [slot, meant] of Object.entries(slots)) {
    const value =
      meant.kind === 'stated'
        ? meant.value
        : task.literalReference
          ? meant.words
          : resolveReference(meant.words, remembered);
    const property = tool.schema.properties[slot] ?? {};
    if (value === undefined) {
      if (tool.schema.required.includes(slot)) return null;
    } else result[slot] = convertSlotValueToArgument(tool.card.slots[slot], value, property);
  }
  for (const name of tool.schema.required) {
    const property = tool.schema.properties[name] ?? {};
    result[name] ??= property.default ?? property.const ?? property.enum?.[0];
    if (result[name] === undefined) delete result[name];
  }
  return result;
};

/** Returns what the words of a reference mean among earlier results, the latest first; undefined if nothing matches. */
const resolveReference = (words: string, findings: readonly Finding[]): unknown => {
  const latestFirst = findings.toReversed();
  if (isPronounPhrase(words)) {
    const [latest] = latestFirst;
    if (latest === undefined) return undefined;
    const [output] = latest.tool.card.gives;
    return output === undefined ? latest.result : (extractValueOfOutput(output, latest.result) ?? latest.result);
  }
  const exact = (noun: string): boolean => nounWithoutArticle(noun) === nounWithoutArticle(words);
  const wanted = new Set(stemsOfContentWords(words));
  const near = (noun: string): boolean => {
    const own = stemsOfContentWords(noun);
    return own.length > 0 && wanted.size > 0 && own.filter((word) => wanted.has(word)).length >= own.length * 0.6;
  };
  const field = parseFieldReference(words);
  if (field !== null) return findLatestFieldValue(field, latestFirst);
  return (
    findValueOfFirstMeantOutput(latestFirst, ({ noun }) => exact(noun)) ??
    findValueOfFirstMeantOutput(latestFirst, ({ noun }) => near(noun))
  );
};

/** Returns the latest value under a field with this name, in the results of any tool. */
const findLatestFieldValue = (field: string, findings: readonly Finding[]): unknown => {
  for (const { result } of findings) {
    const value = findValueUnderName(field, result);
    if (value !== undefined) return value;
  }
  return undefined;
};

const findValueOfFirstMeantOutput = (findings: readonly Finding[], meant: (output: Output) => boolean): unknown => {
  for (const { tool, result } of findings) {
    const output = tool.card.gives.find(meant);
    if (output !== undefined) return extractValueOfOutput(output, result);
  }
  return undefined;
};

/** Returns the arguments changed as an error asks, or null if there is nothing to change. */
export const repairArgumentsByErrorOrNull = (
  tool: KnownTool,
  args: Readonly<Record<string, unknown>>,
  error: string,
): Readonly<Record<string, unknown>> | null => {
  const changed: Record<string, unknown> = { ...args };
  for (const [name, property] of Object.entries(tool.schema.properties)) {
    const value = args[name];
    if (!error.includes(name)) continue;
    if (value === undefined) {
      const supplied = property.default ?? property.enum?.[0] ?? tool.card.slots[name]?.samples[0];
      if (supplied !== undefined) changed[name] = convertToSchemaType(supplied, property);
    } else if (typeof value === 'string' && value.trim() !== value) changed[name] = value.trim();
    else if (property.enum !== undefined && !property.enum.includes(value)) changed[name] = property.enum[0];
    else changed[name] = convertToSchemaType(value, property);
  }
  return JSON.stringify(changed) === JSON.stringify(args) ? null : changed;
};
