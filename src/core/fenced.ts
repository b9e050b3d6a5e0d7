/**
 * Data as it stands in a text for a model: compact JSON between two marks. No `<` occurs in it, so that it can never end its
 * fence. Undefined where the value has no JSON.
 */
export function fenced(name: string, value: unknown): string | undefined {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return undefined;
  return `<data name="${name}">\n${json.replaceAll('<', '\\u003c')}\n</data>`;
}
