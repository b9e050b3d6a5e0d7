/**
 * Formats data for a prompt: compact JSON between two marks. No `<` occurs in it, so it can never end its fence.
 * Undefined if the value has no JSON.
 */
export function formatJsonInDataTags(name: string, value: unknown): string | undefined {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return undefined;
  return `<data name="${name}">\n${json.replaceAll('<', '\\u003c')}\n</data>`;
}
