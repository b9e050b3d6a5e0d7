import { splitIdentifier } from '#core/catalog/category.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { serverOwnWordsOf, listTextLeavesLongestFirst } from './error-words.ts';

/** What is known of a result: its text, the tool (its name, with `server/` or without) and the call's arguments. */
export interface AnsweredCall {
  /** The whole text, or at least the first `longChars` characters of a longer one. */
  readonly text: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>> | null;
}

/** Longer JSON is content. */
const maxJsonChars = 2_000;
/** Characters of a text that count; of one that is longer than `longChars` fewer do, because it is mostly content. */
const headChars = 300;
const longHeadChars = 160;
export const longChars = 600;
/** Parts of JSON that are read. */
const maxParts = 120;
const maxDepth = 3;

/**
 * Words that say the same in different ways, by what they say. They carry over to servers whose sentences nobody has seen, and
 * to other languages.
 */
const meanings: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'error',
    /\b(?:errors?|exceptions?|fault)\b|\berr(?:no)?\b|错误|錯誤|异常|エラー|오류|ошибка|fehler|erreur|erro\b/iu,
  ],
  [
    'fail',
    /\b(?:fail(?:s|ed|ure|ures|ing)?|unsuccessful|aborted|crashed|rejected|denied|refused|blocked)\b|失败|失敗|실패|не удалось|fehlgeschlagen|échec|falló|falhou/iu,
  ],
  [
    'unable',
    /\b(?:unable to|cannot|can ?not|can['’]t|could ?n[o'’]t|could not|was ?n['’]t able|were ?n['’]t able|not able to|did not work|impossible to)\b|无法|無法|不能|できません|no se (?:pudo|puede)|não foi possível|kann nicht|impossible de/iu,
  ],
  [
    'absent',
    /\b(?:not (?:be )?found|(?:does|do|did)(?: not|n['’]t) exist|no such|not exist|(?:do|does)(?: not|n['’]t) have|sorry|there is no|there are no|missing|unknown|non-?existent|not recogni[sz]ed|unrecogni[sz]ed|not (?:available|present|registered|listed)|no [\w ]{1,30}(?:registered|defined|installed|exists?))\b|未找到|找不到|不存在|没有找到|見つかりません|no encontrad|não encontrad|nicht gefunden|introuvable|не найден/iu,
  ],
  [
    'invalid',
    /\b(?:invalid|not valid|malformed|illegal|unexpected|unsupported|not supported|not allowed|not permitted|out of range|too (?:long|short|large|small|many|few)|must (?:be|have|not|contain|start|provide|match)|should be|expected|expects|mismatch|only supports?)\b|无效|無效|必须|不支持|inválid|ungültig|недопустим/iu,
  ],
  [
    'lacking',
    /\b(?:required|requires|is needed|needs? to be|need to|please (?:configure|set|provide|specify)|not (?:set|configured|provided|specified|initiali[sz]ed|connected|installed|enabled|loaded|set up|logged in|authenticated|running|open|selected|given|yet)|no \w+ (?:provided|specified|given|selected|set|configured|loaded|connected|available)|at least one|undefined|empty)\b|缺少|请提供|請提供|请先|需要先|尚未|未配置|未注册|未初始化|必填|requerid|obrigatóri|erforderlich/iu,
  ],
  [
    'network',
    /\b(?:econn\w+|enotfound|eai_again|enetunreach|etimedout|ehostunreach|getaddrinfo|fetch failed|network|timed? ?out|timeout|unreachable|socket|connection|connect|offline|unavailable|internet|bad gateway|no response|dns|request failed|status code|http \d{3}|\b50[0-4]\b|\b40[0-9]\b|\b429\b)\b|网络|超时|連線/iu,
  ],
  [
    'system',
    /\b(?:enoent|eacces|eperm|eisdir|enotdir|eexist|erofs|permission|no such file|spawn|command not found|exit(?:ed)? (?:with )?(?:code|status)|stack|traceback|cannot read propert|is not a function|is not defined|syntax ?error|type ?error|null)\b/iu,
  ],
  [
    'access',
    /\b(?:unauthori[sz]ed|forbidden|api[_ -]?keys?|access token|credentials?|log ?in|authenticat\w+|env(?:ironment)? variables?|license|rate limit|quota|permission|not authori[sz]ed|subscription|(?:pro|paid|premium|enterprise) (?:plan|version|feature)|upgrade|insufficient|exceed(?:s|ed)?|limit reached|locked|already (?:exists?|running|open|in use|taken))\b|[A-Z]{2,}_(?:API_)?(?:KEY|TOKEN)\b/iu,
  ],
  [
    'advice',
    /\b(?:please|did you mean|try (?:again|a |an |the |one|using|different)|use (?:the |one |a )?[\w'"`]+|make sure|ensure|check (?:that|the|your|if)|valid (?:\w+ )?(?:options|values|names|\w+s) (?:are|include)|available (?:\w+ )?(?:are|include|options|\w+s)[:：]|available[:：]|(?:run|call|use) (?:the )?(?:[`'"]\w|\w+_\w)|first\b|instead|see )|请|請|ください/iu,
  ],
  [
    'nothing',
    /\b(?:no (?:\w+ ){0,3}(?:found|match(?:es|ed|ing)?|results?|available|yet|exist)|nothing|none|0 (?:\w+ )?(?:results?|matches|items|found|total)|zero|found 0|empty)\b|没有/iu,
  ],
  [
    'done',
    /\b(?:success(?:ful(?:ly)?)?|created|added|updated|saved|deleted|removed|completed?|done|written|generated|registered|started|stored|set to|ok|valid|passed|cleared|initiali[sz]ed|recorded|found \d+|showing|results? for|total)\b|成功|已|完成/iu,
  ],
];

/** Signs that servers put before what they say. */
const signs: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['cross', /[❌✗✘⛔🚫🔴]|\[x\]/u],
  ['warning', /[⚠🟡🟠]/u],
  ['tick', /[✅✓✔🎉🟢]/u],
  ['other-sign', /[\u{1F300}-\u{1F5FF}\u{1F680}-\u{1F6FF}]/u],
];

const lookingVerbs = new Set(
  'check diagnose doctor validate verify lint audit test detect scan inspect health status review analyze search list find query'.split(
    ' ',
  ),
);
const gettingVerbs = new Set(
  'get show read view describe fetch load lookup open download info details explain'.split(' '),
);
const changingVerbs = new Set(
  'add create update delete remove set edit move rename write save start stop run execute apply restore complete assign init generate convert build render export import send'.split(
    ' ',
  ),
);

/** What colours a terminal, or names its window. */
export const terminalCodes = /(?!\s)\p{Cc}(?:\[[\d;?]{0,20}[A-Za-z]|\][^\p{Cc}]{0,200}\p{Cc}?)/gu;

/**
 * Returns the traits of a result by which its text is weighed, each once: what its words mean and where they stand, words and
 * pairs of words, its shape, its keys, and what kind of tool gave it. What repeats the arguments counts as `…`.
 */
export const listErrorTraits = ({ text, tool, arguments: args }: AnsweredCall): string[] => {
  const whole = text.replaceAll(terminalCodes, '').trim();
  const traits = new Set<string>(['bias']);
  const add = (trait: string): void => void traits.add(trait);
  const kind = kindOfTool(tool);
  add(`tool:${kind}`);
  const json = /^[[{"]/.test(whole) && whole.length <= maxJsonChars ? parseJsonWithinLimits(whole) : undefined;
  const isLong = json?.ok !== true && whole.length > longChars;
  const shown = isLong ? whole.slice(0, longHeadChars) : whole;
  const said =
    json?.ok === true ? addJsonTraitsAndReturnTexts(json.value, new Set(listTextLeavesLongestFirst(args)), add) : shown;
  const form = json?.ok === true ? 'json' : isLong ? 'long' : 'text';
  add(`form:${form}`);
  if (form !== 'json') addShape(shown, isLong, add);
  if (form !== 'json') addHeadings(shown, add);
  const own = serverOwnWordsOf(said.slice(0, longChars), args).slice(0, headChars);
  const opening = firstStatement(own);
  const echo = opening.includes('…') ? ['echo'] : [];
  for (const each of echo) add(each);
  for (const [name, pattern] of meanings) {
    if (pattern.test(opening)) for (const more of ['', form, `tool:${kind}`, ...echo]) add(`1:${name} ${more}`);
    else if (pattern.test(own)) for (const more of ['', form]) add(`2:${name} ${more}`);
  }
  for (const [name, pattern] of signs) {
    if (pattern.test(opening.slice(0, 12))) add(`^${name}`);
    else if (pattern.test(own)) add(name);
  }
  addPairsOfMeanings(traits, add);
  addWords(own, add);
  return [...traits];
};

const addPairsOfMeanings = (traits: ReadonlySet<string>, add: (trait: string) => void): void => {
  const found = meanings.map(([name]) => name).filter((name) => traits.has(`1:${name} `) || traits.has(`2:${name} `));
  if (found.length === 0) add('no-meaning');
  for (const [index, one] of found.entries()) for (const other of found.slice(index + 1)) add(`${one}+${other}`);
};

/** Returns the first statement of a text: its first line that is no heading, up to the first full stop. */
const firstStatement = (text: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line =
    lines.find(
      (each, index) => !/^#{1,6} |^[=-]{3,}$/.test(each) && !(/[:：]$/u.test(each) && index < lines.length - 1),
    ) ??
    lines[0] ??
    '';
  return line.split(/(?<=[.!。！]) /u)[0]?.slice(0, 160) ?? '';
};

/** Adds what the headings before and after the first statement mean. */
const addHeadings = (shown: string, add: (trait: string) => void): void => {
  const headings = shown.split('\n', 6).filter((line) => /^(?:#{1,6} |\*\*)/.test(line));
  for (const [name, pattern] of meanings) if (headings.some((line) => pattern.test(line))) add(`h:${name}`);
};

const addShape = (shown: string, isLong: boolean, add: (trait: string) => void): void => {
  const lines = shown.split('\n').filter((line) => line.trim() !== '');
  add(isLong ? 'chars>600' : shown.length < 80 ? 'chars<80' : shown.length < 200 ? 'chars<200' : 'chars<600');
  add(lines.length <= 1 ? 'lines=1' : lines.length <= 3 ? 'lines<4' : lines.length <= 8 ? 'lines<9' : 'lines>8');
  if (/^#{1,6} /.test(shown)) add('heading');
  if (lines.some((line) => /^\s*(?:[-*•]|\d+[.)]) /.test(line))) add('bullets');
  if (/```/.test(shown)) add('fence');
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(shown)) add('markup');
  if (/:\s/.test(lines[0] ?? '')) add('colon');
  if (!/[\p{L}]{2}/u.test(shown)) add('no-words');
};

const kindOfTool = (tool: string): string => {
  const words = splitIdentifier(toolNameWithoutServer(tool));
  const ends = [words[0], words.at(-1)].filter((word) => word !== undefined);
  if (ends.some((word) => lookingVerbs.has(word))) return 'looks';
  if (words.some((word) => changingVerbs.has(word))) return 'changes';
  return ends.some((word) => gettingVerbs.has(word)) ? 'gets' : 'other';
};

/** Scripts without spaces count by pairs of signs. */
const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[❌✅⚠…]|\p{L}[\p{L}'’]*|\d+/gu;

const addWords = (own: string, add: (trait: string) => void): void => {
  const words = Array.from(own.toLowerCase().matchAll(wordPattern), ([word]) => (/^\d/.test(word) ? '#' : word));
  for (const [place, word] of words.entries()) {
    if (place > 40) return;
    const before = place === 0 ? '^' : words[place - 1];
    add(`w:${word}`);
    add(`w:${before} ${word}`);
  }
};

/** Keys under which an error is told, and under which anything is told to a person. */
const errorKey = /^(?:errors?|err|exception|failure|error_?(?:message|code|type|detail)s?)$/;
const messageKey = /^(?:message|msg|detail|details|reason|info|hint|tip|suggestion|note|help|usage|title)$/;
const stamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z?$/;

/** Adds the traits of JSON, and returns the texts in it that a person would read. */
const addJsonTraitsAndReturnTexts = (
  value: unknown,
  given: ReadonlySet<string>,
  add: (trait: string) => void,
): string => {
  const said: string[] = [];
  const under = { error: 0, message: 0, other: 0 };
  let parts = 0;
  const visit = (each: unknown, key: string, depth: number): void => {
    parts += 1;
    if (parts > maxParts || depth > maxDepth) return;
    if (typeof each === 'string') {
      if (each.trim() === '') add(`k:${key}=""`);
      else if (!stamp.test(each) && !given.has(each)) {
        said.push(each.slice(0, headChars));
        under[errorKey.test(key) ? 'error' : messageKey.test(key) ? 'message' : 'other'] += 1;
      }
    } else if (typeof each === 'boolean') add(`k:${key}=${each}`);
    else if (each === null) add(`k:${key}=null`);
    else if (each === 0) add(`k:${key}=0`);
    else if (Array.isArray(each)) {
      add(each.length === 0 ? `k:${key}=[]` : 'filled-list');
      for (const item of each.slice(0, 3)) visit(item, key, depth + 1);
    } else if (isJsonObject(each)) {
      const entries = Object.entries(each);
      if (entries.length === 0) add(`k:${key}={}`);
      for (const [inner, item] of entries) {
        const name = inner.toLowerCase().slice(0, 30);
        add(`k:${name}`);
        visit(item, name, depth + 1);
      }
    }
  };
  visit(value, '', 0);
  if (under.error > 0) add(under.other === 0 ? 'tells-only-error' : 'tells-error');
  else if (under.message > 0) add(under.other === 0 ? 'tells-only-message' : 'tells-message');
  add(parts <= 3 ? 'parts<4' : parts <= 8 ? 'parts<9' : parts <= 20 ? 'parts<21' : 'parts>20');
  return said.join('\n');
};
