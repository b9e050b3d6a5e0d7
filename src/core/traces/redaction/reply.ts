import { fromBase64, toBase64 } from '#core/values/base64.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { redacted } from './marker.ts';
import type { Redaction } from './redaction.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Properties of a result and of its parts that MCP defines: no rule about fields means them. */
const ownProperties = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);
/** What kind of content a part has. */
const kinds = new Set(['type', 'mimeType']);
/** Binary content in base64. */
const binaries = new Set(['data', 'blob']);

/**
 * Returns a server's answer without secrets, in the form that MCP gives it: fields are redacted in structured content, in JSON
 * within texts and in the data of errors, patterns in all texts, also where a part has one in base64. Images, sounds and other
 * binary content stay as they are.
 */
export function redactReply(reply: ServerReply, redaction: Redaction): ServerReply {
  if (redaction.isEmpty) return reply;
  const own = redaction.begin();
  if (reply.kind === 'result') return { kind: 'result', result: redactResult(reply.result, own) };
  const { code, message, data } = reply.error;
  const error = { code, message: own.text(message) };
  return { kind: 'error', error: data === undefined ? error : { ...error, data: own.value(data) } };
}

const redactResult = (result: Properties, redaction: Redaction): Record<string, unknown> =>
  mapProperties(result, (name, value) => {
    if (name === 'content' && Array.isArray(value)) return value.map((part) => redactPart(part, redaction));
    if (!ownProperties.has(name) && redaction.hasField(name)) return redacted;
    return redaction.value(value);
  });

const redactPart = (part: unknown, redaction: Redaction): unknown =>
  isObject(part)
    ? mapProperties(part, (name, value) => {
        if (kinds.has(name)) return value;
        if (name === 'resource') return redactPart(value, redaction);
        if (typeof value !== 'string') return redaction.value(value);
        return binaries.has(name) ? redactTextInBase64(value, redaction) : redaction.text(value);
      })
    : redaction.value(part);

const mapProperties = (from: Properties, change: (name: string, value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(name, value)]));

const isObject = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Redacts a text that is written in base64; other content stays. */
function redactTextInBase64(base64: string, redaction: Redaction): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64(base64));
  } catch {
    return base64;
  }
  const kept = redaction.text(text);
  if (kept === text) return base64;
  return toBase64(new TextEncoder().encode(kept));
}
