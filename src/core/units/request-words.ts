/** The words that requests for tools are made of: which say nothing of what is wanted, which say the same, which the opposite. */

/** Words of politeness, of grammar and of asking. */
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

/** Words that stand for each other in requests; the first is the one form. */
const synonyms: readonly string[] = [
  'remove delete erase forget drop discard',
  'change modify alter adjust edit update',
  'fix correct repair mend',
  'mistake mistakes typo typos error errors',
  'image images picture pictures photo photos graphic',
  'folder folders directory directories',
  'file files document documents',
  'repository repo repos',
  'chart charts graph graphs plot plots diagram diagrams draw drawn bars',
  'size big large bigger larger largest biggest',
  'start begin begins begun starting started',
  'finish finished complete completed done end ends ended tick',
  'buy bought purchase purchases purchased',
  'customer customers client clients',
  'colour color colours colors shade shades',
  'work works employed employ job',
  'quick fast quickly rapid brief short',
  'recent recently latest last newest',
  'divide split allocate distribute share divided',
  'group segment segments cluster classify sort categorise categorize',
  'effect impact happen happens',
  'former previous earlier old',
  'watch monitor observe track',
  'remember memory memorise note notes store stored keep save record',
  'calculate compute count total',
  'difference differences different differ compare compared comparison',
  'recipe recipes cook cooking cooked dish dishes prepare meal meals',
  'trip journey travel',
  'meeting meetings call appointment',
  'task tasks todo',
  'person people persons somebody',
  'test check verify validate match',
  'explain describe description explanation',
  'entire whole complete',
  'convert translate turn transform conversion',
  'suggest recommend propose suggestion recommendation idea',
  'price prices cost costs',
  'clock time',
  'structure structured tree',
  'author wrote written write',
  'hash checksum digest',
  'machine computer server pc',
  'processor cpu',
  'current now present',
  'free left remaining available',
  'name named names called title titled rename renamed',
  'total sum add',
  'amount number',
  'average mean',
  'website site webpage page',
  'mail email e-mail',
  'manager lead leads leader head boss manages managed',
  'income revenue turnover earnings',
  'spend spends spending spent expenses expense',
  'country nation',
  'city town',
  'party celebration',
  'evening tonight dinner supper',
  'holiday vacation',
  'connect link join connected linked',
  'arrow edge',
  'affect effect affects',
  'model simulate simulation',
  'end bottom',
  'append insert add',
  'valid well-formed',
  'content contents',
  'poland polish',
  'france french',
  'spain spanish',
  'netherlands holland dutch',
  'england britain english british uk',
  'switzerland swiss',
  'greece greek',
  'denmark danish',
  'turkey turkish',
  'china chinese',
  'america american usa us',
  'month monthly months',
  'week weekly weeks',
  'day daily days',
  'year yearly annual years',
  'uncommitted committed commit commits',
  'changes changed unfinished',
];

const oneForm: ReadonlyMap<string, string> = new Map(
  synonyms.flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word) => [word, first]);
  }),
);

/** The one form of words that stand for each other. */
export const commonWord = (word: string): string => oneForm.get(word) ?? word;

/** One form for a word in its forms and for what stands for it. */
export const wordForm = (word: string): string => {
  const known = oneForm.get(word);
  if (known !== undefined) return known;
  const stem = word.replace(/(?:'s|ies|ing|ed|es|s|y|e)$/, '');
  return stem.length < 3 ? word : (oneForm.get(stem) ?? oneForm.get(`${stem}e`) ?? stem.slice(0, 5));
};

/** Deeds that undo each other, and ends of one scale: a request for one is none for the other. */
export const opposites: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:add|create|insert|append|make|new|introduce)\b/, /\b(?:delete|remove|erase|drop|forget|discard)\b/],
  [/\b(?:open|opens|opening)\b/, /\b(?:close|closes|closing|shut)\b/],
  [/\b(?:start|starts|enable|turn on|switch on)\b/, /\b(?:stop|stops|disable|turn off|switch off)\b/],
  [
    /\b(?:rise|rises|increase|increases|go up|goes up|higher|more)\b/,
    /\b(?:fall|falls|decrease|decreases|go down|goes down|lower|fewer|less)\b/,
  ],
  [/\b(?:oldest|earliest|first)\b/, /\b(?:newest|latest|last|recent)\b/],
  [/\b(?:largest|biggest|highest|longest|most|maximum|best)\b/, /\b(?:smallest|lowest|shortest|least|minimum|worst)\b/],
  [/\b(?:encode|encrypt|compress|zip)\b/, /\b(?:decode|decrypt|decompress|unzip)\b/],
  [/加|新建|创建|添加|新增|增加/, /删|去掉|移除|清除|忘/],
  [/打开|开启|启动|开设|开一家/, /关闭|关掉|停止|停用/],
  [/上涨|上升|提高|涨价/, /下跌|下降|降低|降价/],
  [/最早|最旧|最先/, /最新|最近|最晚|最后/],
  [/最大|最高|最多|最长|最好/, /最小|最低|最少|最短|最差/],
  [/编码|加密|压缩/, /解码|解密|解压/],
];

/** What a request asks after; one that asks after something else is another request. */
export const questions: readonly RegExp[] = [
  /\bwho\b|\bwhose\b|谁/,
  /\bwhere\b|哪里|哪儿/,
  /\bwhen\b|什么时候|何时/,
  /\bwhy\b|为什么/,
  /\bhow (?:many|much)\b|多少/,
  /\bhow long\b|多久|多长/,
  /\bhow (?:big|large)\b|多大/,
];
