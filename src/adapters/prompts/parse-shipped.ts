import { parsePrompt, type PromptTemplate } from './template.ts';

/** Throws on a broken file: it was shipped with this code, which cannot work without it. */
export function parseShippedPromptOrThrow<const Name extends string>(
  id: string,
  markdown: string,
  names: readonly Name[],
): PromptTemplate<Name> {
  const parsed = parsePrompt(id, markdown);
  if (!parsed.ok) throw new Error(`prompt ${id}: ${parsed.problem}`);
  const variables = names.flatMap((name) =>
    parsed.value.variables.filter((v) => v.name === name).map(({ raw }) => ({ name, raw })),
  );
  if (variables.length !== parsed.value.variables.length) throw new Error(`prompt ${id}: other variables`);
  return { ...parsed.value, variables };
}
