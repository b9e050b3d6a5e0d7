import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { cutDescription } from '#core/catalog/shown-description.ts';
import { listRequiredTopLevelNames } from '#core/catalog/schema-fields.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ToolConfusion } from '../tool-report/record.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import type { ToolTrouble } from './choose-tools.ts';
import type { SeenAttempt } from './seen-attempts.ts';

/** What the model sees of definitions and attempts: characters and numbers, at most. */
const descriptionChars = 2_000;
const siblingDescriptionChars = 500;
const argumentDescriptionChars = 300;
const typeChars = 200;
const mostArguments = 20;
const mostConfusions = 20;
const mostSiblings = 10;
const nameChars = 130;
const mostExpected = 20;
const requestChars = 1_000;
const argumentsChars = 200;
const errorChars = 200;

/** A tool as a model sees it that is to reword it. */
type ToolToReword = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema'>;

/** What a wording is written from. */
export interface WordingMaterial {
  readonly benchmark: string;
  /** The units that were seen, and how many the evaluation has. */
  readonly units: { readonly seen: readonly string[]; readonly of: number };
  /** How many attempts at them there are. */
  readonly attempts: number;
  readonly troubles: readonly ToolTrouble[];
  readonly confusions: readonly ToolConfusion[];
  /** The tools of `troubles`, in their order, and others with which these were confused. */
  readonly tools: readonly ToolToReword[];
  readonly siblings: readonly Pick<Tool, 'name' | 'description'>[];
  readonly examples: readonly (SeenAttempt & { readonly request: string })[];
}

/** Returns which tools a model sees beside those that it rewords: the others of their confusions. */
export const listSiblingNames = (troubles: readonly ToolTrouble[], confusions: readonly ToolConfusion[]): string[] => {
  const own = new Set(troubles.map(({ tool }) => tool));
  const others = confusionsOf(own, confusions).flatMap(({ expected, called }) => [expected, called]);
  return [...new Set(others)].filter((name) => !own.has(name)).slice(0, mostSiblings);
};

const confusionsOf = (tools: ReadonlySet<string>, confusions: readonly ToolConfusion[]): ToolConfusion[] =>
  confusions.filter(({ expected, called }) => tools.has(expected) || tools.has(called)).slice(0, mostConfusions);

/** Returns the values of the variables of the prompt: all of it is bounded, whatever servers and agents wrote. */
export function makeWordingQuestion({ troubles, tools, siblings, confusions, examples }: WordingMaterial) {
  return {
    tools: tools.map((tool, at) => ({ n: at + 1, ...describeTool(tool), seen: describeTrouble(troubles[at]) })),
    siblings: siblings.map(({ name, description = '' }) => ({
      name,
      description: cutDescription(description, siblingDescriptionChars),
    })),
    confusions: confusionsOf(new Set(troubles.map(({ tool }) => tool)), confusions).map(
      ({ expected, called, attempts: { count, of } }) => ({ expected, called, attempts: count, of }),
    ),
    attempts: examples.map(({ request, expected, calls }) => ({
      request: firstCharacters(request, requestChars),
      expected: expected.slice(0, mostExpected),
      calls: calls.map(({ tool, outcome, text, arguments: given }) => ({
        tool: firstCharacters(tool, nameChars),
        arguments: given === null ? null : firstCharacters(given, argumentsChars),
        ...(outcome === 'failure' ? { error: firstCharacters(text, errorChars) } : {}),
      })),
    })),
  };
}

function describeTool({ name, title, description = '', inputSchema }: ToolToReword) {
  const required = new Set(listRequiredTopLevelNames(inputSchema));
  const { properties } = inputSchema;
  return {
    name,
    title: title ?? null,
    description: cutDescription(description, descriptionChars),
    arguments: Object.entries(isJsonObject(properties) ? properties : {})
      .slice(0, mostArguments)
      .map(([argument, schema]) => ({ name: argument, required: required.has(argument), ...describeArgument(schema) })),
  };
}

function describeArgument(schema: unknown) {
  if (!isJsonObject(schema)) return { description: '', type: JSON.stringify(schema) };
  const { description, ...type } = schema;
  return {
    description: typeof description === 'string' ? cutDescription(description, argumentDescriptionChars) : '',
    type: firstCharacters(JSON.stringify(type), typeChars),
  };
}

function describeTrouble(trouble: ToolTrouble | undefined) {
  if (trouble === undefined) return null;
  const { expected, missed, taken, calls, failed, commonError } = trouble;
  return { expectedInAttempts: expected, notCalled: missed, calledForAnother: taken, calls, failed, commonError };
}
