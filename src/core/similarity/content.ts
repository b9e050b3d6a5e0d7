import type { Entities } from './entities.ts';
import { normalizeText, diceCoefficientOfBags, splitWords } from './text-likeness.ts';
import { contentWordsByLanguageRules, letterPairs } from './foreign-words.ts';
import { normalizeMeasurementUnit } from './measures.ts';
import { quantityValueText } from './quantities.ts';
import type { Writing } from './writing.ts';
import { emptyWords, opposites, questions, normalizeRequestWord } from './request-words.ts';

/**
 * How similar two requests are in what they say: in what they name and in their other words. A request in a
 * script without spaces has characters and pairs of them instead of words.
 */

/** Returns Dice's coefficient of the content of two requests: 0..1. */
export const contentSimilarity = (a: Entities, b: Entities): number =>
  diceCoefficientOfBags(
    [...new Set([...entityKeys(a), ...contentWords(a.rest)])],
    [...new Set([...entityKeys(b), ...contentWords(b.rest)])],
  );

/** Returns the content words of a text, each in one form. */
export const contentWords = (text: string): string[] =>
  splitWords(text).flatMap((word) =>
    emptyWords.has(word) ? [] : [normalizeRequestWord(normalizeMeasurementUnit(word))],
  );

/** Does the same for texts without spaces; a named entity counts as much as a character plus a pair. */
export const characterSimilarity = (a: Entities, b: Entities): number =>
  diceCoefficientOfBags(
    [...entityKeys(a), ...entityKeys(a), ...charactersAndPairs(a.rest)],
    [...entityKeys(b), ...entityKeys(b), ...charactersAndPairs(b.rest)],
  );

/** Does the same for other scripts, in pairs of letters. */
export const letterSimilarity = (a: Entities, b: Entities): number =>
  diceCoefficientOfBags(
    [...entityKeys(a), ...entityKeys(a), ...letterPairs(contentWordsByLanguageRules(a.rest))],
    [...entityKeys(b), ...entityKeys(b), ...letterPairs(contentWordsByLanguageRules(b.rest))],
  );

/** Returns what the similarity of requests in this writing compares, of one of them; items may occur twice. */
export const listComparedItems = (entities: Entities, writing: Writing): string[] => [
  ...entityKeys(entities),
  ...contentParts[writing](entities.rest),
];

const charactersAndPairs = (text: string): string[] => {
  const content = [...chineseContentCharacters(text)];
  return [...content, ...content.slice(1).map((character, before) => `${content[before] ?? ''}${character}`)];
};

const contentParts: Readonly<Record<Writing, (text: string) => string[]>> = {
  latin: contentWords,
  han: charactersAndPairs,
  other: (text) => letterPairs(contentWordsByLanguageRules(text)),
};

const entityKeys = ({ terms, quantities }: Entities): string[] => [
  ...terms.map(({ shown }) => `= ${normalizeText(shown)}`),
  ...quantities.map((quantity) => `= ${quantityValueText(quantity)}`),
];

/** Returns the Chinese content characters of a text. */
export const chineseContentCharacters = (text: string): string =>
  sameWords
    .reduce((sameSaid, [pattern, form]) => sameSaid.replace(pattern, form), text.normalize('NFKC').replace(filler, ''))
    .replace(/[^\p{Script=Han}]+/gu, '');

/** Polite, grammatical and general request words, which may be replaced without changing the meaning. */
const filler =
  /请问|请|麻烦|帮我|帮忙|给我|告诉我|一下|我们|我的|我|你们|你|以及|并且|然后|之后|以后|如果|那么|什么|多少|怎么样|怎么|如何|哪些|哪个|是否|有没有|一共|总共|所有|全部|内容|情况|进行|看看|看一下|查看|查询|查找|查|找出来|找出|显示|列出|读取|阅读|读一下|读|打开|计算|算出|统计|检查|制定|生成|画成|画出|画|做|写|把|将|给|用|在|按照|按|根据|依据|关于|包括|包含|步骤|里面|里|其中|的|了|吧|吗|呢|和|与|及|并|是|那个|这个|一个|一张|每个|各个|个/g;

/** Groups of interchangeable words. */
const sameWords: readonly (readonly [RegExp, string])[] = [
  [/还没有|还没|尚未|没有|没/g, '未'],
  [/新建|创建|建立|添加|新增|增加/g, '加'],
  [/删除|删掉|去掉|移除|清除|忘掉|忘记/g, '删'],
  [/图片|照片|图像/g, '图'],
  [/文件夹|目录/g, '夹'],
  [/观察|监控|监测|监视/g, '监'],
  [/记住|记下来|记下|记录下|记(?!录)|存储|保存成|保存为|保存|存成|存到/g, '存'],
  [/移动|移到|挪到|放到/g, '移'],
  [/换算|转换|转成|换成/g, '换'],
  [/推荐|建议/g, '荐'],
  [/差异|区别|不同|比较|对比/g, '异'],
  [/资料|信息|数据/g, '料'],
  [/改正|修正|纠正|修改|更正/g, '改'],
  [/计划|规划|安排/g, '划'],
  [/完成|做完|结束/g, '完'],
  [/菜谱|做法|食谱/g, '谱'],
  [/客户|顾客/g, '客'],
  [/分组|分类|归类/g, '类'],
];

/** Returns whether both texts ask a question, and have none in common. */
export const doBothAskDifferentQuestions = (a: string, b: string): boolean => {
  const listAskedQuestions = (text: string) =>
    new Set(
      questionSentences(text).flatMap((sentence) =>
        questions.filter((question) => question.test(sentence.toLowerCase())),
      ),
    );
  const [left, right] = [listAskedQuestions(a), listAskedQuestions(b)];
  return left.size > 0 && right.size > 0 && left.isDisjointFrom(right);
};

/** Returns the sentences of a text that end with a question mark. */
const questionSentences = (text: string): string[] =>
  [...text.matchAll(/[^.!?。！？]+[?？]/gu)].map(([sentence]) => sentence.trim());

/** Returns whether two texts want opposite actions, judged by words that only one of them contains. */
export const hasOppositeAction = (a: string, b: string): boolean => {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  return opposites.some(
    ([one, other]) =>
      isEachPatternOnlyInItsText(one, other, left, right) || isEachPatternOnlyInItsText(other, one, left, right),
  );
};

const isEachPatternOnlyInItsText = (one: RegExp, other: RegExp, a: string, b: string): boolean =>
  one.test(a) && !other.test(a) && other.test(b) && !one.test(b);
