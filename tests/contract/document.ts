import { Validator, type Schema } from '@cfworker/json-schema';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { Answer } from '../support/workspace.ts';

/** The published document as a test reads it. */

const schemaNode = z.custom<Schema>((value) => typeof value === 'object' && value !== null);
const content = z.record(z.string(), z.object({ schema: schemaNode }));
const operation = z.object({
  responses: z.record(
    z.string(),
    z.object({ content: content.optional(), headers: z.record(z.string(), z.unknown()).optional() }),
  ),
  requestBody: z.object({ content, required: z.boolean().optional() }).optional(),
});
const document = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.record(z.string(), z.unknown()),
});

export type Contract = ReturnType<typeof contractOf>;

export function contractOf(json: unknown) {
  const { paths, components } = document.parse(json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      ...described,
    })),
  );
  const seen = new Map<string, Set<number>>();

  /** What a value has against a schema of the document; nothing where it fits. */
  function objections(schema: Schema, value: unknown): string[] {
    const { valid, errors } = new Validator(
      { ...structuredClone(schema), components: structuredClone(components) },
      '2020-12',
      false,
    ).validate(value);
    return valid ? [] : errors.map((error) => `${error.instanceLocation} ${error.keyword}: ${error.error}`);
  }

  return {
    operations: operations.map(({ name }) => name),

    /** Which statuses an operation has answered with. */
    seen: (name: string): number[] => [...(seen.get(name) ?? [])],

    /** Holds an answer, and the request where it was accepted, against the document. */
    check(name: string, sent: unknown, answer: Answer): string[] {
      const described = operations.find((each) => each.name === name);
      if (described === undefined) return [`${name} is not in the document`];
      seen.set(name, (seen.get(name) ?? new Set()).add(answer.status));
      const response = described.responses[String(answer.status)];
      if (response === undefined) return [`${name} does not declare ${answer.status}`];
      const found: string[] = [];
      for (const header of Object.keys(response.headers ?? {})) {
        if (!answer.headers.has(header)) found.push(`${name} declares the header ${header}`);
      }
      const request = described.requestBody?.content['application/json'];
      const left = sent === undefined && described.requestBody?.required === false;
      if (answer.status < 400 && request !== undefined && !left) {
        found.push(...objections(request.schema, sent).map((text) => `${name}, request: ${text}`));
      }
      const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
      const body = response.content?.[type];
      if (body !== undefined)
        return [
          ...found,
          ...bodiesIn(type, answer.body)
            .flatMap((each) => objections(body.schema, each))
            .map((text) => `${name}: ${text}`),
        ];
      if (response.content !== undefined || answer.body !== '')
        found.push(`${name} ${answer.status} does not declare the type ${type}`);
      return found;
    },
  };
}

/** What a body's schema describes: the whole of it, or each event of a stream. */
function bodiesIn(type: string, body: unknown): unknown[] {
  if (type !== 'text/event-stream') return [body];
  const events: unknown[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      if (event !== 'end') events.push(JSON.parse(data));
    },
  });
  parser.feed(z.string().parse(body));
  return events;
}
