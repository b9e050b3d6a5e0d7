/**
 * Returns the beginning of JSON, up to the last value that is whole, with all brackets closed: surveys and examples are cut
 * to a size. What follows a whole value is left out, because some servers say the same again in other words. A text that
 * is no JSON stays none.
 */
export const closeCutJson = (text: string): string => {
  const open: string[] = [];
  let whole = { end: 0, closers: '' };
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (isInText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === '{') open.push('}');
    else if (sign === '[') open.push(']');
    else if (sign === ',') whole = { end: at, closers: open.toReversed().join('') };
    else if (sign === '}' || sign === ']') {
      open.pop();
      whole = { end: at + 1, closers: open.toReversed().join('') };
      if (open.length === 0) break;
    }
  }
  return text.slice(0, whole.end) + whole.closers;
};
