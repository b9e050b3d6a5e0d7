import { z } from 'zod';
import { fakeApi, json, type FakeApi, type Handler } from '../client/fake-api.ts';

/** A stand-in for an OpenTelemetry collector that takes traces over HTTP, as strict as the specification of OTLP's JSON encoding allows. */

const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`), 'hex digits')
    .refine((id) => /[^0]/.test(id), 'an id of zeros is invalid');
const nanos = z.string().regex(/^\d{19}$/, 'nanoseconds since 1970 as a decimal text');
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'keys have to be unique');
const span = z
  .strictObject({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16).optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    events: z.array(z.strictObject({ timeUnixNano: nanos, name: z.string().min(1), attributes })).optional(),
    status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }).optional(),
  })
  .refine((each) => BigInt(each.endTimeUnixNano) >= BigInt(each.startTimeUnixNano), 'a span ends after it began');
export type TakenSpan = z.infer<typeof span>;

/** `ExportTraceServiceRequest`, without fields that nobody knows. */
export const traceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span).min(1),
        }),
      ),
    }),
  ),
});

export interface Collector extends FakeApi {
  /** The spans of each request that was taken. */
  readonly taken: readonly (readonly TakenSpan[])[];
}

/**
 * A collector on this machine. `answers` come first, one a request, in place of taking it; then each request is checked, and taken or
 * refused with 400 and what is wrong with it.
 */
export async function startCollector(...answers: readonly Handler[]): Promise<Collector> {
  const taken: TakenSpan[][] = [];
  const take: Handler = (request, response, body) => {
    const refuse = (status: number, message: string) => json({ message }, status)(request, response, body);
    if (request.method !== 'POST' || request.url !== '/v1/traces') return refuse(404, 'no such path');
    if (request.headers['content-type'] !== 'application/json') return refuse(415, 'not JSON');
    const parsed = traceRequest.safeParse(JSON.parse(body));
    if (!parsed.success) return refuse(400, z.prettifyError(parsed.error));
    taken.push(parsed.data.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    return json({})(request, response, body);
  };
  return Object.assign(await fakeApi(...answers, take), { taken });
}
