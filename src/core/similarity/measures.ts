/** Units of measurement with all their names. */

/** Units that have several names, by dimension, as multiples of the smallest unit. Other units are not known. */
const units: ReadonlyMap<string, readonly [measure: string, times: number]> = new Map(
  [
    'percent 1 % percent pct',
    'dollar 1 $ dollar dollars usd 美元 美金',
    'euro 1 € euro euros eur 欧元',
    // Weight or money, depending on the context.
    'pound 1 £ gbp quid lb lbs pound pounds 英镑 磅',
    'yuan 1 元 块 块钱 人民币 rmb cny yuan',
    'yen 1 ¥ yen jpy 日元',
    'won 1 krw won 韩元',
    'mm 1 mm 毫米',
    'mm 10 cm centimetre centimetres centimeter centimeters 厘米 公分',
    'mm 1000 m metre metres meter meters 米',
    'mm 1000000 km kilometre kilometres kilometer kilometers 公里 千米',
    'mile 1 mile miles mi 英里',
    'inch 1 inch inches 英寸',
    'foot 1 ft foot feet 英尺',
    'gram 1 g gram grams 克',
    'gram 500 斤',
    'gram 1000 kg kilo kilos kilogram kilograms 公斤 千克',
    'ml 1 ml millilitre millilitres milliliter milliliters 毫升',
    'ml 1000 l litre litres liter liters 升',
    'celsius 1 °c celsius 摄氏度',
    'fahrenheit 1 °f fahrenheit 华氏度',
    'second 1 s sec secs second seconds 秒 秒钟',
    'second 60 min mins minute minutes 分钟',
    'second 3600 h hr hrs hour hours 小时 个小时 钟头',
    'day 1 day days 天',
    'day 7 week weeks 周 个星期 星期',
    'month 1 month months 个月',
    'month 12 year years yr yrs 年',
    'person 1 person people persons 人 个人',
    'byte 1 byte bytes 字节',
    'byte 1000 kb kilobyte kilobytes',
    'byte 1000000 mb megabyte megabytes',
    'byte 1000000000 gb gigabyte gigabytes',
  ].flatMap((line) => {
    const [measure = '', times = '', ...names] = line.split(' ');
    return names.map((name): [string, readonly [string, number]] => [name, [measure, Number(times)]]);
  }),
);

/** Returns a unit as its dimension and its multiple of the smallest unit (`second 60`); any other word is unchanged. */
export const normalizeMeasurementUnit = (word: string): string => units.get(word.toLowerCase())?.join(' ') ?? word;

/** Returns the dimension and the multiple of its smallest unit; undefined for an unknown unit. */
export const lookUpDimensionAndMultiple = (name: string) => units.get(name.toLowerCase());

/** Optional part of a pattern that matches a known unit. */
export const unitPattern = String.raw`(?:[ -]?(?<unit>${[...units.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => name.replace('$', String.raw`\$`) + (/[a-z]$/.test(name) ? '(?![A-Za-z])' : ''))
  .join('|')}))?`;
