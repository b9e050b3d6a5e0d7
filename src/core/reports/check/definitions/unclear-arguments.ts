import { splitIdentifier } from '#core/catalog/category.ts';
import { arrayOrEmpty } from '#core/values/json-schema/json-object.ts';
import {
  findingOnTool,
  listedValuesOrNull,
  valueOfKeyword,
  type ReadArgument,
  type ReadTool,
  type ToolRule,
} from './read-tool.ts';
import { areWordsAkin, isEmptyWord, isMostlyLatin, plainWords, quoted } from './tool-words.ts';

/** Names that say nothing about what an argument is. */
const opaqueNames = new Set(
  `a b c d f i j k m n o p q r s t u v w x y z s1 s2 mode type kind value val values input inputs payload opts options option params param
  parameters config conf cfg flag flags filter filters args arg argument arguments settings setting data dat obj object item items
  key keys level variant format style method strategy action operation op cmd ctx context meta metadata extra misc info spec
  ref field fields prop props attr attrs selector scope state status category class group thing stuff token num str
  string arg1 arg2 arg3 param1 param2 param3 input1 input2 value1 value2 val1 val2 x1 x2 profile preset criteria modus typ wert daten art tipo modo valor dato datos opcion valeur donnees parametro parametre eingabe entrada entree`.split(
    /\s+/,
  ),
);
/** Names of two letters that people know. */
const shortNames = new Set(
  'id ip to tz db os cc no by at on of in ts up pr vm ns ui tv pc uk us eu qr ph km kg cm mm'.split(' '),
);
/** Descriptions of such words say nothing either. */
const genericWords = new Set(
  'value data parameter string number object input argument option field content text setting config configuration param variable the a an for of to this tool function call use pass passed given string integer boolean array list json any here please enter specify specifies set sets be used is wert daten angabe eingabe valor dato datos parametro parámetro valeur donnée données paramètre parametre'.split(
    ' ',
  ),
);

/** Returns whether the name of an argument says nothing about what it is. */
export const isOpaqueName = ({ name }: Pick<ReadArgument, 'name'>): boolean =>
  opaqueNames.has(name.toLowerCase()) ||
  (/^[a-z]{2}$/i.test(name) && !shortNames.has(name.toLowerCase())) ||
  /^(?:arg|param|input|value|val|opt|data|field|x|p)_?\d+$/i.test(name);

/** Words of several languages that say that a text is a date or a time, in a name. */
const timeName =
  /^(?:date|jour|dia|tag|termin|datetime|time|timestamp|day|datum|zeitpunkt|uhrzeit|zeit|fecha|hora|data|ora|heure|deadline|birthday|birthdate|dob|from_date|to_date)$/;
const timeEdge =
  /^(?:since|until|from|to|start|end|after|before|at|von|bis|depuis|desde|hasta|departure|arrival|checkin|checkout|due|begin)$/;
const speaksOfTime =
  /\b(?:dates?|times?|timestamps?|datetimes?|days?|datum|uhrzeit|zeitpunkt|fecha|hora)\b|(?<!\p{L})(?:дат[аыу]|время|день)(?!\p{L})|日期|时间|日時|日付|날짜|시간/iu;
/** Ways in which a text says the form of a time. */
const formOfTime =
  /\bISO|\bRFC|YYYY|yyyy|\bYY\b|\bMM\b|\bDD\b|JJJJ|\bTT\b|AAAA|\bHH\b|hh:mm|h:mm|%Y|\bunix\b|\bepoch\b|\bUTC\b|seconds|milliseconds|\d{4}-\d{2}|\d{1,2}[./:]\d{1,2}|\b\d{4}\b|e\.g|\beg\b|for example|such as|like "|\bz\.\s?B\b|\bpar exemple|\bpor ejemplo|\bzum Beispiel|例|"(?:today|now|tomorrow)|natural language|relative|weekday|monday|month name|\btoday\b|'now'|cron|format|\bas (?:given|returned|listed|shown|printed|in)\b|\bfrom [a-z]+_[a-z_]+\b|年/iu;

const unitName =
  /^(?:weight|mass|distance|length|width|height|depth|duration|timeout|delay|interval|ttl|size|temperature|temp|speed|velocity|radius|altitude|elevation|volume|area|pressure|power|energy|capacity|bandwidth|latency|lifetime|gewicht|entfernung|dauer|länge|breite|höhe|temperatur|geschwindigkeit|peso|distancia|distanza|duree|poids|duracion|longueur|largeur|hauteur|radio|umkreis|czas|tempo|tiempo|temps|zeitraum|waga|masa|dlugosc|odleglosc|wysokosc|szerokosc|predkosc|vaha|hmotnost|vzdalenost|vekt|lengde|gewichtskracht)$/;
/** Units, and words that make a number one without a unit. */
const unit =
  /\b(?:mm|cm|dm|m|km|mi|ft|in|inch(?:es)?|feet|foot|yards?|miles?|met(?:er|re)s?|kilomet(?:er|re)s?|centimet(?:er|re)s?|millimet(?:er|re)s?|kilometern?|metern?|zentimetern?|g|kg|mg|lb|lbs|oz|pounds?|ounces?|grams?|gramm|kilograms?|kilogramm|kilos?|kilo|tons?|tonnes?|tonnen?|s|sec|secs|ms|min|mins|h|hr|hrs|seconds?|sekunden|milliseconds?|millisekunden|minutes?|minuten|minutos?|hours?|stunden|horas?|heures?|days?|tagen?|días?|jours?|weeks?|wochen?|months?|monaten?|years?|jahren?|secondes?|segundos?|bytes?|bits?|b|kb|mb|gb|kib|mib|gib|pixels?|px|pt|pts|points?|em|rem|chars?|characters?|zeichen|lines?|words?|tokens?|rows?|entries|items|elements|results|records|pages|celsius|fahrenheit|kelvin|degrees?|grad|°|percent|prozent|%|km\/h|mph|kmh|knots|knoten|beaufort|kph|m\/s|hpa|bar|psi|pascals?|watts?|w|kw|kwh|kwp|wh|volts?|amps?|joules?|kcal|calories|lit(?:er|re)s?|litern?|ml|cl|dl|l|gallons?|m2|m²|m³|qm|hectares?|hektar|acres?|sq|square|cubic|ratio|factor|scale|between 0 and 1|0-1|0 to 1|fraction|dozens?|pieces?|people|persons?|guests?|servings?|beats?|bpm|cells?|steps?|ticks?|dimensions?|units?|einheit(?:en)?|hops?|nodes?|levels?|metric|imperial|si)\b|[°%²³″′]|厘米|公里|千米|公斤|克|秒|分钟|小时|天|米|像素|字节|キロ|メートル|グラム|時間|度/iu;

interface Unclear {
  readonly argument: ReadArgument;
  readonly sentence: string;
  readonly proposal: string;
}

/** Finds arguments that a model cannot fill in from what their definition says. */
export const findUnclearArguments: ToolRule = (tool) => {
  const found = tool.arguments.flatMap((each) => describeUnclear(each, tool) ?? []);
  const [one] = found;
  if (one === undefined) return null;
  return findingOnTool('argument-unclear', tool, {
    sentence: one.sentence,
    evidence: found.map(({ argument: { path, description } }) => `${path}: ${description}`),
    proposal: one.proposal,
  });
};

function describeUnclear(argument: ReadArgument, tool: ReadTool): Unclear | null {
  const { path, description } = argument;
  if (description === '' || isExplained(argument)) return null;
  if (isOpaqueName(argument) && saysOnlyItsName(argument) && !isNamedInDescription(argument, tool))
    return {
      argument,
      sentence: `the description of \`${path}\`, ${quoted(description)}, repeats its name, which says little`,
      proposal: `say what \`${path}\` does and which values it takes, with an example; list them as an \`enum\` if they are few`,
    };
  if (isTimeInUnknownForm(argument, tool))
    return {
      argument,
      sentence: `\`${path}\` asks for a date or a time, and nothing says in which form: ${quoted(description)}`,
      proposal: `add \`format: "date"\` or \`"date-time"\`, or write the form into the description, such as "YYYY-MM-DD, e.g. 2025-03-07"`,
    };
  if (isQuantityWithoutUnit(argument, tool))
    return {
      argument,
      sentence: `\`${path}\` asks for a quantity, and nothing says in which unit: ${quoted(description)}`,
      proposal: `name the unit in the description, or in the name, such as \`${argument.name}_${exampleUnit(argument.name)}\``,
    };
  return null;
}

const exampleUnit = (name: string): string =>
  /weight|mass|gewicht|peso|poids/i.test(name)
    ? 'kg'
    : /time|delay|duration|interval|ttl|dauer|dur/i.test(name)
      ? 'seconds'
      : /temp/i.test(name)
        ? 'celsius'
        : /size|capacity/i.test(name)
          ? 'bytes'
          : /speed|velocity/i.test(name)
            ? 'kmh'
            : 'km';

/** Whether the schema itself says which values an argument takes. */
const isExplained = (argument: ReadArgument): boolean =>
  listedValuesOrNull(argument) !== null ||
  ['format', 'pattern', 'const', 'properties', 'prefixItems'].some(
    (keyword) => valueOfKeyword(argument, keyword) !== undefined,
  );

const isFree = ({ types }: ReadArgument): boolean =>
  types.size === 0 || ['string', 'object', 'array', 'number', 'integer'].some((each) => types.has(each));

/** Whether the words of a description are only those of the name, and such that say nothing. */
function saysOnlyItsName(argument: ReadArgument): boolean {
  const { name, description } = argument;
  if (!isFree(argument)) return false;
  // One word of another script, such as 模式 or Режим.
  if (!isMostlyLatin(description))
    return /^(?:\p{Script=Han}{1,4}|[\p{Script=Cyrillic}\p{Script=Hangul}\p{Script=Katakana}]{1,12})[.。]?$/u.test(
      description,
    );
  const all = description.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (all.length === 0 || all.length > 8 || /["'`\d|]/.test(description)) return false;
  const named = splitIdentifier(name);
  const rest = plainWords(description).filter(
    (word) =>
      !genericWords.has(word) &&
      !foreignArticles.has(word) &&
      !isGenericEmptyWord(word) &&
      !named.some((each) => each === word || (each.length > 1 && areWordsAkin(each, word) && each[0] === word[0])),
  );
  return rest.length === 0;
}

const foreignArticles = new Set(
  'der die das den dem ein eine einen le la les un une el los las una de du des il lo di per für zu'.split(' '),
);
/** Small words that carry a meaning here: `to`, `from` and a count do, and so does what an argument belongs to. */
const isGenericEmptyWord = (word: string): boolean =>
  isEmptyWord(word) &&
  !/^(?:new|old|current|existing|default|each|all|multiple|single|first|other|user|users|tool|tools|server|client|result|results|task|request|command|output|object|entity|item)$/.test(
    word,
  );

/** Whether the description of the tool explains the argument by name. */
const isNamedInDescription = ({ name }: ReadArgument, { description }: ReadTool): boolean =>
  name.length > 1 &&
  new RegExp(`[\`"'*]${escape(name)}[\`"'*]|^\\s*[-*]?\\s*${escape(name)}\\b[^\\n]{0,20}[:(]`, 'm').test(description);

const escape = (text: string): string => text.replaceAll(/[^\w]/g, (each) => `\\${each}`);

function isTimeInUnknownForm(argument: ReadArgument, tool: ReadTool): boolean {
  const { name, types, description } = argument;
  if (argument.ambiguous || (types.size > 0 && !types.has('string'))) return false;
  const words = splitIdentifier(name);
  const isTime =
    words.some(
      (word) => timeName.test(word) && (word !== 'data' || /\b(?:data di|data da|data de)\b/i.test(description)),
    ) ||
    (words.some((word) => timeEdge.test(word)) && speaksOfTime.test(description));
  if (!isTime || !speaksOfTime.test(`${words.join(' ')} ${description}`)) return false;
  if (
    words.some((word) =>
      /^(?:zone|timezone|tz|format|unit|range|type|column|field|name|id|key|lang|period|frame|series|step|of|limit|out)$/.test(
        word,
      ),
    )
  )
    return false;
  if (/\b(?:column|field|property|name of|time ?zone|format|unit)\b/i.test(description)) return false;
  if (valueOfKeyword(argument, 'default') !== undefined) return false;
  const examples = arrayOrEmpty(valueOfKeyword(argument, 'examples'));
  if (examples.some((each) => typeof each === 'string' && !isAmbiguousDate(each))) return false;
  if (valueOfKeyword(argument, 'example') !== undefined) return false;
  const rest = tool.texts.filter(({ where }) => where !== 'title').map(({ text }) => text);
  // What the tool says of one time holds for its others.
  return (
    !formOfTime.test(description) &&
    !rest.some((text) => /\bISO|\bRFC|YYYY|JJJJ|AAAA|\d{4}-\d{2}-\d{2}|HH:mm|\bepoch\b|\bunix\b/i.test(text))
  );
}

/** `07.03.2025` and `3/7/25`: a day or a month may stand first. */
const isAmbiguousDate = (text: string): boolean => {
  const [, one = '', other = ''] = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}$/.exec(text.trim()) ?? [];
  return one !== '' && Number(one) <= 12 && Number(other) <= 12;
};

function isQuantityWithoutUnit(argument: ReadArgument, tool: ReadTool): boolean {
  const { name, types, description } = argument;
  if (!types.has('number') && !types.has('integer')) return false;
  if (argument.ambiguous) return false;
  const words = splitIdentifier(name);
  const last = words.at(-1) ?? '';
  if (
    !unitName.test(last) ||
    words.some(
      (word) =>
        /^(?:page|batch|sample|chunk|font|pool|group|window|max|queue|team|step|board|grid|population|list|result|set|party|data|buffer|vocab|kernel|path|tree|search|crawl|nest|link|recursion|tick|key|heap|bond|stroke|line|content|word|password|string|text|bit|lot|llm|sampling|model|top|diff|volume)$/.test(
          word,
        ) && words.length > 1,
    )
  )
    return false;
  if (
    words.length === 1 &&
    /^(?:depth|temperature|volume|size|length|width|height|temp|interval|area|power|capacity)$/.test(last) &&
    !isPhysical(`${description} ${tool.description}`, last)
  )
    return false;
  if (unit.test(description.replaceAll('_', ' '))) return false;
  if (tool.arguments.some((other) => other.isTop && /unit/i.test(other.name))) return false;
  const texts = [tool.description, tool.title, tool.name.replaceAll(/[_-]/g, ' ')];
  return !texts.some((text) => unit.test(text.replaceAll('_', ' ')));
}

/** Words that have a unit in one field and none in another: a depth of a tree, the temperature of a model. */
const isPhysical = (text: string, word: string): boolean =>
  word === 'temperature' || word === 'temp'
    ? !/\b(?:sampling|model|llm|creativ|random|token)\w*/i.test(text)
    : /\b(?:room|board|parcel|package|box|table|window|wall|house|garden|field|tank|pool|body|person|battery|pipe|water|wood|plank|fence|plot|ship|boat|truck|container|letter|furniture|shelf|bed|fabric|roll|cable|rope|item|sample|time|wait|poll|paket|sendung|raum)\w*/i.test(
        text,
      );
