import { firstCharacters } from '#core/values/excerpt.ts';
import { serverNameOfToolName } from './tool.ts';

/** Characters of one server's instructions that models get, and those of all servers together. */
const [serverChars, allChars] = [2_000, 8_000];

/** What a server says about the use of its tools. */
export interface ShownInstructions {
  readonly server: string;
  readonly instructions: string;
}

/** Returns what the servers of these tools say about their use, in the order of the servers, as far as there is room. */
export function listShownInstructions(
  servers: readonly { readonly name: string; readonly instructions: string | null }[],
  tools: readonly { readonly name: string }[],
): ShownInstructions[] {
  const mounted = new Set(tools.map(({ name }) => serverNameOfToolName(name)));
  let left = allChars;
  return servers.flatMap(({ name, instructions }) => {
    if (!mounted.has(name) || instructions === null || left === 0) return [];
    const shown = firstCharacters(instructions, Math.min(serverChars, left));
    left -= shown.length;
    return shown === '' ? [] : [{ server: name, instructions: shown }];
  });
}
