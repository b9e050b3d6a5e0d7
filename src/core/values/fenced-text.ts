import { replaceHiddenCharacters } from './hidden-characters.ts';

/**
 * What a reader may take for the end of a fence or for the beginning of another turn: `<` and the characters that are shown
 * or normalized like it, in front of a slash or a bar where people also write them otherwise; words in brackets that chat
 * templates have as marks, such as `[INST]`; control characters, some of which break a line.
 */
const takenForAnEnd =
  /[<\uff1c\ufe64\u02c2\u1438\u16b2\u{1d236}]|(?![\t\n\r])\p{Cc}|[\u2039\u276e\u2329\u3008\u27e8\u2770\u29fc](?=(?:\s|\\u[\da-f]{4}|\\[nrt])*[/|\uff0f\uff5c\u2044\u2215\u29f8\u27cb])|\[(?=\/?[A-Z_]{2,}\])/gu;

/**
 * Formats data for a prompt: compact JSON on one line between two marks. Nothing in it can end its fence, for a parser or for a
 * model that reads less strictly: what may look like an end, a mark of a chat template or a new line, and what hides or
 * reverses text, is escaped as JSON, so that the value stays the same. Undefined if the value has no JSON.
 */
export function formatJsonInDataTags(name: string, value: unknown): string | undefined {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return undefined;
  return `<data name="${name}">\n${escapeWhatMayEndFence(json)}\n</data>`;
}

/** Returns JSON of the same value, or a text, in which nothing can be taken for the end of a fence or for another turn; lines of a text stay. */
export const escapeWhatMayEndFence = (json: string): string =>
  replaceHiddenCharacters(json, escapeAsJson).replaceAll(takenForAnEnd, escapeAsJson);

const escapeAsJson = (found: string): string => {
  let escaped = '';
  for (let at = 0; at < found.length; at += 1) escaped += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
};
