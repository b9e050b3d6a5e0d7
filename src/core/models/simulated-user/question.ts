import { z } from 'zod';
import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { err, ok, type Result } from '#core/values/result.ts';

/** What a server asks its user (`elicitation/create`), as far as it can be answered. */
export interface UserQuestion {
  readonly message: string;
  /** The JSON schema of the wanted values; null for a question that sends the user to an address. */
  readonly schema: JsonObject | null;
}

const elicitation = z.looseObject({
  method: z.literal('elicitation/create'),
  params: z.looseObject({
    mode: z.string().optional(),
    message: z.string(),
    requestedSchema: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** Reads what a server asks its user; null if it wants something else, such as a model, or asks in another form. */
export function parseQuestionToUserOrNull(asked: unknown): UserQuestion | null {
  const parsed = elicitation.safeParse(asked);
  if (!parsed.success) return null;
  const { mode = 'form', message, requestedSchema = {} } = parsed.data.params;
  return { message, schema: mode === 'form' ? requestedSchema : null };
}

/** Longer questions are declined, in characters of JSON. */
const maxSchemaChars = 16_000;
const maxMessageChars = 8_000;

/** What nobody tells a server on somebody's behalf. */
const secret =
  /\b(?:pass ?(?:word|phrase|code)|secret|credential|(?:api|access|private|secret|encryption) ?key|(?:access|auth|bearer|refresh|security|session) ?token|token|pin|otp|one time (?:code|password)|(?:security|verification) code|cvv|cvc|(?:credit|debit|bank) ?card|card number|iban|account number|social security|ssn)s?\b/i;

/** Returns whether a text names a secret, in any spelling, such as `apiKey` or `one-time_password`. */
export const namesSecret = (text: string): boolean =>
  secret.test(text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-/.\s]+/g, ' '));

const propertiesOf = (schema: JsonObject): JsonObject => {
  const { properties } = schema;
  return isJsonObject(properties) ? properties : {};
};

/** Returns the names of the values that a question wants. */
export const fieldNamesOfQuestion = ({ schema }: UserQuestion): string[] =>
  Object.keys(schema === null ? {} : propertiesOf(schema));

const described = z.looseObject({
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
});

function isSecretField(name: string, field: unknown): boolean {
  const { title = '', description = '', format = '' } = described.safeParse(field).data ?? {};
  return [name, title, description, format].some(namesSecret);
}

/** Returns why a question is never answered, in words; null if it may be. */
export function declineReasonTextOrNull(question: UserQuestion): string | null {
  const { message, schema } = question;
  if (schema === null) return 'it sends the user to an address';
  if (message.length > maxMessageChars || JSON.stringify(schema).length > maxSchemaChars) return 'it is too long';
  if (namesSecret(message)) return 'it asks for a secret';
  const fields = propertiesOf(schema);
  const { required } = schema;
  const wanted = Array.isArray(required) ? required : [];
  const isSecretWanted = Object.entries(fields).some(
    ([name, field]) => wanted.includes(name) && isSecretField(name, field),
  );
  if (isSecretWanted) return 'it asks for a secret';
  return Object.keys(fields).length === 0 ? 'it wants no values' : null;
}

/** Returns the schema of the values that may be given: without those that are secrets. */
export function answerableSchema(schema: JsonObject): JsonObject {
  const fields = Object.entries(propertiesOf(schema)).filter(([name, field]) => !isSecretField(name, field));
  return { ...schema, properties: Object.fromEntries(fields) };
}

const value = z.union([z.string().max(1_000), z.number(), z.boolean(), z.array(z.string().max(100)).max(20)]);

/** What a model answers for the user: each value with the words of the request that state it. */
export const userAnswer = z.object({
  why: z.string(),
  answers: z.array(z.object({ field: z.string().max(200), value, quote: z.string().max(2_000) })).max(20),
});
export type UserAnswer = z.infer<typeof userAnswer>;

const lowerCaseWithSingleSpaces = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * Returns the values of an answer that a server is given: those that it asked for and may get, whose quotes the request has. Refuses an
 * answer without any, and one that does not fit the schema, with why.
 */
export function acceptedAnswerValuesOrRefusal(
  schema: JsonObject,
  { answers }: UserAnswer,
  request: string,
): Result<Record<string, unknown>, string> {
  const known = propertiesOf(answerableSchema(schema));
  const asked = lowerCaseWithSingleSpaces(request);
  const stated = answers.filter(({ field, quote }) => {
    const words = lowerCaseWithSingleSpaces(quote);
    return Object.hasOwn(known, field) && words.length > 1 && asked.includes(words);
  });
  if (stated.length === 0) return err('the request does not say');
  const content = Object.fromEntries(stated.map(({ field, value: given }) => [field, given]));
  const checked = checkValueAgainstSchema(schema, content);
  if (checked.verdict === 'fits') return ok(content);
  return err(
    checked.verdict === 'undecided'
      ? 'whether the answer fits could not be decided'
      : `the answer does not fit: ${checked.violations.join('; ')}`,
  );
}
