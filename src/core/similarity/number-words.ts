/**
 * Numbers as other scripts write them: their digits, and number words up to ten where what follows or stands around
 * them shows that they are numbers. One is left out, because it is an article too.
 */

/** The digit 0 of decimal digits that NFKC leaves alone: Arabic, Persian, Devanagari, Bengali, Thai, Lao, Khmer, Burmese. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0x0ed0, 0x17e0, 0x1040];

const toAsciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });

/** By language: the forms of 2 to 10, and what has to follow a form. */
interface NumberWords {
  readonly forms: readonly string[];
  readonly before: string;
  readonly after: string;
}

const wordStart = String.raw`(?<![\p{L}\p{M}])`;
const wordEnd = String.raw`(?![\p{L}\p{M}])`;

const languages: readonly NumberWords[] = [
  {
    forms: ['สอง', 'สาม', 'สี่', 'ห้า', 'หก', 'เจ็ด', 'แปด', 'เก้า', 'สิบ'],
    before: '(?<!สิบ|ยี่|ร้อย)',
    after: '(?=ข้อ|คน|ปี|วัน|เดือน|สัปดาห์|ชั่วโมง|นาที|โมง|ทุ่ม|ครั้ง|อัน|ใบ|เล่ม|ตัว|ที่|บาท|ร้าน|รายการ|บรรทัด|ไฟล์|ห้อง)',
  },
  {
    forms: ['두', '세|셋', '네|넷', '다섯', '여섯', '일곱', '여덟', '아홉', '열'],
    before: wordStart,
    after: ' ?(?=개|가지|명|시|번|장|권|대|살|마리|잔|병|분|줄|건|달|곳|군데)',
  },
  {
    forms: ['اثنان|اثنين|اثنتين', 'ثلاثة?', 'أربعة?', 'خمسة?', 'ستة?', 'سبعة?', 'ثماني?ة?', 'تسعة?', 'عشرة?'],
    before: wordStart,
    after: wordEnd,
  },
  {
    forms: ['дв(?:а|е|ух|ум|умя)', 'тр(?:и|[её]х|[её]м|емя)', 'четыр(?:е|[её]х|[её]м|ьмя)'].concat(
      ['пят', 'шест', 'сем', 'вос(?:е|ь)м', 'девят', 'десят'].map((stem) => `${stem}(?:ь|и|ью)`),
    ),
    before: wordStart,
    after: wordEnd,
  },
];

const patterns = languages.flatMap(({ forms, before, after }) =>
  forms.map((form, at) => ({
    pattern: new RegExp(`${before}(?:${form})${after}`, 'giu'),
    number: ` ${at + 2} `,
  })),
);

/** Writes the numbers of other scripts in the digits 0 to 9. */
export const withAsciiNumbers = (text: string): string =>
  patterns.reduce((read, { pattern, number }) => read.replace(pattern, number), toAsciiDigits(text));
