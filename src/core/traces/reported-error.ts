import { z } from 'zod';
import { parseJson } from '#core/parse-json.ts';
import { findErrorInJson } from './reported-json.ts';
import { findErrorInText } from './reported-text.ts';

/** Says that the text of a call which its server marked as a success reports an error. */
export const reportedError = z.object({
  /** The rule that found it. */
  rule: z.string().max(60),
  /** What a judge made of it: `overruled` makes the call a success again. Missing where no judge answered. */
  judged: z.enum(['confirmed', 'overruled']).optional(),
});
export type ReportedError = z.infer<typeof reportedError>;

/** Lines of JSON that are read as a list; more are no list of errors. */
const maxLines = 200;

/**
 * Returns the rule by which the text of a result that its server marked as a success says that the call failed; null if
 * none does. The rules prefer to miss an error over taking an answer that mentions one for an error.
 */
export const findReportedError = (text: string): string | null => {
  const shown = text.trim();
  if (shown === '') return null;
  const found = /^[[{"]/.test(shown) ? parseValue(shown) : undefined;
  return found === undefined ? findErrorInText(shown) : findErrorInJson(found.value);
};

/** Parses JSON, or JSON lines as a list; undefined if the text is neither. */
const parseValue = (text: string): { readonly value: unknown } | undefined => {
  const whole = parseJson(text);
  if (whole.ok) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > maxLines) return undefined;
  const values = lines.map(parseJson);
  const parsed = values.flatMap((each) => (each.ok ? [each.value] : []));
  return parsed.length === values.length ? { value: parsed } : undefined;
};
