/** The content of requests that are written neither in Latin letters nor in Chinese. */

interface Language {
  readonly script: RegExp;
  readonly locale: string;
  /** Words of politeness, grammar and asking, as a request for a tool has them, separated by spaces. */
  readonly empty: string;
  /** Verbs that mean the same in most requests. */
  readonly synonyms: readonly string[];
  /** Returns one form for the inflections of a word. */
  readonly normalize: (word: string) => string;
}

const returnWordUnchanged = (word: string): string => word;

const normalizeArabicWord = (word: string): string =>
  word
    .replace(/[\u064b-\u0652\u0670\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/^(?:[وفبكل]?ال|لل|[وفبل])(?=\p{L}{3})/u, '')
    .replace(/(?<=\p{L}{3})(?:ها|هم|ين|ون|ات|ا|ه)$/u, '');

const normalizeRussianWord = (word: string): string =>
  word
    .replaceAll('ё', 'е')
    .replace(
      /(?<=\p{L}{3})(?:иями|ями|ами|ией|их|ых|им|ым|ого|его|ому|ему|ыми|ими|ах|ях|ов|ев|ей|ом|ем|ой|ый|ий|ая|яя|ое|ее|ые|ие|ую|юю|ам|ям|ия|ии|ию|[аяоеуюыиьй])$/u,
      '',
    );

const normalizeKoreanWord = (word: string): string =>
  word.replace(
    /(?<=\p{L}{2})(?:에서는|에서|으로|에게|까지|부터|처럼|과의|와의|인가요|입니까|예요|이에요|은|는|이|가|을|를|의|에|로|와|과|도|만)$/u,
    '',
  );

const languages: readonly Language[] = [
  {
    script: /\p{Script=Thai}/u,
    locale: 'th',
    empty: `ช่วย หน่อย ให้ ขอ กรุณา ครับ ค่ะ คะ ด้วย ที นะ บ้าง ไหม มี ที่ ใน ของ จาก และ แล้ว กับ เป็น คือ จะ ได้ ไป มา ลง ออก ไว้ ตอน
      อยาก ต้องการ อะไร อย่างไร ยังไง เท่าไร เท่าไหร่ กี่ ไหน เท่ากับ เช็ค ดู บอก แสดง ตั้ง นัด  รายการ หา ค้นหา เนื้อหา ทั้งหมด หมด แถว ใกล้ ฉัน ผม`,
    synonyms: ['เพิ่ม บันทึก ใส่ จด', 'ลบ เอาออก', 'ประชุม นัดหมาย'],
    normalize: returnWordUnchanged,
  },
  {
    script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    locale: 'ja',
    empty: `を に は が の で と も へ や か から まで より など て た だ です ます まし ませ ない する し して いる い ある あり なり なる くださ くだ さい ください 下さい
      教え おしえ おし え 見せ みせ 表示 知り しり たい もらえ くれ んで ん ら まだ って おい おいて お願い ねがい それ これ この その どう 何 なに いくら いつ どこ として よう こと もの つ です か
      近く 周辺 ちかく 探 探し 見 見つけ 読  内容 最新 直近 まとめ 要約`,
    synonyms: ['追加 入れ 記録 登録', '削除 消し'],
    normalize: returnWordUnchanged,
  },
  {
    script: /\p{Script=Hangul}/u,
    locale: 'ko',
    empty: `줘 주세요 주십시오 줄래 해 해줘 하고 좀 그리고 이 그 저 내 나 것 수 알려 알려줘 보여 보여줘 찾아 찾아줘 바꿔 잡아 어때 어떤 얼마 얼마야 얼마인가요 몇 뭐 뭐야
      무엇 인가요 있는 있어 지금 현재 근처 주변 항목 내용 씨 개 가지`,
    synonyms: ['추가 추가해 넣어 기록 기록해 등록', '삭제 지워'],
    normalize: normalizeKoreanWord,
  },
  {
    script: /\p{Script=Arabic}/u,
    locale: 'ar',
    empty: `ما ماذا ماهو هو هي هل كم كيف اين متي من في علي الي عن مع ان هذا هذه ذلك التي الذي لي لهذا يكون سيكون كان فضلك رجاء اريد اخبرني اعطني اظهر اعرض ابحث 
      حدد رتب ضمن قريب قرب قدر محتوي حال ثم او`,
    synonyms: ['اضف سجل ادخل', 'احذف امسح'],
    normalize: normalizeArabicWord,
  },
  {
    script: /\p{Script=Cyrillic}/u,
    locale: 'ru',
    empty: `и в во на с со к ко о об от до из за по для у а но или не ли же бы это этот этом эта мне мой нам я ты вы пожалуйст подскаж скаж покаж вывед дай найд нужен нужн нужно
      как какая какой какие какая каков сколько что где когда рядом около стоят стоит  назнач постав посчита кратк изложи содержан`,
    synonyms: ['добавь запиши внеси поставь назначь', 'удали убери сотри'],
    normalize: normalizeRussianWord,
  },
];

const generic: Language = { script: /\p{L}/u, locale: 'und', empty: '', synonyms: [], normalize: returnWordUnchanged };

/** A language, ready for use. */
interface Reader {
  readonly segmenter: Intl.Segmenter;
  readonly isEmpty: (word: string) => boolean;
  readonly oneForm: (word: string) => string;
}

/** A grammatical ending in Japanese, cut off from its word. */
const shortHiragana = /^\p{Script=Hiragana}{1,2}$/u;

function makeWordRulesOfLanguage({ locale, empty, synonyms, normalize }: Language): Reader {
  const emptyWords = new Set(empty.split(/\s+/).map(normalize));
  const forms = new Map(
    synonyms.flatMap((line) => {
      const [first = '', ...others] = line.split(' ').map(normalize);
      return others.map((word): [string, string] => [word, first]);
    }),
  );
  return {
    segmenter: new Intl.Segmenter(locale, { granularity: 'word' }),
    isEmpty: (word) => emptyWords.has(word) || shortHiragana.test(word),
    oneForm: (word) => {
      const normal = normalize(word);
      return forms.get(normal) ?? normal;
    },
  };
}

const readers = new Map<Language, Reader>();

/** Returns the reader of a text's language; each is made once, when it is first needed. */
function getWordRulesForText(text: string): Reader {
  const language = languages.find(({ script }) => script.test(text)) ?? generic;
  const reader = readers.get(language) ?? makeWordRulesOfLanguage(language);
  readers.set(language, reader);
  return reader;
}

/** Returns the words of a text in lower case, each in one form, without those that have no content unless all are such. */
export function contentWordsByLanguageRules(text: string): string[] {
  const { segmenter, isEmpty, oneForm } = getWordRulesForText(text);
  const words = [...segmenter.segment(text.normalize('NFKC').toLowerCase())].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [oneForm(segment)] : [],
  );
  const full = words.filter((word) => !isEmpty(word));
  return full.length === 0 ? words : full;
}

/** Returns whether two words are forms of one word: Москва, Москве. */
export const isSameForeignWord = (a: string, b: string): boolean => {
  const { oneForm } = getWordRulesForText(a);
  return oneForm(a.toLowerCase()) === oneForm(b.toLowerCase());
};

/** Returns the pairs of neighbouring letters of words; a word of one letter as it is. */
export const letterPairs = (words: readonly string[]): string[] =>
  words.flatMap((word) => {
    const letters = [...word];
    return letters.length < 2 ? letters : letters.slice(1).map((letter, before) => `${letters[before] ?? ''}${letter}`);
  });
