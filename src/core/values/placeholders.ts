/**
 * What we write in place of content that is no text, where a result is turned into text: `[image image/png, 12 bytes]`.
 * Here too are the patterns that find these words again, because they are not the server's.
 */
export const placeholders = {
  blob: (type: string, mimeType: string, bytes: number): string => `[${type} ${mimeType}, ${bytes} bytes]`,
  part: (type: string, chars: number): string => `[${type}, ${chars} characters]`,
  moreParts: (count: number): string => `[${count} more parts]`,
  link: (uri: string): string => `[resource link ${uri}]`,
  textResource: (uri: string): string => `[resource ${uri}]`,
  blobResource: (uri: string, mimeType: string, bytes: number): string =>
    `[resource ${uri}, ${mimeType}, ${bytes} bytes]`,
  cut: '[cut off here]',
} as const;

const media = /\[(?:[\w-]{1,40} )?[\w.+-]{1,60}\/[\w.+-]{1,60}(?:;[^\]\n]{0,80})?, \d+ bytes\]/g;
const counts = /\[\w{1,40}, \d+ characters\]|\[\d+ more parts\]|\[cut off here\]/g;
const resources = /\[resource(?: link)? ([^\]\n]{1,300}?)(?:, [^,\]\n]{1,100}, \d+ bytes)?\]/g;
/** The beginning of one at the end of an excerpt. */
const unfinished = /\[(?:image|audio|resource)(?: [^\]\n]{0,300})?$/;

/** Returns a text without our placeholders. */
export const removeOurPlaceholders = (text: string): string =>
  text.replaceAll(media, ' ').replaceAll(counts, ' ').replaceAll(resources, ' ');

/**
 * Returns what a server itself said in a result: of our placeholders only the URIs remain. `truncated`: the text is an
 * excerpt, which may end within one.
 */
export function replacePlaceholdersByUris(text: string, truncated: boolean): string {
  const whole = truncated ? text.replace(unfinished, ' ') : text;
  return whole.replaceAll(media, ' ').replaceAll(counts, ' ').replaceAll(resources, '$1');
}
