import { z } from '@hono/zod-openapi';
import type {
  OfferedAnswer,
  OfferedCallOptions,
  OfferedDefinition,
  OfferedHints,
} from '#adapters/mcp/offered-server.ts';
import { errorCatalog, type ErrorCode } from '#core/values/errors.ts';
import type { problemDocument } from '../problem.ts';
import { type OwnApi, ToolRefusal } from './own-api.ts';

/** What a tool gets with a call besides its arguments. */
export interface ToolCall extends OfferedCallOptions {
  readonly api: OwnApi;
  readonly requestId: string;
}

/** A tool of `/mcp` before it knows the request that calls it. */
export interface UnboundTool {
  readonly name: string;
  define(): OfferedDefinition;
  call(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<OfferedAnswer>;
}

interface ToolParts<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly hints: OfferedHints;
  /** Returns the result in a few sentences, and as data. */
  run(
    input: z.output<Input>,
    call: ToolCall,
  ): Promise<{ readonly text: string; readonly data: z.input<NoInfer<Output>> }>;
}

/** Returns a tool that checks its arguments, and whose errors are results that say what to do. */
export const makeTool = <Input extends z.ZodObject, Output extends z.ZodObject>({
  input,
  output,
  hints: annotations,
  run,
  ...about
}: ToolParts<Input, Output>): UnboundTool => ({
  name: about.name,
  define: () => ({
    ...about,
    inputSchema: makeObjectSchema(input, 'input'),
    outputSchema: makeObjectSchema(output, 'output'),
    annotations,
  }),
  async call(args, call) {
    const parsed = input.safeParse(args);
    if (!parsed.success) return invalidArgumentsAnswer(parsed.error);
    try {
      const { text, data } = await run(parsed.data, call);
      return { ok: true, text, data: output.parse(data) };
    } catch (error) {
      if (error instanceof ToolRefusal) return problemAnswer(error.problem);
      if (call.signal.aborted) return problemAnswer({ code: 'internal-error', detail: 'the call was cancelled' });
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      console.error(JSON.stringify({ requestId: call.requestId, tool: about.name, error: message, stack }));
      const detail = `quote ${call.requestId} when you report this`;
      return problemAnswer({ code: 'internal-error', detail });
    }
  },
});

const objectSchema = z.looseObject({ type: z.literal('object') });

const makeObjectSchema = (schema: z.ZodObject, io: 'input' | 'output'): z.infer<typeof objectSchema> =>
  objectSchema.parse(
    z.toJSONSchema(schema, {
      io,
      reused: 'inline',
      // Every integer would have them, and models pay for each word.
      override({ jsonSchema }) {
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    }),
  );

const mostIssues = 20;

function invalidArgumentsAnswer({ issues }: z.ZodError): OfferedAnswer {
  const named = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => ({ where: `/${path.map(String).join('/')}`, message }));
  const detail = named.map(({ where, message }) => `${where}: ${message}`).join('; ');
  return problemAnswer({ code: 'invalid-request', detail, issues: named });
}

type ToolProblem = Pick<z.infer<typeof problemDocument>, 'detail' | 'issues' | 'retryAfter'> & {
  readonly code: ErrorCode;
};

/** Returns a problem as a model reads it: what was wrong, its code, and what to do about it. */
function problemAnswer({ code, detail, issues, retryAfter }: ToolProblem): OfferedAnswer {
  const { title, retryable, remedy } = errorCatalog[code];
  const again = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`;
  return {
    ok: false,
    text: `${title} (${code}): ${detail}. ${remedy}${again}`,
    problem: {
      code,
      detail,
      retryable,
      ...(issues === undefined ? {} : { issues }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  };
}

/** Hints of a tool that reads from Sextant alone. */
export const readsOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const satisfies OfferedHints;
