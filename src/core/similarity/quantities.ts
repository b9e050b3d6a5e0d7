import { lookUpDimensionAndMultiple, unitPattern } from './measures.ts';
import {
  lookUpEnglishNumber,
  han,
  parseHanNumber,
  hanOrDigits,
  multiples,
  ordinals,
  round,
  small,
} from './numerals.ts';

/** Numbers, times of day and dates in requests, normalized: `1,000`, `1000`, `一千`, `3 pm`, `15:00`. */

export type Quantity =
  | {
      readonly kind: 'number';
      /** The number without its unit. */
      readonly value: number;
      /** Its dimension, if known, and its multiple of the smallest unit: minutes are counted in seconds. */
      readonly unit: string | null;
      readonly size: number;
      readonly shown: string;
    }
  /** Minutes since midnight, and whether the half of the day is given (3:30 may be in the afternoon). */
  | { readonly kind: 'time'; readonly minutes: number; readonly half: boolean; readonly shown: string }
  | {
      readonly kind: 'date';
      readonly year: number | null;
      readonly month: number;
      readonly day: number | null;
      readonly shown: string;
    }
  /** A day of the week (Monday is 1), or a day relative to today, which is 0. */
  | { readonly kind: 'weekday' | 'relative'; readonly day: number; readonly shown: string };

/** Returns the quantities of a text, and the text without them. */
export function extractQuantitiesAndRest(text: string): {
  readonly quantities: readonly Quantity[];
  readonly rest: string;
} {
  const quantities: Quantity[] = [];
  let rest = text;
  for (const { pattern, read } of readers)
    rest = rest.replace(pattern, (shown, ...groups) => {
      const named: unknown = groups.at(-1);
      const parts = new Map(Object.entries(typeof named === 'object' && named !== null ? named : {}));
      const quantity = read((name) => {
        const part: unknown = parts.get(name);
        return typeof part === 'string' ? part : '';
      }, shown.trim());
      if (quantity === null) return shown;
      quantities.push(quantity);
      return ' ; ';
    });
  return { quantities, rest };
}

/**
 * Returns a text of a quantity's value: a number in the smallest unit of its dimension, a time within half a day, a date
 * without its year.
 */
export const quantityValueText = (quantity: Quantity): string => {
  switch (quantity.kind) {
    case 'number':
      return String(quantity.size);
    case 'time':
      return `${quantity.minutes % halfDay} minutes`;
    case 'date':
      return `${quantity.month}-${quantity.day ?? ''}`;
    case 'weekday':
    case 'relative':
      return `${quantity.kind} ${quantity.day}`;
  }
};

/** Returns whether two quantities can mean the same. */
export function mayBeSameQuantity(a: Quantity, b: Quantity): boolean {
  if (a.kind === 'number' && b.kind === 'number')
    return a.unit === null || b.unit === null ? a.value === b.value : a.unit === b.unit && a.size === b.size;
  if (a.kind === 'time' && b.kind === 'time') {
    const bare = a.half ? b : a;
    const either = a.half !== b.half && bare.minutes <= halfDay;
    return a.minutes === b.minutes || (either && a.minutes % halfDay === b.minutes % halfDay);
  }
  // `at nine`, `9 am`, `21:00`
  if (a.kind === 'time' && b.kind === 'number')
    return b.unit === null && (a.minutes === b.value * 60 || (b.value <= 12 && a.minutes === (b.value + 12) * 60));
  if (a.kind === 'number' && b.kind === 'time') return mayBeSameQuantity(b, a);
  if (a.kind === 'date' && b.kind === 'date')
    return a.month === b.month && a.day === b.day && (a.year === null || b.year === null || a.year === b.year);
  // `the 12th`
  if (a.kind === 'date' && b.kind === 'number') return b.unit === null && (a.day === b.value || a.year === b.value);
  if (a.kind === 'number' && b.kind === 'date') return mayBeSameQuantity(b, a);
  return a.kind === b.kind && 'day' in a && 'day' in b && a.day === b.day;
}

/**
 * Returns whether one text can state the first where the other states the second: both amounts of one thing, both times,
 * both dates, both days of the week or relative to today, or a number without a unit and a time.
 */
export const haveSameRole = (a: Quantity, b: Quantity): boolean =>
  a.kind === 'number' && b.kind === 'number'
    ? a.unit === null || b.unit === null || a.unit === b.unit
    : roles[a.kind] === roles[b.kind] ||
      (a.kind === 'number' && a.unit === null && b.kind === 'time') ||
      (b.kind === 'number' && b.unit === null && a.kind === 'time');

const roles = { number: 'amount', time: 'time', date: 'date', weekday: 'day', relative: 'day' } as const;

const halfDay = 12 * 60;

interface Reader {
  readonly pattern: RegExp;
  /** Null if it is no quantity after all. */
  readonly read: (part: (name: string) => string, shown: string) => Quantity | null;
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = String.raw`(?<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?`;
const monthNumber = (name: string): number => monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** The noun after a numeral; a numeral without one may be part of any word. */
const measures =
  '个位名份条张页天日周月年点分秒时小人次块元公英里米千克斤磅度本件项步台杯种道倍组层行列字封部套支只双间家辆座篇句首题轮季号楼口升华摄つヶか時個円件冊枚匹階歳回';

const makeDateQuantity = (year: string, monthOf: number, day: string, shown: string): Quantity => ({
  kind: 'date',
  year: year === '' ? null : Number(year),
  month: monthOf,
  day: day === '' ? null : Number(day),
  shown,
});

const readers: readonly Reader[] = [
  {
    pattern: /(?<!\d)(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?!\d)/g,
    read: (part, shown) => makeDateQuantity(part('year'), Number(part('month')), part('day'), shown),
  },
  {
    pattern: new RegExp(
      String.raw`(?:(?<year>\d{4})年)?(?<month>\d{1,2}|[一二三四五六七八九十]{1,2})月(?!份?[里内])(?:(?<day>\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?`,
      'g',
    ),
    read: (part, shown) => {
      const day = part('day');
      return makeDateQuantity(
        part('year'),
        parseHanNumber(part('month')),
        day === '' ? '' : String(parseHanNumber(day)),
        shown,
      );
    },
  },
  {
    pattern: new RegExp(String.raw`\b(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}(?:,? (?<year>\d{4}))?\b`, 'gi'),
    read: (part, shown) => makeDateQuantity(part('year'), monthNumber(part('month')), part('day'), shown),
  },
  {
    pattern: new RegExp(
      String.raw`\b${month} (?:(?<day>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:(?:, ?)?(?<year>\d{4}))?\b`,
      'g',
    ),
    // `May` and `March` are also ordinary words.
    read: (part, shown) =>
      part('day') === '' && part('year') === ''
        ? null
        : makeDateQuantity(part('year'), monthNumber(part('month')), part('day'), shown),
  },
  {
    // Short forms must be capitalized, because `sat` is also a word.
    pattern:
      /\b(?:(?<day>(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?)|(?<short>Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun))\b\.?/g,
    read: (part, shown) => ({
      kind: 'weekday',
      day: dayNames.indexOf((part('day') || part('short')).slice(0, 3).toLowerCase()) + 1,
      shown,
    }),
  },
  {
    pattern: /(?<japanese>[月火水木金土日])曜日?|(?:周|星期|礼拜)(?<day>[一二三四五六日天])/g,
    read: (part, shown) => ({
      kind: 'weekday',
      day:
        part('japanese') === ''
          ? '一二三四五六日'.indexOf(part('day').replace('天', '日')) + 1
          : '月火水木金土日'.indexOf(part('japanese')) + 1,
      shown,
    }),
  },
  {
    pattern:
      /\b(?<day>yesterday|today|tonight|tomorrow)(?:'s)?\b|(?<han>前天|昨[天晚日]|今[天晚日夜]|明[天晚早日]|后天)/gi,
    read: (part, shown) => ({ kind: 'relative', day: daysFromToday(part('day').toLowerCase() || part('han')), shown }),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(?<past>half|quarter) (?<side>past|to) )?(?<hour>\d{1,2}|${small.slice(1, 13).join('|')})(?:[:.](?<minute>\d{2}))?(?: ?o'clock)? ?(?:(?<half>[ap])\.?m\b\.?|in the (?<day>morning|afternoon|evening)|at night|(?<=o'clock ?))`,
      'gi',
    ),
    read: (part, shown) => makeClockTimeFromPartsOrNull(part, shown),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?<past>half|quarter) (?<side>past|to) (?<hour>\d{1,2}|${small.slice(1, 13).join('|')})\b`,
      'gi',
    ),
    read: (part, shown) => makeClockTimeFromPartsOrNull(part, shown),
  },
  {
    pattern: /\b(?:noon|midday|(?<night>midnight))\b/gi,
    read: (part, shown) => ({ kind: 'time', minutes: part('night') === '' ? halfDay : 0, half: true, shown }),
  },
  {
    pattern: /(?<![\d:.])(?<hour>\d{1,2}):(?<minute>\d{2})(?![\d:])/g,
    read: (part, shown) => makeClockTimeQuantityOrNull(Number(part('hour')), Number(part('minute')), null, shown),
  },
  {
    pattern: new RegExp(
      String.raw`(?<half>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|今晚|明晚|午前|午後|朝|夜)?(?<hour>${hanOrDigits})(?:点钟?|时(?!间)|時(?!間))(?:(?<minute>半|一刻|三刻|${hanOrDigits})分?)?`,
      'g',
    ),
    read: (part, shown) => {
      const half = part('half');
      const minute = hanMinutes.get(part('minute')) ?? parseHanNumber(part('minute') || '0');
      const late = half === '' ? null : /中午|下午|傍晚|晚|午後|夜/.test(half);
      return makeClockTimeQuantityOrNull(parseHanNumber(part('hour')), minute, late, shown);
    },
  },
  {
    pattern: new RegExp(
      String.raw`百分之(?<number>${hanOrDigits})|(?<tenths>[一二两三四五六七八九])成|(?<half>一半)`,
      'g',
    ),
    read: (part, shown) => {
      const tenths = part('half') === '' ? parseHanNumber(part('tenths')) : 5;
      return makeNumberQuantity(part('number') === '' ? tenths * 10 : parseHanNumber(part('number')), 'percent', shown);
    },
  },
  {
    pattern: new RegExp(
      String.raw`(?<![A-Za-z\d.])(?<sign>[$€£¥]?)(?<number>\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:(?:st|nd|rd|th)(?![A-Za-z])|(?<times>[k万亿千百])(?![A-Za-z克米])| (?<times2>thousand|million|hundred)\b)?${unitPattern}`,
      'gi',
    ),
    read: (part, shown) => {
      const times = multiples.get(part('times').toLowerCase() || part('times2').toLowerCase()) ?? 1;
      const value = Number(part('number').replace(/[,\u00a0\u202f]/g, '')) * times;
      return makeNumberQuantity(value, part('sign') || part('unit'), shown);
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:an? )?(?<whole>half a dozen|couple|dozen)(?: of)?|(?<part>half|quarter)(?: an?| of an?)?|(?<tens>${round.join('|')})?[ -]?(?<ones>${[...small.toReversed(), ...ordinals].join('|')}|an?)?(?: (?<times>hundred|thousand|million))?(?<more> and a half)?)\b${unitPattern}(?<after> and a half)?`,
      'gi',
    ),
    read: (part, shown) => {
      const unitName = part('unit');
      if (part('part') !== '') {
        const quarters = part('part').toLowerCase() === 'half' ? 2 : 1;
        return unitName === ''
          ? makeNumberQuantity(quarters * 25, 'percent', shown)
          : makeNumberQuantity(quarters / 4, unitName, shown);
      }
      const tens = round.indexOf(part('tens').toLowerCase()) * 10 + 20;
      const ones = lookUpEnglishNumber(part('ones') || part('whole'));
      if (ones === null && tens < 20) return null;
      const times = multiples.get(part('times').toLowerCase()) ?? 1;
      const value = ((tens < 20 ? 0 : tens) + (ones ?? 0)) * times + (part('more') + part('after') === '' ? 0 : 0.5);
      // `One of us`, `the other one`.
      return value === 1 && unitName === '' ? null : makeNumberQuantity(value, unitName, shown);
    },
  },
  {
    pattern: new RegExp(
      String.raw`(?<number>半|[${han}]+)(?<half>个半|半)?(?:(?=[${measures}])|(?<=[${han}][十百千万亿]))${unitPattern}`,
      'gi',
    ),
    read: (part, shown) => {
      const value = part('number') === '半' ? 0.5 : parseHanNumber(part('number'));
      if ((value === 1 || value === 0.5) && part('unit') === '') return null;
      return makeNumberQuantity(value + (part('half') === '' ? 0 : 0.5), part('unit'), shown);
    },
  },
];

const hanMinutes: ReadonlyMap<string, number> = new Map([
  ['半', 30],
  ['一刻', 15],
  ['三刻', 45],
]);

const daysFromToday = (word: string): number =>
  /^(?:前)/.test(word) ? -2 : /^(?:y|昨)/.test(word) ? -1 : /^(?:tom|明)/.test(word) ? 1 : word === '后天' ? 2 : 0;

const makeClockTimeFromPartsOrNull = (part: (name: string) => string, shown: string): Quantity | null => {
  const minute = part('past') === '' ? Number(part('minute')) : part('past').toLowerCase() === 'half' ? 30 : 15;
  const before = part('side').toLowerCase() === 'to';
  const hour = /\d/.test(part('hour')) ? Number(part('hour')) : (lookUpEnglishNumber(part('hour')) ?? 0);
  const said = (part('half') || part('day') || (/night/i.test(shown) ? 'p' : '')).toLowerCase();
  const late = said === '' ? null : !/^[am](?!f)/.test(said);
  return before
    ? makeClockTimeQuantityOrNull(hour - 1, 60 - minute, late, shown)
    : makeClockTimeQuantityOrNull(hour, minute, late, shown);
};

/** `late` is null if the half of the day is not given; an hour after noon gives it. */
const makeClockTimeQuantityOrNull = (
  hour: number,
  minute: number,
  late: boolean | null,
  shown: string,
): Quantity | null => {
  const minutes = ((late === null ? hour : (hour % 12) + (late ? 12 : 0)) % 24) * 60 + minute;
  return hour < 0 || hour > 24 || minute > 59 ? null : { kind: 'time', minutes, half: late !== null, shown };
};

const makeNumberQuantity = (value: number, unitName: string, shown: string): Quantity => {
  const [measure = null, times = 1] = lookUpDimensionAndMultiple(unitName) ?? [];
  return { kind: 'number', value, unit: measure, size: Number((value * times).toPrecision(12)), shown };
};
