const lead =
  /(?:\be\.?g\.?|\bfor (?:example|instance)|\bsuch as|\bexamples?\b|\blike|\bdefaults? (?:to|is)|\bdefault(?=[:=]|\s*["'`]))[,:=]?\s*/giu;
const quoted = /"([^"\n]{1,80})"|'([^'\n]{1,80})'|`([^`\n]{1,80})`/gu;

/** Returns the values that a description gives as examples or as its choices: `e.g. "en-US"`, `one of 'a', 'b'`. */
export const examplesInDescription = (description: string): string[] =>
  listStatedTexts(description).filter((text) => !placeholder.test(text));

/** What a reader has to replace. */
const placeholder = /\bpath\/to\b|\byour[-_ ]|^<.*>$|\.\.\./iu;

const listStatedTexts = (description: string): string[] => {
  const led = [...description.matchAll(lead)].flatMap(({ 0: found, index }) => {
    const [rest = ''] = description.slice(index + found.length).split(/[)\n;]|\.\s/u);
    const marked = listQuotedTexts(rest);
    if (marked.length > 0) return marked;
    const bare = rest.split(/,\s*(?:(?:or|and)\s+)?|\s+or\s+/u).map((piece) => piece.trim().replace(/\.$/u, ''));
    return bare.filter((piece) => /^[\p{L}\p{N}][\p{L}\p{N}_./:@+-]{0,40}$/u.test(piece) && !plainWords.has(piece));
  });
  if (led.length > 0) return [...new Set(led)].slice(0, 6);
  const choices = listQuotedTexts(description);
  return choices.length >= 2 ? [...new Set(choices)].slice(0, 6) : listBareChoices(description);
};

/** What comes before a list of choices: `Available stages include: `, `one of `, `options: `. */
const choicesLead =
  /\b(?:(?:available|valid|allowed|supported|possible|accepted)\b[^.:;\n]{0,40}:|(?:one|any) of:?|(?:options|choices)(?: are)?:)\s*/iu;
const mostChoiceWords = 4;

/** Returns the choices that a description lists without quotes, between commas; none if there are not two, or if some are sentences. */
const listBareChoices = (description: string): string[] => {
  const found = choicesLead.exec(description);
  const [rest = ''] = description
    .slice(found === null ? description.length : found.index + found[0].length)
    .split(/[;\n]|\.\s|\.$/u);
  const pieces = rest
    .split(/\s*[,|]\s*(?:(?:or|and)\s+)?|\s+or\s+/u)
    .map((piece) => (piece.split(/\s*[(:=]|\s[-–]\s/u)[0] ?? '').trim())
    .filter((piece) => piece !== '');
  const areChoices = pieces.length >= 2 && pieces.every((piece) => piece.split(/\s+/u).length <= mostChoiceWords);
  return areChoices ? pieces.filter((piece) => !plainWords.has(piece)).slice(0, 6) : [];
};

const listQuotedTexts = (text: string): string[] =>
  [...text.matchAll(quoted)].map(([, one, other, third]) => one ?? other ?? third ?? '');

/** Words that continue a sentence, and are no examples. */
const plainWords = new Set('a an the this that these all any is are it to of in on for with and be'.split(' '));
