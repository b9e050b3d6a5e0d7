import { type Answer, errorAnswer } from './messages.ts';
import type { ServerSpec } from './servers.ts';

/**
 * Answers a server's requests to its client. The gateway acts as a client without a user and without a model: its only
 * root is the work folder, forms are declined, and sampling reports that there is no model.
 */
export function answerServerRequestAsClient(method: string, spec: ServerSpec, root: string): Answer {
  if (method === 'ping') return { result: {} };
  const capabilities = spec.clientCapabilities ?? {};
  if (method === 'roots/list' && 'roots' in capabilities) return { result: { roots: [{ uri: root, name: 'work' }] } };
  if (method === 'elicitation/create' && 'elicitation' in capabilities) return { result: { action: 'decline' } };
  if (method === 'sampling/createMessage' && 'sampling' in capabilities) {
    const text = 'No language model is attached to the offline gateway.';
    return { result: { role: 'assistant', model: 'none', stopReason: 'endTurn', content: { type: 'text', text } } };
  }
  return errorAnswer(-32601, 'Method not found');
}
