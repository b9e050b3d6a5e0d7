import { z } from 'zod';
import { sha256Hex } from '#core/values/canonical.ts';
import { type Checked, checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { type JsonObject, isJsonObject } from '#core/values/json-schema/json-object.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { holdsRedactedValue } from '#core/traces/redaction/marker.ts';
import { placeholders } from '#core/values/placeholders.ts';
import { isOurTextForUnusableResult } from '#core/traces/spoilt-call.ts';
import type { AnsweredOutcome } from './server-connections.ts';
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
function isStructuredContentInTexts(texts: readonly string[], structured: unknown): boolean {
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

/** Bytes (UTF-8) of a result's text that are kept. */
const keptTextBytes = 64 * 1024;

/** Parts of a result that are read. */
const maxParts = 1_000;

/** A result of tools/call; future protocol fields are kept. */
const toolResult = z.looseObject({
  content: z
    .array(z.unknown())
    .default([])
    .transform((parts) => ({ read: parts.slice(0, maxParts), left: Math.max(0, parts.length - maxParts) }))
    .pipe(z.object({ read: z.array(z.looseObject({ type: z.string() })), left: z.number() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
type ToolResult = z.infer<typeof toolResult>;

/**
 * Converts a server's reply to an outcome; undefined if its result is not one of tools/call. The same reply gives the
 * same outcome, live or replayed.
 */
export async function convertReplyToOutcome(
  reply: ServerReply,
  outputSchema?: JsonObject,
): Promise<AnsweredOutcome | undefined> {
  if (reply.kind === 'error') {
    const outcome = await makeOutcomeWithCutText('error', reply.error.message, reply.error.code);
    return isOurTextForUnusableResult(reply.error.message) ? { ...outcome, cause: 'environment' } : outcome;
  }
  const result = toolResult.safeParse(reply.result);
  return result.success ? convertResultToOutcome(result.data, outputSchema) : undefined;
}

/** Converts a tool's result to an outcome. A result that violates the tool's own output schema is the tool's error. */
async function convertResultToOutcome(result: ToolResult, outputSchema?: JsonObject): Promise<AnsweredOutcome> {
  const structured = result.structuredContent;
  const { read, left } = result.content;
  const texts = read.flatMap((part) => textPart.safeParse(part).data?.text ?? []);
  // The agent reads text alone.
  const added =
    structured === undefined || isStructuredContentInTexts(texts, structured) ? [] : [JSON.stringify(structured)];
  const parts = [...read.map(textOrPlaceholderOfPart), ...(left === 0 ? [] : [placeholders.moreParts(left)])];
  const text = [...parts, ...added].join('\n');
  if (result.isError === true) return makeOutcomeWithCutText('error', text);
  const checked = outputSchema === undefined ? undefined : verdictOnStructuredContent(outputSchema, structured);
  // What does not fit may be what was redacted.
  const isRedacted = checked?.verdict === 'violates' && holdsRedactedValue(structured);
  if (checked?.verdict === 'violates' && !isRedacted) {
    const violations = checked.violations.join('; ');
    const outcome = await makeOutcomeWithCutText(
      'error',
      `The result violates the tool's output schema: ${violations}`,
    );
    return { ...outcome, cause: 'environment' };
  }
  const json = outputSchema === undefined || structured === undefined ? '' : JSON.stringify(structured);
  // What is cut is no JSON.
  const isWhole = json !== '' && new TextEncoder().encode(json).length <= keptTextBytes;
  const outcome = {
    ...(await makeOutcomeWithCutText('success', text)),
    ...(isWhole ? { structured: json } : {}),
  };
  return isRedacted || checked?.verdict === 'undecided' ? { ...outcome, unchecked: true } : outcome;
}

/** Builds an outcome with bounded text and the hash of the whole text. */
export async function makeOutcomeWithCutText(
  kind: 'success' | 'error',
  text: string,
  code?: number,
): Promise<AnsweredOutcome> {
  const bytes = new TextEncoder().encode(text);
  const sha256 = await sha256Hex(bytes);
  const truncated = bytes.length > keptTextBytes;
  const outcome = { kind, text: truncated ? decodeTextUpToKeptBytes(bytes) : text, truncated, sha256 };
  return code === undefined ? outcome : { ...outcome, code };
}

/** Cuts between characters. Decodes a copy, because a slice of a text keeps all of it in memory. */
function decodeTextUpToKeptBytes(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes.subarray(0, keptTextBytes), {
    stream: true,
  });
}

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const blobPart = z.looseObject({ type: z.string(), data: z.string(), mimeType: z.string() });
const linkPart = z.looseObject({ type: z.literal('resource_link'), uri: z.string() });
const resourcePart = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({ uri: z.string(), mimeType: z.string().optional(), text: z.string().optional() }),
});
const blobResource = z.looseObject({ resource: z.looseObject({ blob: z.string() }) });

/** Returns text, also of an embedded text resource; anything else is described by its type and size. */
function textOrPlaceholderOfPart(part: ToolResult['content']['read'][number]): string {
  const text = textPart.safeParse(part);
  if (text.success) return text.data.text;
  const resource = resourcePart.safeParse(part);
  if (resource.success) {
    const { uri, mimeType, text: content } = resource.data.resource;
    if (content !== undefined) return `${placeholders.textResource(uri)}\n${content}`;
    const blob = blobResource.safeParse(part);
    const bytes = blob.success ? countBytesOfBase64(blob.data.resource.blob) : 0;
    return placeholders.blobResource(uri, mimeType ?? 'no type', bytes);
  }
  const link = linkPart.safeParse(part);
  if (link.success) return placeholders.link(link.data.uri);
  const blob = blobPart.safeParse(part);
  if (blob.success) return placeholders.blob(part.type, blob.data.mimeType, countBytesOfBase64(blob.data.data));
  return placeholders.part(part.type, JSON.stringify(part).length);
}

function countBytesOfBase64(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

function verdictOnStructuredContent(schema: JsonObject, structured: unknown): Checked {
  if (structured === undefined) return { verdict: 'violates', violations: ['there is no structured content'] };
  return checkValueAgainstSchema(schema, structured);
}
