import { createServer } from 'node:http';
import { z } from 'zod';
import { bodyOf, close, listen, sendJson } from './stub-mcp-server.ts';

/** A model endpoint that answers at once and well: a chain of the first three candidates, and an agent that calls them. */
export interface StubModels {
  readonly url: string;
  requests(): number;
  close(): Promise<void>;
}

const request = z.looseObject({
  seed: z.number(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  response_format: z.looseObject({ json_schema: z.looseObject({ name: z.string() }) }).optional(),
});

export type AskedOfStub = z.infer<typeof request>;

const toolList = z.array(z.looseObject({ name: z.string() }));
const chainLength = 3;

export interface StubModelOptions {
  /** How long an answer takes. */
  readonly delayMs?: number;
  /** Is told of each request as it arrives. */
  readonly onRequest?: (asked: AskedOfStub) => void;
}

export async function startStubModels({ delayMs = 0, onRequest }: StubModelOptions = {}): Promise<StubModels> {
  let requests = 0;
  const server = createServer((incoming, response) => {
    requests += 1;
    void bodyOf(incoming).then(async (body) => {
      const asked = request.parse(JSON.parse(body));
      onRequest?.(asked);
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const message = answer(asked);
      sendJson(response, {
        id: 'stub',
        object: 'chat.completion',
        created: 0,
        model: 'stub',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', ...message },
            finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
          },
        ],
        usage: {
          prompt_tokens: Math.ceil(body.length / 4),
          completion_tokens: Math.ceil(JSON.stringify(message).length / 4),
          total_tokens: 0,
        },
      });
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/v1`, requests: () => requests, close: () => close(server) };
}

function answer(asked: z.infer<typeof request>): { content: string } | { content: null; tool_calls: unknown[] } {
  const form = asked.response_format?.json_schema.name;
  if (form === undefined) return nextCall(asked);
  const text = asked.messages.map(({ content }) => content ?? '').join('\n');
  const forms: Record<string, () => unknown> = {
    scenario: () => ({ scenario: { request: 'Do three things with "alpha".', factQuery: 'alpha' }, why: 'they fit' }),
    'metamorphic-pair': () => ({ pair: pairOf(text), why: 'they fit' }),
    audit: () => ({ semanticEquivalence: 95, parameterSolvability: 95, issues: [], suggestions: [] }),
  };
  return { content: JSON.stringify(forms[form]?.() ?? null) };
}

function pairOf(text: string) {
  const json = /<data name="tools">\n(.*)\n<\/data>/.exec(text)?.[1] ?? '[]';
  const chain = toolList
    .parse(JSON.parse(json))
    .slice(0, chainLength)
    .map(({ name }) => name);
  // The agent reads the chain from these numbers, since a request may not name a tool.
  const places = chain.map((name) => /step-(\d+)-(\d+)$/.exec(name)?.slice(1).join('.')).join(' ');
  return {
    source: `With "alpha", do what stands at ${places}.`,
    followUp: `Please take "alpha" and go through ${places}, in this order.`,
    chain,
    arguments: chain.map((_, index) => ({
      step: index + 1,
      argument: 'text',
      source: { kind: 'span', text: 'alpha' },
    })),
    facts: [],
  };
}

function nextCall(asked: z.infer<typeof request>): { content: string } | { content: null; tool_calls: unknown[] } {
  const said = asked.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const places = [...said.matchAll(/\b(\d+)\.(\d+)\b/g)].map(([, server, tool]) => `step-${server}-${tool}`);
  const done = asked.messages.filter(({ role }) => role === 'tool').length;
  const wanted = places[done];
  const name =
    wanted === undefined ? undefined : asked.tools?.find((tool) => tool.function.name.endsWith(wanted))?.function.name;
  if (name === undefined) return { content: 'All of it is done.' };
  return {
    content: null,
    tool_calls: [{ id: `call-${done}`, type: 'function', function: { name, arguments: '{"text":"alpha"}' } }],
  };
}
