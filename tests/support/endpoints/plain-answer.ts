import type { Answerer } from './profile.ts';

/**
 * What the model of a stand-in answers: it calls the first function twice, then says that it is done. Without functions it is
 * asked a question, or works by writing its calls.
 */
export const answerPlainly: Answerer = ({ messages, tools: [first] }) => {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (first === undefined) return { content: writeText(messages.map(({ content }) => content)), calls: [] };
  if (results === 2) return { content: 'It is done.', calls: [] };
  const path = JSON.stringify({ path: `file-${results}.txt` });
  return { content: '', calls: [{ id: `call-${results}`, name: first.function.name, arguments: path }] };
};

function writeText(contents: readonly unknown[]): string {
  if (!String(contents[0]).includes('Write your calls')) return '{"n": 3}';
  return contents.length > 2
    ? '{"answer": "It is done."}'
    : '{"call": {"tool": "files/read", "arguments": {"path": "a.txt"}}}';
}
