import type { ReadTool } from './read-tool.ts';

/** Returns what the description of a tool says about an argument by its name, up to the end of the line or sentence; null if nothing. */
export function whatToolSays(name: string, { description }: ReadTool): string | null {
  if (name.length < 2 || !description.toLowerCase().includes(name.toLowerCase())) return null;
  const escaped = name.replaceAll(/[^\w]/g, (each) => `\\${each}`);
  const marked = new RegExp(
    `(?:[\`"'*]{1,2}${escaped}[\`"'*]{1,2}|^\\s*[-*]\\s*${escaped}\\b|^\\s*${escaped}(?=\\s*[(:]))\\s*((?:\\(|is |:|-|–|,? (?:is|are) )[^\\n.;]{0,120})`,
    'mi',
  ).exec(description);
  if (marked !== null) return stopAtNextName((marked[1] ?? '').replace(/^(?:is|are) /i, ''));
  return name.length > 3
    ? (new RegExp(
        `\\b${escaped} (\\((?:optional|required|default[^)]{0,20})\\)|(?:is|may be|can be) (?:optional|omitted|left out))`,
        'i',
      )
        .exec(description)?.[1]
        ?.replace(/^is /i, '') ?? null)
    : null;
}

const stopAtNextName = (text: string): string => text.split(/[`"]\w+[`"]/)[0] ?? text;
