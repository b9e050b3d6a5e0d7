/**
 * OTLP's JSON encoding of traces (opentelemetry-proto 1.x, docs/specification.md, "JSON Protobuf Encoding"): ids are hex, 64-bit integers
 * are decimal texts, enums are numbers, fields are written in camel case.
 */

/** A value of an attribute. Whole numbers are written as integers; `{ double }` is one of a figure that happens to be whole. */
export type AttributeValue = string | number | boolean | { readonly double: number } | undefined;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** What a span is to the work of others, by the numbers of OTLP. */
export const spanKind = { internal: 1, client: 3 } as const;

/** The status of a span that ended in an error; others have none. */
const statusError = 2;

/** A span before it is encoded. Times are milliseconds after a common origin, with fractions. */
export interface SpanFacts {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Null for the root of a trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: (typeof spanKind)[keyof typeof spanKind];
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly atMs: number; readonly attributes: Attributes }[];
  /** What went wrong; null if nothing did. */
  readonly error: string | null;
}

/** Returns a span as OTLP writes it. `originMs` is a whole number of milliseconds since 1970, from which its times count. */
export const encodeSpan = (
  { traceId, spanId, parentSpanId, name, kind, error, ...span }: SpanFacts,
  originMs: number,
) => ({
  traceId,
  spanId,
  ...(parentSpanId === null ? {} : { parentSpanId }),
  name,
  kind,
  startTimeUnixNano: nanosText(originMs, span.startMs),
  endTimeUnixNano: nanosText(originMs, span.endMs),
  attributes: encodeAttributes(span.attributes),
  ...(span.events === undefined || span.events.length === 0
    ? {}
    : {
        events: span.events.map((event) => ({
          timeUnixNano: nanosText(originMs, event.atMs),
          name: event.name,
          attributes: encodeAttributes(event.attributes),
        })),
      }),
  ...(error === null ? {} : { status: { code: statusError, message: error.toWellFormed() } }),
});
export type EncodedSpan = ReturnType<typeof encodeSpan>;

/** Returns the body of a request that exports spans of one resource. */
export const encodeTraceRequest = (
  resource: Attributes,
  scope: { readonly name: string; readonly version: string },
  spans: readonly EncodedSpan[],
) => ({
  resourceSpans: [{ resource: { attributes: encodeAttributes(resource) }, scopeSpans: [{ scope, spans }] }],
});

/** Attributes without a value are left out. */
const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );

function encodeValue(value: NonNullable<AttributeValue>) {
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'object') return { doubleValue: value.double };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Nanoseconds since 1970 exceed the whole numbers that a double holds exactly. */
const nanosText = (originMs: number, ms: number): string =>
  String(BigInt(originMs) * 1_000_000n + BigInt(Math.round(ms * 1_000_000)));
