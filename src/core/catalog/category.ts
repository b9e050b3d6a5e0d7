/**
 * The functional class of a tool, for function agreement (FA): two tools of one class do the same kind of thing. It is
 * the verb of the name, folded with its synonyms, if the name has a known one; otherwise what the annotations say.
 */
const verbs: Readonly<Record<string, readonly string[]>> = {
  read: [
    'read',
    'get',
    'fetch',
    'show',
    'view',
    'open',
    'load',
    'describe',
    'info',
    'cat',
    'head',
    'status',
    'current',
    'query',
  ],
  list: ['list', 'ls', 'all', 'tree', 'directory', 'browse', 'log', 'history'],
  search: ['search', 'find', 'lookup', 'match', 'grep', 'recommend', 'suggest', 'what'],
  create: ['create', 'add', 'new', 'make', 'insert', 'init', 'generate', 'random', 'draw', 'request', 'plan'],
  update: [
    'update',
    'edit',
    'write',
    'set',
    'put',
    'move',
    'rename',
    'append',
    'patch',
    'mark',
    'approve',
    'import',
    'commit',
    'merge',
    'rebase',
    'reset',
    'checkout',
    'stash',
  ],
  delete: ['delete', 'remove', 'clear', 'drop', 'clean', 'purge'],
  convert: [
    'convert',
    'encode',
    'decode',
    'format',
    'parse',
    'transform',
    'translate',
    'base64',
    'hash',
    'escape',
    'export',
    'base',
    'color',
    'json',
    'markdown',
  ],
  compute: [
    'calculate',
    'compute',
    'count',
    'sum',
    'math',
    'statistics',
    'diff',
    'compare',
    'date',
    'time',
    'validate',
    'check',
    'test',
    'analyze',
    'relative',
    'days',
    'week',
    'luhn',
    'semver',
    'model',
    'allocate',
    'segment',
  ],
  chart: ['chart', 'plot', 'graph', 'diagram'],
  send: ['send', 'post', 'push', 'notify', 'publish', 'echo'],
};

const classOf = new Map(
  Object.entries(verbs).flatMap(([name, words]) => words.map((word): [string, string] => [word, name])),
);

/**
 * Splits an identifier into words: `getCurrentTime`, `get_current_time` and `get-current-time` have the same three
 * words.
 */
export const splitIdentifier = (identifier: string): string[] =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

/** Derives the category from a tool's own name and, if that says nothing, from its annotations. */
export function deriveCategory(
  nameOnServer: string,
  annotations: Readonly<Record<string, unknown>> | undefined,
): string {
  const words = splitIdentifier(nameOnServer);
  if (words.some((word) => classOf.get(word) === 'chart')) return 'chart';
  for (const word of words) {
    const found = classOf.get(word);
    if (found !== undefined) return found;
  }
  if (annotations?.['destructiveHint'] === true) return 'delete';
  if (annotations?.['readOnlyHint'] === true) return 'read';
  return 'other';
}
