import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { makeEqualityKey } from '#core/values/json-schema/value-key.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';

/** Steps that a comparison of structured content with the texts may take. */
const comparisonSteps = 200_000;

/**
 * Returns whether the texts of a result hold its structured content already: one of them, or all together, is the same
 * JSON. Many servers wrap what they write as text into an object with one key; that counts too. If the comparison would
 * take too many steps, the answer is no.
 */
export function isStructuredContentInTexts(texts: readonly string[], structured: unknown): boolean {
  const steps = new Steps(comparisonSteps);
  const values = isJsonObject(structured) ? Object.values(structured) : [];
  const wanted = [structured, ...(values.length === 1 ? values : [])].map((value) => makeEqualityKey(value, steps));
  const parsed = texts.map(parseJsonOrText);
  const said = [...texts, ...parsed, texts, parsed, texts.join('\n')];
  return said.some((value) => {
    const key = makeEqualityKey(value, steps);
    return key !== null && wanted.includes(key);
  });
}

function parseJsonOrText(text: string): unknown {
  const json = parseJsonWithinLimits(text);
  return json.ok ? json.value : text;
}
