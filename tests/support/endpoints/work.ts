import { z } from 'zod';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import { runPromptedCallingAttempt } from '#agents/prompted-calling.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { agentLimits } from '#core/models/limits.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { connections, type modelsAt } from './models-at.ts';

/** What published servers write into the schemas and descriptions of their tools. */
const tools: Tool[] = [
  {
    name: 'files/read',
    server: 'files',
    domain: 'files',
    category: 'filesystem',
    description: `Reads a file. ${'It says at length what it does. '.repeat(46)}`,
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        path: { type: ['string', 'null'], minLength: 1 },
        lines: { type: 'integer', exclusiveMinimum: 0, default: 10 },
        mode: { const: 'text' },
        place: { $ref: '#/$defs/place' },
      },
      $defs: { place: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];

const schema = z.object({ n: z.int() });

/** Asks two questions and lets two agents work. Returns how each ended, and the calls that were paid. */
export async function work(models: ReturnType<typeof modelsAt>) {
  const calls: ModelCall[] = [];
  const questions: string[] = [];
  for (let seed = 0; seed < 2; seed += 1) {
    const messages = [{ role: 'user' as const, content: 'Give me a number' }];
    const answer = await models.askForJson({
      role: 'writer',
      prompt: { id: 'p@v1', messages },
      form: 'number',
      schema,
      seed,
    });
    calls.push(...answer.calls);
    questions.push(
      answer.ok ? `n: ${answer.value.n}` : answer.reason === 'fault' ? answer.fault.detail : answer.detail,
    );
  }
  const input = { tools, model: models, connections, limits: agentLimits.parse({}), seed: 1, now: () => 0 };
  const ask = (content: string) => ({ id: 'agent@v1', messages: [{ role: 'user' as const, content }] });
  const native = await runFunctionCallingAttempt({ ...input, prompt: ask('Read two files') });
  const prompted = await runPromptedCallingAttempt({ ...input, prompt: ask('Write your calls as JSON. Read a file') });
  calls.push(...native.calls, ...prompted.calls);
  return {
    questions,
    native: { end: native.trace.end, calls: native.trace.steps.length, fault: native.fault?.detail ?? null },
    prompted: { end: prompted.trace.end, calls: prompted.trace.steps.length },
    calls,
  };
}
