import type { EndpointError } from './endpoint-error.ts';

/** A mistake of the model in a call is no refusal of the function (Groq's `tool_use_failed`). */
const mistakes = /\btool_use_failed\b|\bdid not match schema\b|\bwhich was not in request\.tools\b/i;

/** OpenAI ("Invalid schema for function 'a'", "Invalid function name"), Vertex AI ("because `a` functionDeclaration"). */
const byName: readonly RegExp[] = [
  /\b(?:invalid|unsupported|malformed)\b[^.'"`\n]{0,40}\b(?:function|tool)\b[^.'"`\n]{0,20}['"`]([\w-]{1,64})['"`]/gi,
  /[`'"]([\w-]{1,64})[`'"] functionDeclaration\b/g,
];

/**
 * Returns the places of the functions that a refusal names: by their names, or else as `tools[2]` (OpenAI), `tools.2` (Anthropic,
 * FastAPI), or `tools[0].function_declarations[2]` (Gemini, also with all functions in tools of their own). `sent` are their names.
 */
export function listRefusedFunctionPlaces(
  { codes, message, params }: EndpointError,
  sent: readonly string[],
): number[] {
  const said = [...params, message].join('\n');
  if (mistakes.test(`${codes.join(' ')} ${said}`)) return [];
  const named = byName
    .flatMap((words) => [...message.matchAll(words)])
    .map(([, name]) => sent.findIndex((each) => each === name));
  const places = [...said.matchAll(/\btools(?:\[|\.)(\d{1,4})\]?(?:\.function_?declarations\[(\d{1,4})\])?/gi)]
    // One of the two counts the functions, the other one is 0.
    .filter(([, tool, declaration = '0']) => tool === '0' || declaration === '0')
    .map(([, tool, declaration = '0']) => Number(tool) + Number(declaration));
  const known = (found: readonly number[]): number[] =>
    [...new Set(found)].filter((at) => at >= 0 && at < sent.length).toSorted((a, b) => a - b);
  return known(named).length > 0 ? known(named) : known(places);
}
