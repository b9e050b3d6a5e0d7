/** Longest function name that all endpoints accept: Gemini's takes 63 characters, others 64. */
export const longestFunctionName = 63;

/** Returns whether all endpoints accept a name as that of a function. */
export const isFunctionName = (name: string): boolean =>
  name.length <= longestFunctionName && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name);

/**
 * Names tools as functions: `server/tool` becomes `server__tool`, and characters outside [A-Za-z0-9_-] become `_`, which also
 * comes before a first digit, because Gemini's names begin with a letter or `_`. A name that is too long or ambiguous ends in a hash of the tool's full name. The result depends on the set of tools,
 * not on its order.
 */
export function makeFunctionNames(tools: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(tools)].toSorted();
  const plain = new Map(distinct.map((tool) => [tool, makePlainFunctionName(tool)]));
  const uses = new Map<string, number>();
  for (const name of plain.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  const taken = new Set(
    [...uses].filter(([name, count]) => count === 1 && name.length <= longestFunctionName).map(([name]) => name),
  );
  const names = new Map<string, string>();
  for (const [tool, name] of plain) {
    const fits = name.length <= longestFunctionName && uses.get(name) === 1;
    const chosen = fits ? name : makeHashedName(name, tool, taken);
    taken.add(chosen);
    names.set(tool, chosen);
  }
  return names;
}

/** The name of a tool as a function, before it is shortened or told apart. */
export const makePlainFunctionName = (tool: string): string =>
  tool
    .replace('/', '__')
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^(?=[0-9-])/, '_');

function makeHashedName(name: string, tool: string, taken: ReadonlySet<string>): string {
  for (let salt = 0; ; salt += 1) {
    const suffix = `_${hashTextTo32Bits(`${salt}:${tool}`).toString(16).padStart(8, '0')}`;
    const candidate = name.slice(0, longestFunctionName - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** 32-bit FNV-1a over UTF-16 code units: short and deterministic everywhere. */
function hashTextTo32Bits(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
