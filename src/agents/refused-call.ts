import { hasInfiniteNumber } from '#core/values/infinite-number.ts';
import { isTooDeep, maxJsonDepth } from '#core/values/json-depth.ts';
import { argumentChars, type Arguments } from './steps.ts';

/** Why a call of an external agent is not forwarded, and what its step keeps of the arguments. */
export interface RefusedCall {
  readonly text: string;
  readonly arguments: Arguments | null;
}

/**
 * Returns why a call cannot be forwarded; null if it can. `args` are null if the client did not send the name of a tool
 * with arguments that are an object.
 */
export function findCallRefusal(
  tool: string,
  args: Readonly<Record<string, unknown>> | null,
  mounted: ReadonlySet<string>,
): RefusedCall | null {
  const refuse = (text: string): RefusedCall => ({ text, arguments: null });
  if (args === null) return refuse('tools/call takes the name of a tool, and arguments that are an object');
  if (isTooDeep(args)) return refuse(`The arguments are nested deeper than ${maxJsonDepth} levels`);
  if (hasInfiniteNumber(args)) return refuse('A number in the arguments is too large');
  if (JSON.stringify(args).length > argumentChars)
    return refuse(`The arguments have more than ${argumentChars} characters`);
  return mounted.has(tool) ? null : { text: `Unknown tool: ${tool.slice(0, 300)}`, arguments: { ...args } };
}
