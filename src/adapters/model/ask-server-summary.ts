import { z } from 'zod';
import { prompts, render } from '#adapters/prompts/index.ts';
import { serverTextChars } from '#core/catalog/server-description.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import type { Questioner } from '#core/ports.ts';

/** What the model sees of a server: this many tools, and characters of each description. */
const mostTools = 100;
const nameChars = 128;
const descriptionChars = 300;

const summaryAnswer = z.object({ summary: z.string().max(serverTextChars) });

/** Asks a model to describe a server by its tools; null without a usable answer. */
export async function askForServerSummary(
  model: Questioner,
  server: string,
  tools: readonly Pick<Tool, 'name' | 'description'>[],
  seed: number,
): Promise<string | null> {
  const answer = await model.askForJson({
    role: 'critic',
    prompt: render(prompts.serverSummary, {
      server,
      tools: tools.slice(0, mostTools).map(({ name, description = '' }) => ({
        name: toolNameWithoutServer(name).slice(0, nameChars),
        description: description.slice(0, descriptionChars),
      })),
    }),
    form: 'server-summary',
    schema: summaryAnswer,
    seed,
  });
  return answer.ok ? answer.value.summary : null;
}
