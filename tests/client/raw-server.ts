/**
 * A server in plain JavaScript that speaks MCP on stdio, line by line, and makes the mistake that its first argument names. With
 * any other argument it makes none.
 */
export const rawServer = `
import { createInterface } from 'node:readline';
const fault = process.argv[2];
const capabilities = { tools: {}, resources: {}, prompts: {}, logging: {} };
const tool = { name: 'add', inputSchema: { type: 'object' } };
const kept = [];
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: fault === 'echoes-version' ? protocolVersion : '2025-11-25', capabilities,
    ...(fault === 'no-server-info' ? {} : { serverInfo: { name: 'raw', version: '1' } }),
  }),
  ping: () => (fault === 'ping-says' ? { pong: true } : {}),
  'tools/list': ({ cursor }) => {
    if (fault === 'twice') return cursor === undefined ? { tools: [tool], nextCursor: '2' } : { tools: [tool] };
    if (fault === 'no-end') return { tools: [tool], nextCursor: 'again' };
    return { tools: [fault === 'no-schema' ? { name: 'add' } : tool] };
  },
  'tools/call': () => {
    if (fault === 'leaks') kept.push(Buffer.alloc(3_000_000, 1));
    else Buffer.alloc(600_000, 1);
    return { content: fault === 'content-text' ? 'three' : [{ type: 'text', text: 'three' }], isError: true };
  },
  'resources/list': () => ({ resources: [] }),
  'prompts/list': () => ({ prompts: [] }),
  'logging/setLevel': () => ({}),
};
if (fault === 'no-logging') delete results['logging/setLevel'];
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const answer = ({ id, method, params = {} }) => {
  const known = results[method];
  if (known === undefined && id === undefined) {
    if (fault === 'dies-of-notification' && method !== 'notifications/initialized') process.exit(1);
    return;
  }
  if (id === undefined) return;
  const jsonrpc = fault === 'no-jsonrpc' ? undefined : '2.0';
  if (fault === 'number-ids' && typeof id === 'string') return send({ jsonrpc, id: null, result: {} });
  if (known !== undefined) return send({ jsonrpc, id: fault === 'text-ids' ? String(id) : id, result: known(params) });
  if (fault === 'unknown-silent') return;
  if (fault === 'unknown-result') return send({ jsonrpc, id, result: {} });
  send({ jsonrpc, id, error: { code: fault === 'text-code' ? 'NOT_FOUND' : -32601, message: 'Method not found' } });
};
console.log('a line that is no message');
createInterface({ input: process.stdin }).on('line', (line) => {
  let message;
  try { message = JSON.parse(line); } catch (error) { if (fault === 'dies-of-malformed') throw error; return; }
  answer(message);
});
if (fault === 'stays') setInterval(() => {}, 1000);
`;
