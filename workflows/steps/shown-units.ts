import { schemaOfNamesAndTypesOnly, schemaWithoutDialect } from '#core/catalog/shown-schemas.ts';
import { cutDescription } from '#core/catalog/shown-description.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Pair } from '#core/units/answers.ts';
import type { Unit } from '#core/units/unit.ts';

/** Returns the pair of a unit; throws if none is written yet, which is a defect of the caller. */
export const getPairOrThrow = (unit: Unit): Pair => {
  if (unit.pair === null) throw new Error(`unit ${unit.id} has no pair`);
  return unit.pair;
};

/**
 * Returns a tool as the prompts show it: what a writer needs, without the server's hints about itself. Of its results a
 * writer needs the names and types of the fields.
 */
export const makePromptTool = ({ name, category, title, description, inputSchema, outputSchema }: Tool) => ({
  name,
  category,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description: cutDescription(description) }),
  inputSchema: schemaWithoutDialect(inputSchema),
  ...(outputSchema === undefined ? {} : { outputSchema: schemaOfNamesAndTypesOnly(outputSchema) }),
});
