/** Numbers, times of day and dates in requests, in one form however they are written: `1,000`, `1000`, `一千`, `3 pm`, `15:00`. */

export type Quantity =
  | {
      readonly kind: 'number';
      readonly value: number;
      /** In one form, as far as it is known: `percent`, `km`. */
      readonly unit: string | null;
      /** Spelled out it is often said in passing (`the two branches`); 1 mostly is (`one of us`, `from 1 to 20`). */
      readonly weight: 'digits' | 'words' | 'none';
      readonly shown: string;
    }
  /** Minutes since midnight. */
  | { readonly kind: 'time'; readonly minutes: number; readonly shown: string }
  | {
      readonly kind: 'date';
      readonly year: number | null;
      readonly month: number;
      readonly day: number | null;
      readonly shown: string;
    }
  /** From Monday, 1. */
  | { readonly kind: 'weekday'; readonly day: number; readonly shown: string };

/** The quantities of a text, and the text without them. */
export function readQuantities(text: string): { readonly quantities: readonly Quantity[]; readonly rest: string } {
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

/** The value of a quantity, whatever its unit. */
export const valueOf = (quantity: Quantity): string => {
  switch (quantity.kind) {
    case 'number':
      return String(quantity.value);
    case 'time':
      return `${quantity.minutes} minutes`;
    case 'date':
      return `${quantity.month}-${quantity.day ?? ''}`;
    case 'weekday':
      return `weekday ${quantity.day}`;
  }
};

/** Whether two quantities can mean the same. */
export function sameQuantity(a: Quantity, b: Quantity): boolean {
  if (a.kind === 'number' && b.kind === 'number')
    return a.value === b.value && (a.unit === null || b.unit === null || a.unit === b.unit);
  if (a.kind === 'time' && b.kind === 'time') return a.minutes === b.minutes;
  // `at nine`, `9 am`
  if (a.kind === 'time' && b.kind === 'number') return b.unit === null && a.minutes === b.value * 60;
  if (a.kind === 'number' && b.kind === 'time') return sameQuantity(b, a);
  if (a.kind === 'date' && b.kind === 'date')
    return a.month === b.month && a.day === b.day && (a.year === null || b.year === null || a.year === b.year);
  return a.kind === 'weekday' && b.kind === 'weekday' && a.day === b.day;
}

/** Units that have more than one name; one that is not here is none. */
const units: ReadonlyMap<string, string> = new Map(
  Object.entries({
    percent: '% percent pct',
    dollar: '$ dollar dollars usd 美元',
    euro: '€ euro euros eur 欧元',
    pound: '£ gbp 英镑',
    yuan: '元 块 块钱 人民币 rmb cny yuan',
    yen: '¥ yen jpy 日元',
    km: 'km kilometre kilometres kilometer kilometers 公里 千米',
    mile: 'mile miles mi 英里',
    metre: 'm metre metres meter meters 米',
    kg: 'kg kilo kilos kilogram kilograms 公斤 千克',
    pounds: 'lb lbs pounds 磅',
    gram: 'g gram grams 克',
    litre: 'l litre litres liter liters 升',
    celsius: '°c celsius 摄氏度',
    fahrenheit: '°f fahrenheit 华氏度',
    second: 's sec second seconds 秒',
    minute: 'min mins minute minutes 分钟',
    hour: 'h hour hours 小时',
    day: 'day days 天',
    week: 'week weeks 周',
    month: 'month months 个月',
    year: 'year years 年',
    person: 'person people persons 人 个人',
    byte: 'byte bytes 字节',
    mb: 'mb megabyte megabytes',
    gb: 'gb gigabyte gigabytes',
  }).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit])),
);

/** A known unit, if one stands here. */
const unit = String.raw`(?: ?(?<unit>${[...units.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => name.replace('$', String.raw`\$`) + (/[a-z]$/.test(name) ? '(?![A-Za-z])' : ''))
  .join('|')}))?`;

interface Reader {
  readonly pattern: RegExp;
  /** Null where it is none after all. */
  readonly read: (part: (name: string) => string, shown: string) => Quantity | null;
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = String.raw`(?<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?`;
const monthNumber = (name: string): number => monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const han = '零〇一二两三四五六七八九十百千万亿';
/** A number in digits or Chinese numerals. */
const hanOrDigits = String.raw`(?:\d+(?:\.\d+)?[十百千万亿]*|[${han}]+)`;
/** What is counted after a numeral; without one a numeral may be part of any word. */
const measures =
  '个位名份条张页天日周月年点分秒时小人次块元公英里米千克斤磅度本件项步台杯种道倍组层行列字封部套支只双间家辆座篇句首题轮季号楼口升华摄';

const dated = (year: string, monthOf: number, day: string, shown: string): Quantity => ({
  kind: 'date',
  year: year === '' ? null : Number(year),
  month: monthOf,
  day: day === '' ? null : Number(day),
  shown,
});

const readers: readonly Reader[] = [
  {
    pattern: /(?<!\d)(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?!\d)/g,
    read: (part, shown) => dated(part('year'), Number(part('month')), part('day'), shown),
  },
  {
    pattern: new RegExp(
      String.raw`(?:(?<year>\d{4})年)?(?<month>\d{1,2}|[一二三四五六七八九十]{1,2})月(?!份?[里内])(?:(?<day>\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?`,
      'g',
    ),
    read: (part, shown) => {
      const day = part('day');
      return dated(part('year'), hanNumber(part('month')), day === '' ? '' : String(hanNumber(day)), shown);
    },
  },
  {
    pattern: new RegExp(String.raw`\b(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}(?:,? (?<year>\d{4}))?\b`, 'gi'),
    read: (part, shown) => dated(part('year'), monthNumber(part('month')), part('day'), shown),
  },
  {
    pattern: new RegExp(
      String.raw`\b${month} (?:(?<day>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:(?:, ?)?(?<year>\d{4}))?\b`,
      'g',
    ),
    // `May` and `March` are words as well.
    read: (part, shown) =>
      part('day') === '' && part('year') === ''
        ? null
        : dated(part('year'), monthNumber(part('month')), part('day'), shown),
  },
  {
    pattern: /\b(?<day>Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)s?\b/gi,
    read: (part, shown) => ({ kind: 'weekday', day: dayNames.indexOf(part('day').toLowerCase()) + 1, shown }),
  },
  {
    pattern: /(?:周|星期|礼拜)(?<day>[一二三四五六日天])/g,
    read: (part, shown) => ({
      kind: 'weekday',
      day: '一二三四五六日'.indexOf(part('day').replace('天', '日')) + 1,
      shown,
    }),
  },
  {
    pattern: /(?<![\d:])(?<hour>\d{1,2})(?:[:.](?<minute>\d{2}))? ?(?<half>[ap])\.?m\b\.?/gi,
    read: (part, shown) =>
      timeOf(Number(part('hour')), Number(part('minute')), part('half').toLowerCase() === 'p', shown),
  },
  {
    pattern: /(?<![\d:.])(?<hour>\d{1,2}):(?<minute>\d{2})(?![\d:])/g,
    read: (part, shown) => timeOf(Number(part('hour')), Number(part('minute')), false, shown),
  },
  {
    pattern: new RegExp(
      String.raw`(?<half>凌晨|早上|上午|中午|下午|傍晚|晚上)(?<hour>${hanOrDigits})[点时](?:(?<minute>半|${hanOrDigits})分?)?`,
      'g',
    ),
    read: (part, shown) => {
      const late = ['下午', '傍晚', '晚上'].includes(part('half'));
      const minute = part('minute') === '半' ? 30 : hanNumber(part('minute') || '0');
      return timeOf(hanNumber(part('hour')), minute, late, shown);
    },
  },
  {
    pattern: new RegExp(String.raw`百分之(?<number>${hanOrDigits})`, 'g'),
    read: (part, shown) => numberOf(hanNumber(part('number')), 'percent', 'digits', shown),
  },
  {
    pattern: new RegExp(
      String.raw`(?<![A-Za-z\d.])(?<sign>[$€£¥]?)(?<number>\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:(?<times>[k万亿千百])(?![A-Za-z克米])| (?<times2>thousand|million|hundred)\b)?${unit}`,
      'gi',
    ),
    read: (part, shown) => {
      const unit = unitOf(part('sign')) ?? unitOf(part('unit'));
      const times = multiples.get(part('times') || part('times2')) ?? 1;
      const value = Number(part('number').replace(/[,\u00a0\u202f]/g, '')) * times;
      return numberOf(value, unit, 'digits', shown);
    },
  },
  {
    pattern: new RegExp(
      String.raw`(?<![A-Za-z])(?<tens>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?[ -]?(?<ones>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|zero|a dozen|a hundred)?(?: (?<times>hundred|thousand|million))?(?![A-Za-z])${unit}`,
      'gi',
    ),
    read: (part, shown) => {
      const tens = englishNumber(part('tens'));
      const ones = englishNumber(part('ones'));
      if (tens === null && ones === null) return null;
      const value = ((tens ?? 0) + (ones ?? 0)) * (multiples.get(part('times').toLowerCase()) ?? 1);
      return numberOf(value, unitOf(part('unit')), 'words', shown);
    },
  },
  {
    pattern: new RegExp(String.raw`(?<!第)(?<number>[${han}]+)(?=[${measures}])${unit}`, 'gi'),
    read: (part, shown) => {
      const value = hanNumber(part('number'));
      return numberOf(value, unitOf(part('unit')), 'words', shown);
    },
  },
];

const timeOf = (hour: number, minute: number, late: boolean, shown: string): Quantity | null => {
  const minutes = ((late && hour < 12 ? hour + 12 : hour) % 24) * 60 + minute;
  return hour > 24 || minute > 59 ? null : { kind: 'time', minutes, shown };
};

const numberOf = (
  value: number,
  unit: string | null,
  weight: Extract<Quantity, { kind: 'number' }>['weight'],
  shown: string,
): Quantity => ({ kind: 'number', value, unit, weight: value === 1 ? 'none' : weight, shown });

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const round = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const englishNumber = (word: string): number | null => {
  const lower = word.toLowerCase();
  if (lower === '') return null;
  if (lower === 'a dozen') return 12;
  if (lower === 'a hundred') return 100;
  return small.includes(lower) ? small.indexOf(lower) : (round.indexOf(lower) + 2) * 10;
};

const multiples: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['百', 100],
  ['千', 1e3],
  ['万', 1e4],
  ['亿', 1e8],
]);

const hanDigits = '零一二三四五六七八九';

/** A number in Chinese numerals, or in digits. */
function hanNumber(text: string): number {
  let total = 0;
  let part = 0;
  let digit: number | null = null;
  for (const token of text.match(/\d+(?:\.\d+)?|\D/g) ?? []) {
    const value = /^\d/.test(token) ? Number(token) : hanDigits.indexOf(token.replace('〇', '零').replace('两', '二'));
    if (value >= 0) {
      digit = value;
      continue;
    }
    const times = token === '十' ? 10 : (multiples.get(token) ?? 1);
    if (times < 1e4) part += (digit ?? 1) * times;
    else {
      total += (part + (digit ?? (part === 0 ? 1 : 0))) * times;
      part = 0;
    }
    digit = null;
  }
  return total + part + (digit ?? 0);
}

const unitOf = (name: string): string | null => units.get(name.toLowerCase()) ?? null;
