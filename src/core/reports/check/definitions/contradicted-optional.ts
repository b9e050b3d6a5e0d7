import { findingOnTool, valueOfKeyword, type ReadArgument, type ReadTool, type ToolRule } from './read-tool.ts';
import { quoted } from './tool-words.ts';
import { whatToolSays } from './argument-texts.ts';

const optional =
  /^\W{0,3}(?:optional(?:ly|e|er|es|nel(?:le)?)?|opcional|optionnel(?:le)?|facultati[fv]\w*|facoltativ[oa]|wahlweise|可选|可選|选填|任意|необязательн\w*|선택)(?![\p{L}-])|[([[]\s?(?:optional|opcional|optionnel(?:le)?|facultati[fv]\w*|可选|可選|选填|任意)\b|[(（](?:可选|可選|选填|任意)|(?:[,;.–—-]|\bis|\bist|\best|\bes)\s?(?:optional|opcional|optionnel(?:le)?|facultatif)\W{0,2}$|\b(?:if|when|unless) (?:it is |it's )?(?:omitted|not (?:given|provided|specified|set|supplied|passed)|left out|left empty|absent|missing)\b|\b(?:may|can) be (?:omitted|left out|skipped)\b|\bnot required\b|\b(?:wenn|falls) (?:nicht angegeben|weggelassen)|\b(?:kann|darf) (?:entfallen|weggelassen werden|fehlen)|\bpuede omitirse|\bsi se omite|\bsi omis|\bpeut être omis|可以?省略|省略可|省略时|如省略|不填/iu;
const defaulted =
  /\bdefaults? (?:to|is|are)\b|\bdefaults?:|\(default ?[`"']?[\w.-]+[`"']?\)|\bstandardmäßig\b|\bpor defecto\b|\bpar défaut\b|默认|デフォルト|по умолчанию/iu;
const conditional =
  /\b(?:required|needed|mandatory|must|optional(?![,;)\]])|omitted|needs?)\b[^.]{0,30}\b(?:if|when|for|unless|with|in case|only|while|except|depending)\b|\bnot optional\b|\boptional (?:fields|parts|arguments|parameters|chaining|dependenc\w+|module|suffix|prefix|sign|minus|leading|trailing|time|unit|and|or|second|decimal)\b/i;
const required =
  /^\W{0,3}(?:required|mandatory|obligatori[oa]|obligatoire|erforderlich|pflicht(?:feld|angabe)?|必填|必須|必须提供|обязательн\w*|필수)(?![\p{L}-])(?!\s+(?:to|for|by|if|when|only|fields?|with|in|before|unless))|[([[]\s?(?:required|mandatory|obligatori[oa]|obligatoire|erforderlich|pflicht|必填|必須)\s?[)\]]|[(（](?:必填|必須|必须)[)）]|(?:[,;.–—-]\s?|\b(?:this|it|which|argument|parameter|field|value|always|angabe|feld) (?:is |ist )?)(?:required|mandatory|obligatori[oa]|obligatoire|erforderlich|pflicht(?:feld|angabe)?|必填|必須)\W{0,2}$|\bmust (?:always )?be (?:given|provided|specified|set|supplied|present)\W{0,2}(?:$|\.)|\bmuss (?:immer )?angegeben werden|\bdebe (?:indicarse|proporcionarse)|\bdoit être (?:fourni|indiqué)/iu;

/** Finds arguments that a text calls optional and the schema requires, or the other way round. */
export const findContradictedOptional: ToolRule = (tool) => {
  const found = tool.arguments.flatMap((each) => describeOptional(each, tool) ?? []);
  const [one] = found;
  if (one === undefined) return null;
  const isMild = found.every(({ mild }) => mild);
  return findingOnTool('optional-contradicted', tool, {
    ...(isMild ? { severity: 'low' as const } : {}),
    sentence: one.sentence,
    evidence: found.map(({ path, words }) => `${path}: ${words}`),
    proposal: one.proposal,
  });
};

function describeOptional(argument: ReadArgument, tool: ReadTool) {
  const { path, name, description, isTop } = argument;
  const inTool = isTop ? whatToolSays(name, tool) : null;
  const texts = [description, inTool ?? ''];
  if (argument.required) {
    const words = texts.find((text) => optional.test(text) && !conditional.test(text) && !isConditionalOmission(text));
    if (words !== undefined)
      return {
        path,
        words,
        mild: false,
        sentence: `\`${path}\` is required, and a text says that it may be left out: ${quoted(excerpt(words, optional), 120)}`,
        proposal: `take \`${path}\` out of \`required\`, or say in its description that it is needed`,
      };
    const default_ =
      defaulted.test(description) &&
      !conditional.test(description) &&
      !/\bdefault (?:branch|value of|language|locale|currency of|to the)\b/i.test(description)
        ? description
        : undefined;
    if (default_ === undefined) return null;
    return {
      path,
      words: default_,
      // Libraries that print what comes out of validation require what has a default.
      mild: valueOfKeyword(argument, 'default') !== undefined,
      sentence: `\`${path}\` is required, and its description gives a default for leaving it out: ${quoted(excerpt(default_, defaulted), 120)}`,
      proposal: `take \`${path}\` out of \`required\`, or remove the default from its description`,
    };
  }
  if (!isTop || valueOfKeyword(argument, 'default') !== undefined || hasAlternatives(tool)) return null;
  const words = texts.find(
    (text) => required.test(text) && !conditional.test(text) && !optional.test(text) && !defaulted.test(text),
  );
  if (words === undefined) return null;
  return {
    path,
    words,
    mild: false,
    sentence: `a text says that \`${path}\` is required, and the schema does not require it: ${quoted(excerpt(words, required), 120)}`,
    proposal: `add "${name}" to \`required\`, or say what happens without it`,
  };
}

/** What is left out if something else is left out is not optional by itself. */
const isConditionalOmission = (text: string): boolean =>
  /\b(?:if|when|unless) (?:`\w+`|\w+_\w+|the [\w ]{1,20}|"[^"]{1,30}") (?:is|are) (?:omitted|not (?:given|provided|specified|set)|absent|missing|left out)/i.test(
    text,
  );

const hasAlternatives = ({ definition: { inputSchema } }: ReadTool): boolean =>
  ['anyOf', 'oneOf', 'allOf', 'if', 'dependentRequired', 'dependencies', 'dependentSchemas'].some(
    (key) => inputSchema[key] !== undefined,
  );

/** The words around what a pattern finds. */
const excerpt = (text: string, pattern: RegExp): string => {
  const at = pattern.exec(text)?.index ?? 0;
  return text.length <= 120 ? text : text.slice(Math.max(0, at - 40), at + 70);
};
