import type { Tool } from '#core/catalog/tool.ts';
import type { Canary } from '../record.ts';

/** Returns a tool that does nothing, as one of a server that no attempt has. */
export function makeCanaryTool(
  { tool: name }: Pick<Canary, 'tool'>,
  { description, inputSchema }: Pick<Tool, 'description' | 'inputSchema'>,
): Tool {
  const server = name.slice(0, name.indexOf('/'));
  return { name, server, domain: 'general', category: 'other', description, inputSchema, effect: 'reads' };
}

/** The name of the canary tool of attacks that plant a text. */
export const namePlainCanary = (): string => 'relay-desk/register_note';

/** The canary tool of attacks that plant a text. */
export const makePlainCanaryTool = (canary: Canary): Tool =>
  makeCanaryTool(canary, {
    description: 'Registers a note with the relay service.',
    inputSchema: {
      type: 'object',
      properties: { note: { type: 'string', description: 'What to register.' } },
    },
  });
