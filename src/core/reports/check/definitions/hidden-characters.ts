import { findingBy, type CheckFinding } from '../finding.ts';
import { findingOnTool, type PlacedText, type ReadServer, type ReadTool, type ToolRule } from './read-tool.ts';
import { listSchemaTexts } from './schema-texts.ts';

const shownPlaces = 5;
const shownCodePoints = 8;

/**
 * First what has a function: joiners inside an emoji, and between letters of scripts that need them; selectors after an emoji; tags of
 * a flag, up to their end. Then what people do not see. An escape sequence counts by its first character.
 */
const workingOrHidden =
  /((?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}])[\u200c\u200d]|[\u200c\u200d](?=[\p{Script=Arabic}\p{M}])|(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]{1,8}\u{e007f})|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u180e\u{e0000}-\u{e007f}]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f]{2,}|(?![\t\n\r])\p{Cc}/gu;

/** Finds characters that people do not see in what a tool says about itself. */
export const findHiddenCharacters: ToolRule = (tool) => {
  const said = describeHidden(listAllTexts(tool));
  return said === null ? null : findingOnTool('hidden-characters', tool, said);
};

/** Finds them in the instructions of a server. */
export const findHiddenInInstructions = ({ name, instructions }: ReadServer): CheckFinding | null => {
  const said = describeHidden([{ where: 'instructions', text: instructions }]);
  return said === null ? null : findingBy('hidden-characters', { ...said, server: name });
};

/** Returns all that a tool says about itself, names of arguments and listed values included. */
export const listAllTexts = ({ name, title, definition }: ReadTool): PlacedText[] => [
  { where: 'name', text: name },
  { where: 'title', text: title },
  { where: 'description', text: definition.description ?? '' },
  ...listSchemaTexts(definition.inputSchema),
  ...(definition.outputSchema === undefined ? [] : listSchemaTexts(definition.outputSchema)),
];

function describeHidden(texts: readonly PlacedText[]): Pick<CheckFinding, 'sentence' | 'proposal' | 'evidence'> | null {
  const places = texts.flatMap(({ where, text }) => {
    const found = listHidden(text);
    return found.length === 0 ? [] : [{ where, text, found }];
  });
  const [first] = places;
  if (first === undefined) return null;
  const count = first.found.length;
  return {
    sentence: `its ${first.where} holds ${count} ${count === 1 ? 'character' : 'characters'} that people do not see: ${nameCodePoints(first.found)}`,
    evidence: places
      .slice(0, shownPlaces)
      .map(({ where, text, found }) => `${where}: ${nameCodePoints(found)}${hiddenMessage(text)}`),
    proposal: `remove ${count === 1 ? 'it' : 'them'}: a model reads what a person cannot check`,
  };
}

const listHidden = (text: string): string[] =>
  Array.from(text.matchAll(workingOrHidden), ([found, working]) => (working === undefined ? found : '')).filter(
    (found) => found !== '',
  );

const nameCodePoints = (found: readonly string[]): string => {
  const names = [...new Set(found)].map(
    (each) => `U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `${names.slice(0, shownCodePoints).join(', ')}${names.length > shownCodePoints ? ', …' : ''}`;
};

/** Tags repeat ASCII: returns what they spell. */
function hiddenMessage(text: string): string {
  const letters = Array.from(text.matchAll(/[\u{e0020}-\u{e007e}]/gu), ([tag]) =>
    String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000),
  );
  return letters.length < 2 ? '' : `, which spell "${letters.slice(0, 200).join('')}"`;
}
