import { z } from 'zod';

/** How scripted models and servers are told what to do. Used in Node and inside workerd, so it uses neither. */

const behaviour = z.discriminatedUnion('kind', [
  /** A normal, deterministic answer. */
  z.object({ kind: z.literal('normal') }),
  /** The normal answer, later. */
  z.object({ kind: z.literal('slow'), ms: z.int() }),
  /** This text instead of an answer. */
  z.object({ kind: z.literal('content'), content: z.string() }),
  z.object({ kind: z.literal('refusal') }),
  /** Ends at the limit of tokens. */
  z.object({ kind: z.literal('truncated') }),
  z.object({ kind: z.literal('hang') }),
  z.object({
    kind: z.literal('status'),
    status: z.int(),
    headers: z.record(z.string(), z.string()).default({}),
    /** What the endpoint calls the error. */
    code: z.string().nullable().default(null),
    param: z.string().optional(),
  }),
  z.object({ kind: z.literal('cut'), when: z.enum(['before-headers', 'mid-json']) }),
  z.object({ kind: z.enum(['html', 'broken-json', 'no-choices']) }),
  /** A call of a function, with its arguments as they stand. */
  z.object({ kind: z.literal('call'), name: z.string(), arguments: z.string() }),
  /**
   * The normal call, but of `calls` in place of `instead` in this share of requests: the same ones whenever the same model of the
   * same name is asked.
   */
  z.object({ kind: z.literal('confuses'), instead: z.string(), calls: z.string(), share: z.number() }),
  z.object({ kind: z.literal('huge'), bytes: z.int() }),
  /** Vectors of so many numbers. */
  z.object({ kind: z.literal('vectors'), dimension: z.int() }),
  /** No scenario, or no pair. */
  z.object({ kind: z.literal('none') }),
  /** An audit with these grades. */
  z.object({ kind: z.literal('grades'), semanticEquivalence: z.number(), parameterSolvability: z.number() }),
]);
export type Behaviour = z.infer<typeof behaviour>;

/** The first unused rule that matches a question decides; without one the answer is normal. */
const rule = z.object({
  /**
   * The form's name in the request (`scenario`, `audit`, `relevance`, ...), `turn` for the agent, `embeddings` for
   * vectors.
   */
  form: z.string().optional(),
  /** Words that the messages contain. */
  contains: z.string().optional(),
  /** The requested model name. */
  model: z.string().optional(),
  times: z.int().optional(),
  behaviour,
});
export type Rule = z.input<typeof rule>;
export const script = z.array(rule);

/** A question as a model received it. */
export const askedQuestion = z.object({
  form: z.string(),
  model: z.string(),
  seed: z.number().nullable(),
  authorization: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  functions: z.array(z.string()),
});
export type AskedQuestion = z.infer<typeof askedQuestion>;

const trick = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('status'),
    status: z.int(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  z.object({ kind: z.literal('hang') }),
  z.object({ kind: z.literal('cut'), when: z.enum(['before-headers', 'mid-stream', 'mid-json']) }),
  z.object({ kind: z.enum(['html', 'broken-json', 'broken-event', 'no-rpc']) }),
  z.object({ kind: z.literal('redirect'), to: z.string(), status: z.int().default(307) }),
  z.object({ kind: z.literal('rpc-error'), code: z.int(), message: z.string() }),
]);
export type ServerTrick = z.input<typeof trick>;
export const trickOrder = z.object({ method: z.string(), trick: trick.nullable() });

export const toolSpec = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
  /**
   * `refer` returns a reference that depends on the arguments; `ask` does so after it asked its user; `fail` an error; `flood` a number of bytes of text;
   * `structured` the given value; `result` the given result as it is, and with `message` a JSON-RPC error.
   */
  does: z.enum(['refer', 'ask', 'fail', 'flood', 'structured', 'result']).default('refer'),
  bytes: z.int().default(0),
  structured: z.record(z.string(), z.unknown()).default({}),
  result: z.record(z.string(), z.unknown()).default({}),
  message: z.string().optional(),
});

export const serverSpec = z.object({
  tools: z.array(toolSpec).default([]),
  /** A number of additional tools, named tool-0 and so on. */
  many: z.int().default(0),
  pageSize: z.int().optional(),
  tricks: z.record(z.string(), trick).default({}),
  /** Takes only requests with a token, which lives this many seconds; clients are `machine` with either secret. */
  tokenSeconds: z.number().optional(),
  /** How people consent to it; without it only `machine` gets tokens. `desk` is a client with a secret that Sextant is registered as. */
  people: z.object({ registers: z.boolean(), sendsIssuer: z.boolean(), renews: z.boolean() }).partial().optional(),
});
export type ServerSpec = z.input<typeof serverSpec>;

export const serverLog = z.object({
  requests: z.array(z.object({ rpc: z.string().nullable(), headers: z.record(z.string(), z.unknown()) })),
  calls: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  /** How many tokens were given for it. */
  tokens: z.int(),
  /** How many clients have registered for it, and how many consents have ended; the codes, refresh tokens and secrets of clients that were given. */
  consents: z.object({ registered: z.int(), ended: z.int(), secrets: z.array(z.string()) }),
});
export type ServerLog = z.infer<typeof serverLog>;

export const started = z.object({ id: z.string(), url: z.string() });
