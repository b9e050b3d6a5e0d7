import { z } from 'zod';
import { splitIdentifierIntoWords } from './words.ts';

const shownTools = z.array(z.looseObject({ name: z.string(), description: z.string().catch('') })).catch([]);

const summaryChars = 500;

/**
 * Form `server-summary`: the words of the server's name, and what its tools do by the first sentences of their descriptions, as
 * many as fit. A tool without a description is described by the words of its name.
 */
export const answerServerSummaryForm = (variables: ReadonlyMap<string, unknown>): unknown => {
  const server = z.string().catch('').parse(variables.get('server'));
  const tools = shownTools.parse(variables.get('tools'));
  const abilities = [...new Set(tools.map(({ name, description }) => abilityTextOfTool(name, description)))];
  let summary = `A server for ${splitIdentifierIntoWords(server).join(' ') || 'tools'}.`;
  for (const [at, ability] of abilities.entries()) {
    const next = `${at === 0 ? `${summary} It can: ` : `${summary}; `}${ability}`;
    if (next.length >= summaryChars) break;
    summary = next;
  }
  return { summary: summary.endsWith('.') ? summary : `${summary}.` };
};

/** Returns what a tool does, in the words of its own description. */
const abilityTextOfTool = (name: string, description: string): string => {
  const sentence = /^[\s\S]*?(?=[.!?](?:\s|$)|\n|$)/u.exec(description.trim())?.[0].trim() ?? '';
  const ability = sentence === '' ? splitIdentifierIntoWords(name).join(' ') : sentence;
  return ability.charAt(0).toLowerCase() + ability.slice(1);
};
