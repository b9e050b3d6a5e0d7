import { sha256Hex } from '#core/values/canonical.ts';
import { dialectWithChange, mostSetAside, type Dialect } from '#core/models/dialect.ts';
import { convertFunctionSchemaForProfile } from '#core/models/function-schemas/write-function-schema.ts';
import type { FunctionDefinition } from '#core/ports.ts';
import type { LeftOutFunction } from '#core/models/model-call.ts';

/** The functions of a request as its endpoint takes them, and those that it does not take. */
export interface ChosenFunctions {
  readonly sent: readonly FunctionDefinition[];
  readonly leftOut: readonly LeftOutFunction[];
}

/** Writes functions for an endpoint. Those that it has refused, and those whose schema cannot be written for it, are left out. */
export async function convertFunctionsForEndpoint(
  functions: readonly FunctionDefinition[],
  { functionSchemas, functionsSetAside }: Dialect,
): Promise<ChosenFunctions> {
  const refused = new Set(functionsSetAside);
  const sent: FunctionDefinition[] = [];
  const leftOut: LeftOutFunction[] = [];
  for (const each of functions) {
    const written = convertFunctionSchemaForProfile(each.parameters, functionSchemas);
    if (refused.size > 0 && refused.has(await nameAndDigestOfFunction(each)))
      leftOut.push({ name: each.name, reason: 'refused', pointer: null });
    else if (written.ok) sent.push({ ...each, parameters: written.schema });
    else leftOut.push({ name: each.name, ...written.refusal });
  }
  return { sent, leftOut };
}

/** Returns the dialect without some functions. The latest of those that are set aside are remembered. */
export async function dialectWithFunctionsSetAside(
  dialect: Dialect,
  functions: readonly FunctionDefinition[],
): Promise<Dialect> {
  const added = await Promise.all(functions.map(nameAndDigestOfFunction));
  const functionsSetAside = [...new Set([...dialect.functionsSetAside, ...added])].slice(-mostSetAside);
  return dialectWithChange(dialect, { functionsSetAside });
}

/** Functions of different servers, and of different workspaces, may have the same name. */
async function nameAndDigestOfFunction({ name, description, parameters }: FunctionDefinition): Promise<string> {
  const digest = await sha256Hex(JSON.stringify([description, parameters]));
  return `${name}@${digest.slice(0, 32)}`;
}
