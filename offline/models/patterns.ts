/** A part of a pattern: the characters that it may be, and how often it is repeated. */
interface Part {
  readonly choices: readonly string[];
  readonly times: number;
}

/**
 * Returns different texts that a pattern accepts, for patterns of plain characters, classes, repetitions, and groups
 * without alternatives; none for others. Each text is checked with the pattern itself.
 */
export const samplesOfPattern = (pattern: string, count: number): string[] => {
  const parts = parsePatternParts(pattern.replace(/^\^/u, '').replace(/\$$/u, ''));
  const whole = compilePatternOrNull(pattern);
  if (parts === null || whole === null) return [];
  const texts = Array.from({ length: count }, (_, which) =>
    parts.map(({ choices, times }, index) => repeatedChoicesText(choices, times, which * 3 + index)).join(''),
  );
  return [...new Set(texts)].filter((text) => whole.test(text));
};

const compilePatternOrNull = (pattern: string): RegExp | null => {
  if (pattern.length > 200) return null;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // Schemas of other languages have patterns that are none here; such an argument has no sample.
    return null;
  }
};

const repeatedChoicesText = (choices: readonly string[], times: number, from: number): string =>
  Array.from({ length: times }, (_, index) => choices[(from + index) % choices.length] ?? '').join('');

const atom =
  /^(?:\((?:\?:)?([^()|]*)\)|\[(\^?)((?:\\.|[^\]\\])+)\]|\\([dwsDWS])|\\(.)|([^\\()[\]{}*+?|^$.])|(\.))(?:\{(\d+)(?:,(\d*))?\}|([*+?]))?/u;

const parsePatternParts = (pattern: string): Part[] | null => {
  const parts: Part[] = [];
  let rest = pattern;
  while (rest !== '') {
    const found = atom.exec(rest);
    if (found === null) return null;
    const [whole, group, negated, set, kind, escaped, plain, any, least, , sign] = found;
    rest = rest.slice(whole.length);
    const times = least === undefined ? (sign === '+' ? 4 : sign === '*' || sign === '?' ? 1 : 1) : Number(least);
    if (group !== undefined) {
      const inner = parsePatternParts(group);
      if (inner === null) return null;
      for (let round = 0; round < Math.max(1, times); round += 1) parts.push(...inner);
      continue;
    }
    const choices =
      set !== undefined
        ? listCharactersOfClass(set, negated === '^')
        : kind !== undefined
          ? (kinds.get(kind) ?? [])
          : [escaped ?? plain ?? (any === undefined ? '' : 'a')];
    if (choices.length === 0) return null;
    parts.push({ choices, times });
  }
  return parts;
};

const digits = [...'2481357906'];
const letters = [...'mapletrinsdogkuvbcf'];
const kinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['d', digits],
  ['w', letters],
  ['s', [' ']],
  ['D', letters],
  ['W', ['-']],
  ['S', letters],
]);

/** Returns the characters of a class, letters and digits first. */
const listCharactersOfClass = (set: string, negated: boolean): string[] => {
  const own = new RegExp(`[${negated ? '^' : ''}${set}]`, 'u');
  const all = [...letters, ...letters.map((letter) => letter.toUpperCase()), ...digits, ...'-_./: #@'];
  return all.filter((character) => own.test(character));
};
