import { expect, test } from 'vitest';
import { loopPrompts, render } from '#adapters/prompts/index.ts';
import { agentLoops } from '#agents/loops.ts';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import { agentLimits } from '#core/models/limits.ts';
import type { Tool } from '#core/catalog/tool.ts';

const tools: Tool[] = [{ name: 'a/search', server: 'a', domain: 'd', category: 'c', inputSchema: { type: 'object' } }];

test.each(modelLoop.options)('the loop %s fills its prompt with the request and the date', (loop) => {
  const { messages } = render(
    loopPrompts[loop][0],
    agentLoops[loop].promptVariables({
      request: 'Book a room',
      date: 'Monday, 2026-11-23',
      instructions: [],
      tools,
      limits: agentLimits.parse({}),
    }),
  );
  const text = messages.map(({ content }) => content).join('\n');
  expect(text).toContain('Book a room');
  expect(text).toContain('Today is Monday, 2026-11-23.');
});
