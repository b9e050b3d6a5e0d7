import { canonicalJson } from '#core/values/canonical.ts';
import { splitIntoSentences, textAround, toneOf, withoutEmptiness, type Tone } from './answer-words.ts';
import type { Aftermath, SeenStep } from './disturbance.ts';
import { listPlacesOfValue } from './stated-value.ts';

/** Returns whether a later call repeats the one that was met: the same tool with the same arguments. */
const repeatsCall = (met: SeenStep, { tool, arguments: args }: SeenStep): boolean =>
  tool === met.tool && canonicalJson(args) === canonicalJson(met.arguments);

const verdictOfTone: Readonly<Record<Tone, boolean | null>> = { admits: true, doubts: true, hints: null, plain: false };

/**
 * Decides of a fault that shows itself, or of a result that lacks something. It was noticed where the tool was called again, or the answer says
 * that something did not work or may be wrong; it was not where the answer has no word that could speak of it and no other call followed. That there is
 * nothing, as a fact, is no such word. Else no rule can tell.
 */
export function findWhetherFailureNoticed({ met, later, answer }: Aftermath): boolean | null {
  if (later.some(({ tool }) => tool === met.tool)) return true;
  const verdict = verdictOfTone[toneOf(withoutEmptiness(answer))];
  return verdict === false && later.length > 0 ? null : verdict;
}

/** Returns how the answer speaks where it states a changed value: in its sentences and those beside them. Null if it does not state it. */
function toneAroundValue({ values, answer }: Pick<Aftermath, 'values' | 'answer'>): Tone | null {
  const sentences = splitIntoSentences(answer);
  const stating = sentences.flatMap((sentence, at) =>
    values.some(({ is }) => listPlacesOfValue(is, sentence).length > 0) ? [at] : [],
  );
  if (stating.length === 0) return null;
  const tones = stating.map((at) => toneOf(textAround(sentences, at, 1)));
  return (['doubts', 'admits', 'hints'] as const).find((tone) => tones.includes(tone)) ?? 'plain';
}

/** Returns whether the answer states a changed value without doubt in its sentence or one beside it. */
export function findWhetherPassedOn(stated: Pick<Aftermath, 'values' | 'answer'>): boolean {
  const tone = toneAroundValue(stated);
  return tone === 'plain' || tone === 'hints';
}

/**
 * Decides of a changed value. It was noticed where the call was repeated, or the answer doubts the value or states the server's own; it was not
 * where the answer states it without a word that could be a doubt, or a later call passes it on and the answer is as plain. Else no rule can tell: the value may not have mattered.
 */
export function findWhetherValueNoticed({ met, later, values, answer }: Aftermath): boolean | null {
  if (later.some((step) => repeatsCall(met, step))) return true;
  const tone = toneAroundValue({ values, answer });
  if (tone !== null) return verdictOfTone[tone];
  const whole = verdictOfTone[toneOf(answer)];
  if (whole === true || values.some(({ was }) => listPlacesOfValue(was, answer).length > 0)) return true;
  const isUsed = later.some(({ arguments: args }) =>
    values.some(({ is }) => listPlacesOfValue(is, JSON.stringify(args ?? {})).length > 0),
  );
  return isUsed ? whole : null;
}
