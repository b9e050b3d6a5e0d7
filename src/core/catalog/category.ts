import type { ToolCategory } from './tool-categories.ts';

/** Verbs that say what a tool does. They are general English ones, none of a particular server. */
const verbs: Readonly<Record<Exclude<ToolCategory, 'other'>, string>> = {
  read: 'read show view describe inspect load download cat head tail detail details info information lookup blame preview extract recall',
  list: 'list ls enumerate browse tree log history',
  search: 'search find query grep match filter explore discover',
  status: 'status current health stats ping uptime whoami poll monitor env environment',
  create: 'create new insert init initialize clone register make book schedule commit copy duplicate record store save',
  update:
    'update edit modify repair fix write set put move rename append patch replace change mark approve complete merge reset restore revert assign link configure resize rotate manage pull sync upload stage archive unarchive reopen resolve',
  delete: 'delete remove clear drop clean purge erase destroy uninstall unlink',
  convert:
    'convert encode decode format parse transform translate compress decompress gzip zip export import serialize normalize minify',
  compute:
    'calculate compute count sum evaluate math measure hash solve estimate average statistics aggregate analyze analyse distance predict forecast',
  check: 'validate verify check test compare diff lint',
  chart: 'chart plot draw render visualize screenshot',
  generate: 'generate random suggest recommend compose draft summarize simulate brainstorm plan',
  send: 'send post publish push notify email reply share submit invite',
  execute: 'execute run exec invoke launch deploy build compile eval trigger start install',
  control:
    'click type press hover scroll drag navigate open close connect disconnect login logout select switch toggle wait focus swipe tap subscribe unsubscribe enable disable stop pause resume kill terminate cancel',
  reason: 'think thinking reason reflect',
};

/** Verbs of removal: only near one of them does `destructiveHint` mean that a tool removes. */
const removal = /\b(?:delet|remov|eras|purg|destroy|drop|clear|clean|wip|uninstall)\w*/i;

/** Verbs that say little: what follows them, or the description, says more. */
const weakVerbs = new Set([
  'get',
  'fetch',
  'retrieve',
  'return',
  'provide',
  'give',
  'open',
  'run',
  'do',
  'use',
  'trigger',
  'demonstrate',
]);

/** Words after which a tool lists or shows a state rather than reads one thing. */
const ofLists = new Set(['list', 'all', 'every']);
const ofStates = new Set(['current', 'version', 'status', 'state', 'health', 'stats', 'system', 'environment', 'env']);
/** Objects of "generate" and "create" that are drawn. */
const drawn = new Set([
  'chart',
  'charts',
  'plot',
  'graph',
  'diagram',
  'picture',
  'image',
  'screenshot',
  'heatmap',
  'histogram',
]);

/** How descriptions in Chinese begin. */
const chineseVerbs: readonly (readonly [RegExp, ToolCategory])[] = [
  [/^(?:获取|查看|读取|获得)(?:所有|全部)|^列出/, 'list'],
  [/^(?:搜索|查询|查找|检索|根据[^，。]{1,20}查询)/, 'search'],
  [/^(?:获取|查看|读取|获得)/, 'read'],
  [/^(?:创建|新建|添加|新增)/, 'create'],
  [/^(?:更新|修改|编辑|设置)/, 'update'],
  [/^(?:删除|移除|清除)/, 'delete'],
  [/^(?:转换|解析|翻译)/, 'convert'],
  [/^(?:计算|统计|分析)/, 'compute'],
  [/^(?:生成|推荐)/, 'generate'],
  [/^(?:发送|发布)/, 'send'],
  [/^(?:执行|运行)/, 'execute'],
];

const categoryOf = new Map(
  Object.entries(verbs).flatMap(([name, words]) => words.split(' ').map((word): [string, string] => [word, name])),
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

/** What a tool says about itself. */
export interface DescribedTool {
  /** Its name on its own server. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Derives a tool's category by rule: from the verb of its name, else from the first words of its description, else from
 * an annotation of removal with a word of removal beside it; otherwise `other`.
 */
export const deriveCategory = ({ name, description = '', annotations }: DescribedTool): string => {
  const words = splitIdentifier(name);
  const sentence = description.trim().slice(0, 300);
  if (words.some((word) => /think(?:ing)?$/.test(word))) return 'reason';
  const named = categoryWithWeaknessByVerbs(words, sentence);
  const told = named === undefined || named.weak ? categoryWithWeaknessByDescription(sentence) : undefined;
  const found = named === undefined || (named.weak && told !== undefined && !told.weak) ? told : named;
  if (found !== undefined) return found.category;
  return annotations?.['destructiveHint'] === true && removal.test(`${name} ${sentence}`) ? 'delete' : 'other';
};

interface Reading {
  readonly category: string;
  /** Whether the words say little. */
  readonly weak: boolean;
}

/** Reads words from the left: the first verb counts, unless it is weak and a stronger word follows. */
const categoryWithWeaknessByVerbs = (words: readonly string[], sentence: string): Reading | undefined => {
  const places = words.flatMap((word, at) => (isKnownVerb(word) ? [at] : []));
  const [at] = places;
  if (at === undefined) return undefined;
  const verb = words[at] ?? '';
  const rest = words.slice(at + 1);
  if (verb === 'add')
    return { category: /\badds?\b[^.]{1,60}\bto\b/i.test(sentence) ? 'update' : 'create', weak: false };
  if (!weakVerbs.has(verb)) return categoryWithWeaknessByStrongVerb(verb, rest);
  if (rest.some((word) => ofLists.has(word))) return { category: 'list', weak: false };
  if (rest.some((word) => ofStates.has(word))) return { category: 'status', weak: false };
  const next = rest.find((word) => ['compute', 'status'].includes(categoryOf.get(word) ?? ''));
  if (next !== undefined) return { category: categoryOf.get(next) ?? 'read', weak: false };
  return { category: categoryOf.get(verb) ?? 'read', weak: true };
};

const categoryWithWeaknessByStrongVerb = (verb: string, rest: readonly string[]): Reading => {
  const category = categoryOf.get(verb) ?? 'other';
  const draws = category === 'generate' || (category === 'create' && !rest.includes('diagram'));
  return {
    category: draws && rest.some((word) => drawn.has(word) || /charts?$/.test(word)) ? 'chart' : category,
    weak: false,
  };
};

const isKnownVerb = (word: string): boolean => word === 'add' || weakVerbs.has(word) || categoryOf.has(word);

/** Words before the verb: "This tool lists ...", "Use this to list ...", "A tool for listing ...". */
const opening =
  /^(?:(?:this|the) tool |(?:use|call) (?:this|it)(?: tool)? (?:to|for) |(?:a|an|the) (?:\w+ )?tool (?:for|to|that) |allows? (?:you )?to |tool (?:for|to) )/i;

const categoryWithWeaknessByDescription = (sentence: string): Reading | undefined => {
  const chinese = chineseVerbs.find(([pattern]) => pattern.test(sentence));
  if (chinese !== undefined) return { category: chinese[1], weak: false };
  const words = firstWordsWithFirstAsInfinitive(sentence.replace(opening, ''));
  const first = isKnownVerb(words[0] ?? '')
    ? words
    : firstWordsWithFirstAsInfinitive(/^[^.:]{1,60}: *(.*)/s.exec(sentence)?.[1] ?? '');
  if (!isKnownVerb(first[0] ?? '')) return undefined;
  if (/^\w+ (?:the )?number of\b/i.test(sentence)) return { category: 'compute', weak: false };
  return categoryWithWeaknessByVerbs(first, sentence);
};

/** Returns the first words of a description, the first one as an infinitive. */
const firstWordsWithFirstAsInfinitive = (text: string): string[] => {
  const [first = '', ...rest] = splitIdentifier(text.slice(0, 80)).slice(0, 6);
  return [infinitiveIfKnownVerb(first), ...rest];
};

const infinitiveIfKnownVerb = (word: string): string =>
  [
    word,
    word.replace(/s$/, ''),
    word.replace(/es$/, ''),
    word.replace(/ies$/, 'y'),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
  ].find(isKnownVerb) ?? word;
