/** Answers a conversation without functions: its model is asked a question, or works by writing its calls. */
export function writePlainAnswer(contents: readonly unknown[]): string {
  if (!String(contents[0]).includes('Write your calls')) return '{"n": 3}';
  return contents.length > 2
    ? '{"answer": "It is done."}'
    : '{"call": {"tool": "files/read", "arguments": {"path": "a.txt"}}}';
}
