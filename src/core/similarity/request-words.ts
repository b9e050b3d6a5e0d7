/** Words of requests for tools: those without content, synonyms, and opposites. */

/** Words of politeness, grammar and asking. */
export const emptyWords: ReadonlySet<string> = new Set(
  `a an the this that these those it its there here i me my mine we us our you your they them their he she his her
  in on at of to for from by with without within into onto out off up down over under about around between among per as
  and or but so if then than because while until since before after when where what which who whom whose why how
  is are was were be been being am do does did done can could will would shall should may might must have has had having
  not no yes any some all each every both either neither other another same such only just also too very already yet
  still now right please kindly thanks let lets want wants need needs like would wish help hello hi hey
  show tell give get got list display print say says name report present provide return send bring
  find search look see check fetch locate know known make create generate produce do take put use using
  one ones thing things something anything everything way ways much many more most few less least lot lots
  new own me myself it's i'm i'd i've we're what's let's according whatever whether`.split(/\s+/),
);

/** Synonyms in most requests, in their base forms; the first is the normalized form. */
const synonyms: readonly string[] = [
  'remove delete erase forget',
  'change modify edit update adjust',
  'fix correct repair',
  'mistake typo error',
  'image picture photo',
  'folder directory directories',
  'file document',
  'repository repo repositories',
  'chart graph plot diagram draw drawn',
  'size big large biggest',
  'start begin begun',
  'finish complete done end',
  'add append insert',
  'buy bought purchase',
  'customer client',
  'colour color shade',
  'quick fast',
  'recent latest last newest',
  'divide split',
  'group cluster segment classify sort',
  'previous former earlier',
  'watch monitor observe track',
  'remember memory memorise note store save keep kept record',
  'calculate compute count',
  'difference differ different compare',
  'recipe cook dish meal',
  'trip journey travel',
  'meeting appointment call',
  'test check verify validate',
  'explain describe',
  'convert translate turn transform',
  'suggest recommend propose',
  'price cost',
  'author wrote written write',
  'hash checksum digest',
  'machine computer server pc',
  'processor cpu',
  'left remaining remain available',
  'name title rename',
  'total sum',
  'amount number',
  'average mean',
  'website site page',
  'mail email',
  'manager lead leader head boss',
  'income revenue earnings',
  'spend spent expense',
  'dinner supper',
  'holiday vacation',
  'connect link join',
];

const oneForm: ReadonlyMap<string, string> = new Map(
  synonyms.flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word) => [word, first]);
  }),
);

/** Returns the normalized form of a word, for its inflections and synonyms. */
export const normalizeRequestWord = (word: string): string => {
  const known = oneForm.get(word);
  if (known !== undefined) return known;
  const stem = word.replace(/(?:'s|ies|ing|ed|es|s|y|e)$/, '');
  return stem.length < 3 ? word : (oneForm.get(stem) ?? oneForm.get(`${stem}e`) ?? stem.slice(0, 6));
};

/** Opposite actions, and opposite ends of a scale: a request for one is not a request for the other. */
export const opposites: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:add|create|insert|append)\b/, /\b(?:delete|remove|erase|drop|forget|discard)\b/],
  [/\b(?:open|start|enable|(?:turn|switch)(?: \w+)* on)\b/, /\b(?:close|stop|disable|(?:turn|switch)(?: \w+)* off)\b/],
  [/\b(?:rise|increase|higher|more|above|over)\b/, /\b(?:fall|decrease|lower|fewer|less|below|under)\b/],
  // Not "first" and "last", because requests of several steps begin and end with them.
  [/\b(?:oldest|earliest|ascending)\b/, /\b(?:newest|latest|descending)\b/],
  [/\b(?:largest|biggest|highest|longest|most|maximum|best)\b/, /\b(?:smallest|lowest|shortest|least|minimum|worst)\b/],
  [/\b(?:en(?:code|crypt)|compress|zip|import|upload)\b/, /\b(?:de(?:code|crypt|compress)|unzip|export|download)\b/],
  [/加|新建|创建|新增|打开|开启|启动/, /删|去掉|移除|清除|忘|关闭|关掉|停止|停用/],
  [/上涨|上升|提高|涨价|高于|超过|以上/, /下跌|下降|降低|降价|低于|不足|以下/],
  [/最早|最旧|最先|升序/, /最新|最近|最晚|最后|降序/],
  [/最大|最高|最多|最长|最好/, /最小|最低|最少|最短|最差/],
  [/编码|加密|压缩|导入|上传/, /解码|解密|解压|导出|下载/],
];

/**
 * What a question asks for: in English judged by its beginning, because "when" and "who" inside a sentence are not
 * questions.
 */
export const questions: readonly RegExp[] = [
  /^(?:who|whose)\b|谁/,
  /^where\b|哪里|哪儿/,
  /^when\b|什么时候|何时/,
  /^why\b|为什么/,
  /^how (?:many|much)\b|多少/,
  /^how long\b|多久|多长/,
  /^how (?:big|large)\b|多大/,
];
