import { z } from 'zod';
import { prompts, render } from '#adapters/prompts/index.ts';
import { categoryDefinitions, toolCategory, type ToolCategory } from '#core/catalog/tool-categories.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Questioner } from '#core/ports.ts';

/** Tools in one question, and how many questions are asked for one server; tools beyond that are left out. */
const toolsPerQuestion = 40;
const mostQuestions = 10;
/** Characters of a name, a title and a description that the model sees. */
const nameChars = 128;
const descriptionChars = 400;

const categoriesAnswer = z.object({
  tools: z.array(z.object({ n: z.int(), category: toolCategory })).max(toolsPerQuestion * 2),
});

/**
 * Asks a model for the categories of a server's tools. The map lacks tools about which it gave no usable answer; after
 * a fault nothing more is asked.
 */
export async function askForCategories(
  model: Questioner,
  tools: readonly Pick<Tool, 'name' | 'description'>[],
  seed: number,
): Promise<ReadonlyMap<string, ToolCategory>> {
  const found = new Map<string, ToolCategory>();
  for (let question = 0; question < mostQuestions; question += 1) {
    const asked = tools.slice(question * toolsPerQuestion, (question + 1) * toolsPerQuestion);
    if (asked.length === 0) break;
    const answer = await model.askForJson({
      role: 'critic',
      prompt: render(prompts.toolCategories, {
        categories: categoryDefinitions,
        tools: asked.map(({ name, description = '' }, at) => ({
          n: at + 1,
          name: name.slice(0, nameChars),
          description: description.slice(0, descriptionChars),
        })),
      }),
      form: 'tool-categories',
      schema: categoriesAnswer,
      seed,
    });
    if (!answer.ok && answer.reason === 'fault') break;
    for (const { n, category } of answer.ok ? answer.value.tools : []) {
      const tool = asked[n - 1];
      if (tool !== undefined && !found.has(tool.name)) found.set(tool.name, category);
    }
  }
  return found;
}
