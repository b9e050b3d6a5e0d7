import { z } from 'zod';

/**
 * A stand-in for an endpoint: the rules that it publishes, or that people report, each as a function. It proves what Sextant
 * does where a rule is enforced, not that an endpoint enforces it today.
 */
export interface Profile {
  readonly name: string;
  /** Its published address, with the query that it wants. */
  readonly baseUrl: string;
  readonly model: string;
  readonly rules: readonly Rule[];
  /** Writes a refusal in the endpoint's own form. */
  readonly writeRefusal: (refused: Refused) => unknown;
  /** Changes an answer to what the endpoint would write. */
  readonly adorn?: (answer: Answer, request: ChatRequest) => Answer;
  /** What goes wrong with a request that its rules take, by how many it has taken before; null if it is answered. */
  readonly fail?: (place: number, request: ChatRequest) => Failure | null;
  readonly writesUsageUnasked?: boolean;
  /** What it serves beside chat completions, by the end of the path. */
  readonly otherWires?: Readonly<Record<string, OtherWire>>;
  /** Whether it has no chat completions. */
  readonly isWithoutChat?: boolean;
}

/** A refusal with headers, the one event that an answer has, or no answer at all. */
export type Failure =
  | { readonly kind: 'refusal'; readonly refused: Refused; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'event'; readonly event: unknown }
  | { readonly kind: 'silence' };

/** What a stand-in's model answers to a conversation, in the terms of chat completions. */
export type Answerer = (asked: Asked) => Pick<Answer, 'content' | 'calls'>;

export interface Asked {
  readonly messages: readonly Message[];
  readonly tools: z.infer<typeof requestBody>['tools'];
  /** The name of the form that the answer is to have; undefined where the request does not say it. */
  readonly form?: string | undefined;
}

/** Returns the events of an answer, or why a request is refused. */
export type OtherWire = (body: unknown, headers: Headers, answer: Answerer) => readonly unknown[] | Refused;

/** Returns why a request is refused, or null. */
export type Rule = (request: ChatRequest) => Refused | null;

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
}

const call = z.looseObject({
  id: z.string(),
  type: z.string().optional(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const message = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z.array(call).optional(),
  tool_call_id: z.string().optional(),
});
export type Message = z.infer<typeof message>;
const offeredFunction = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string(),
    description: z.string().default(''),
    parameters: z.record(z.string(), z.unknown()).default({}),
  }),
});

export const requestBody = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(offeredFunction).default([]),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z
        .looseObject({
          name: z.string().optional(),
          strict: z.boolean().optional(),
          schema: z.record(z.string(), z.unknown()),
        })
        .optional(),
    })
    .optional(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  reasoning_effort: z.string().optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
});

export interface ChatRequest {
  readonly headers: Headers;
  readonly url: URL;
  /** The names of the fields of the body, as they came. */
  readonly fields: readonly string[];
  readonly body: z.infer<typeof requestBody>;
  /** The body as it came. */
  readonly sent: unknown;
}

export interface Answer {
  /** Text, or parts. */
  readonly content: string | null | readonly unknown[];
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    /** A JSON text, or what some write in its place. */
    readonly arguments: string | Readonly<Record<string, unknown>>;
    readonly others?: Record<string, unknown>;
  }[];
  /** More fields of the message. */
  readonly others?: Readonly<Record<string, unknown>>;
  readonly usage: Readonly<Record<string, unknown>>;
}
