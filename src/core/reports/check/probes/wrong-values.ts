import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';

/** Returns a text of the same shape that nothing will have, and that a schema takes; null if none is known. */
export function unlike(text: string, schema: JsonObject): string | null {
  let digit = 0;
  const replace = (letters: boolean): string =>
    [...text]
      .map((each) => {
        if (/\d/.test(each)) return '9879'[digit++ % 4] ?? '9';
        if (!letters) return each;
        return /[a-z]/.test(each) ? 'q' : /[A-Z]/.test(each) ? 'Q' : each;
      })
      .join('');
  const candidates = [replace(true), `${text}zz9`, replace(false), `${text}9`];
  return (
    candidates.find((each) => each !== text && checkValueAgainstSchema(schema, each).verdict !== 'violates') ?? null
  );
}

/** A value of a type that a schema does not take; undefined if every type is taken, or another one may be meant kindly. */
export function wrongTypeOf(type: string | undefined, schema: JsonObject): unknown {
  if (Array.isArray(schema['type']) || schema['anyOf'] !== undefined || schema['oneOf'] !== undefined) return undefined;
  switch (type) {
    case 'string':
      return { unexpected: true };
    case 'integer':
    case 'number':
      return 'not-a-number';
    case 'boolean':
      return 'perhaps';
    case 'array':
      return 42;
    case 'object':
      return 'not-an-object';
    default:
      return undefined;
  }
}

interface Beyond {
  readonly value: unknown;
  readonly says: string;
}

/** Returns values just beyond the bounds that a schema states, or its description where the schema states none. */
export function valuesBeyondBounds(schema: JsonObject, type: string | undefined, text: string): Beyond[] {
  if (/clamp|capped|cut (?:to|off)|rounded|truncat|begrenzt|截断/i.test(text)) return [];
  if (type === 'string' && typeof schema['maxLength'] === 'number' && schema['maxLength'] < 5_000)
    return [{ value: 'a'.repeat(schema['maxLength'] + 1), says: `longer than ${schema['maxLength']} characters` }];
  if (type !== 'integer' && type !== 'number') return [];
  const said = /(?:between|from)\s+(-?\d+)\s+(?:and|to)\s+(-?\d+)|\b(-?\d+)\s*(?:–|-|\.\.|to)\s*(\d+)\b/i.exec(text);
  const saidMost = /(?:max(?:imum)?|at most|up to|höchstens|no more than)\D{0,12}(\d+)/i.exec(text)?.[1];
  const least = Number(schema['minimum'] ?? said?.[1] ?? said?.[3]);
  const most = Number(schema['maximum'] ?? said?.[2] ?? said?.[4] ?? saidMost);
  if (least > most) return [];
  return [
    ...(Number.isFinite(most) ? [{ value: most + 1, says: `${most + 1}, and ${most} is the most` }] : []),
    ...(Number.isFinite(least) ? [{ value: least - 1, says: `${least - 1}, and ${least} is the least` }] : []),
  ];
}
