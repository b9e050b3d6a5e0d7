import { expect, test } from 'vitest';
import { askForServerSummary } from '#adapters/model/deployment-critic.ts';
import type { Questioner } from '#core/ports.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import { testCards } from './models-cards.ts';

/** The offline critic behind the question as the product asks it. */
const critic: Questioner = {
  async askForJson({ prompt, form, schema, seed }) {
    const reply = replyToChatOrThrow(
      chatRequest.parse({
        model: 'offline-critic',
        messages: prompt.messages,
        seed,
        response_format: { type: 'json_schema', json_schema: { name: form } },
      }),
      testCards,
    );
    const value = schema.parse(JSON.parse('text' in reply ? reply.text : ''));
    return { ok: true, value, calls: [] };
  },
};

test('the offline critic describes a server by its name and by what its tools say they do', async () => {
  const tools = [
    { name: 'world-clock/now', description: 'Returns the present time. Never fails.' },
    { name: 'world-clock/convertTime' },
  ];
  expect(await askForServerSummary(critic, 'world-clock', tools, 1)).toBe(
    'A server for world clock. It can: returns the present time; convert time.',
  );
});

test('the offline critic describes a server of any size in 500 characters at most', async () => {
  const tools = Array.from({ length: 300 }, (_, n) => ({
    name: `s/tool_${n}`,
    description: `Does thing ${n} for you`,
  }));
  const summary = await askForServerSummary(critic, 's', tools, 1);
  expect(summary?.length).toBeGreaterThan(400);
  expect(summary?.length).toBeLessThanOrEqual(500);
});
