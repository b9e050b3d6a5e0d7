import { expect, test } from 'vitest';
import { loopPrompts, render } from '#adapters/prompts/index.ts';
import { agentLoops } from '#agents/loops.ts';
import { modelLoop } from '#core/evaluation/loops.ts';
import { agentLimits } from '#core/models/limits.ts';
import type { Tool } from '#core/catalog/tool.ts';

const tools: Tool[] = [{ name: 'a/search', server: 'a', domain: 'd', category: 'c', inputSchema: { type: 'object' } }];

test.each(modelLoop.options)('the loop %s fills its prompt with the request', (loop) => {
  const { messages } = render(
    loopPrompts[loop][0],
    agentLoops[loop].promptVariables('Book a room', tools, agentLimits.parse({})),
  );
  expect(messages.map(({ content }) => content).join('\n')).toContain('Book a room');
});
