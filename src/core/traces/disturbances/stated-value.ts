/** Months as answers write them. */
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const numberPattern =
  /(?<![\p{L}\p{N}_.,])-?\d+(?:[.,\u00a0\u202f']\d+)*(?:\s?(?:k|thousand|million|m|bn|billion)\b)?/giu;
/** With plain spaces between thousands, as in French. */
const spacedPattern = /(?<![\p{L}\p{N}_.,])-?\d{1,3}(?: \d{3})+(?:,\d+)?(?!\p{N})/gu;
const scales: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };

/** Numbers in answers are rounded by up to so much of their value. */
const roundingShare = 0.006;

/**
 * Returns where a text states a value: a number in another notation or rounded (0.6%), an ISO date in words or in other orders, any other
 * value as it is, by itself and in any case.
 */
export function listPlacesOfValue(value: string, text: string): number[] {
  const wanted = parseNumberOrNull(value);
  if (wanted !== null) {
    return [...text.matchAll(numberPattern), ...text.matchAll(spacedPattern)]
      .filter(([written]) => listReadings(written).some((number) => isAbout(number, wanted)))
      .map(({ index }) => index);
  }
  return writtenForms(value).flatMap((form) => placesOfWords(form, text));
}

/**
 * Returns what a written number may be. An `m` after it may be its scale, or metres and minutes; a separator before three digits may
 * be one of thousands, as a point is in German, or of decimals.
 */
const listReadings = (written: string): (number | null)[] => {
  const unscaled = written.replace(/\s?m$/iu, '');
  const ambiguous = /^(-?\d{1,3})[.,](\d{3})$/;
  return [written, unscaled, ...['$1$2', '$1.$2'].map((form) => unscaled.replace(ambiguous, form))].map(
    parseNumberOrNull,
  );
};

const isAbout = (number: number | null, wanted: number): boolean =>
  number !== null && Math.abs(number - wanted) <= Math.abs(wanted) * roundingShare;

/** Reads a number as people write it: with separators of thousands, a decimal point or comma, and a word for its scale. */
function parseNumberOrNull(written: string): number | null {
  const [, digits, scale] =
    /^(-?\d+(?:[.,\u00a0\u202f' ]\d+)*)(?:\s?(k|thousand|million|m|bn|billion))?$/iu.exec(written.trim()) ?? [];
  if (digits === undefined) return null;
  const plain = digits.replaceAll(/[\u00a0\u202f' ]/gu, '');
  const separators = plain.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  const isGrouping =
    last !== undefined &&
    (separators.filter((each) => each === last).length > 1 || (last === ',' && /,\d{3}$/.test(plain)));
  const whole = isGrouping || last === undefined ? plain.replaceAll(/[.,]/g, '') : '';
  const decimal =
    whole === '' && last !== undefined ? plain.slice(0, plain.lastIndexOf(last)).replaceAll(/[.,]/g, '') : '';
  const number = whole !== '' ? Number(whole) : Number(`${decimal}.${plain.slice(plain.lastIndexOf(last ?? '') + 1)}`);
  return Number.isFinite(number) ? number * (scales[scale?.toLowerCase() ?? ''] ?? 1) : null;
}

function writtenForms(value: string): string[] {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return [value];
  const name = months[Number(month) - 1] ?? '';
  const date = String(Number(day));
  const ordinals = [date, `${date}st`, `${date}nd`, `${date}rd`, `${date}th`];
  return [
    value,
    ...[name, name.slice(0, 3)].flatMap((word) =>
      ordinals.flatMap((each) => [
        `${word} ${each}, ${year}`,
        `${word} ${each} ${year}`,
        `${each} ${word} ${year}`,
        `${each} of ${word} ${year}`,
      ]),
    ),
    `${day}/${month}/${year}`,
    `${month}/${day}/${year}`,
    `${day}.${month}.${year}`,
    `${date}.${String(Number(month))}.${year}`,
  ];
}

/** Returns where words stand in a text by themselves. */
function placesOfWords(words: string, text: string): number[] {
  const [low, wanted] = [text.toLowerCase(), words.toLowerCase()];
  const found: number[] = [];
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + 1)) {
    const isInside = /[\p{L}\p{N}_]/u.test(low[at - 1] ?? '') || /[\p{L}\p{N}_]/u.test(low[at + wanted.length] ?? '');
    if (!isInside) found.push(at);
  }
  return found;
}
