import { afterEach, describe, expect, test } from 'vitest';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { makeSimulatedUser } from '#adapters/model/simulated-user.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeRuleCategorizedTools } from '#api/server-tools.ts';
import type { Questioner } from '#core/ports.ts';
import type { UserQuestion } from '#core/models/simulated-user/question.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';
import { answerForUser } from '../../offline/models/simulated-user.ts';
import { parsePromptVariables } from '../../offline/models/prompt.ts';
import { startEraServer } from '../support/era-server.ts';
import { startEverythingProcess } from '../support/everything-process.ts';
import type { LocalServer } from '../support/serve-locally.ts';
import { startLegacyTaskServer, startModernTaskServer } from '../support/task-server.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

/** A user whose model is the offline rules. */
function offlineUser(request: string) {
  const calls: unknown[] = [];
  const model: Questioner = {
    async askForJson({ prompt, schema, role }) {
      const messages = prompt.messages.map(({ role: speaker, content }) => ({ role: speaker, content }));
      const value = schema.parse(answerForUser(parsePromptVariables(messages)));
      const call = { role, model: 'rules', prompt: prompt.id, promptTokens: 10, completionTokens: 5, costUsd: 0 };
      return { ok: true, value, calls: [{ ...call, latencyMs: 1, retries: 0 }] };
    },
  };
  const onCalls = (made: readonly unknown[]): void => void calls.push(...made);
  return { calls, user: makeSimulatedUser({ model, role: 'judge', name: 'rules', request, seed: 1, onCalls }) };
}

async function connectTo(server: LocalServer, user?: SimulatedUser, more: readonly string[] = []) {
  running.push(server);
  const admission = new Admission();
  const found = await discoverTools({ admission, url: server.url, headers: {}, allowLocal: true, timeoutMs: 10_000 });
  if (!found.ok) throw new Error(found.problem.detail);
  const { protocolVersion } = found.value;
  const connections = makeLazyConnections({
    admission,
    servers: [{ name: 'test', url: server.url, headers: {}, ...unlimited, protocolVersion }],
    tools: [...makeRuleCategorizedTools({ name: 'test', domain: 'tests' }, found.value.tools), ...toolsNamed(...more)],
    allowLocal: true,
    user,
  });
  running.push(connections);
  return connections;
}

const inParis = 'What is the weather like? The city is Paris.';
const tellsCity = { message: 'Which city?', fields: ['city'], answer: { city: 'Paris' }, by: { model: 'rules' } };

describe('what a server without sessions asks', () => {
  test('is declined by the policy of a run that does not answer, and the step says so', async () => {
    const connections = await connectTo(await startEraServer('modern'));
    expect(await connections.call('test/book', {}, 5_000)).toMatchObject({
      kind: 'success',
      text: JSON.stringify({ sure: { action: 'decline' } }),
      asked: [{ message: 'Book it?', fields: ['yes'], answer: null, by: 'policy' }],
    });
  });

  test('is answered from the request, in the repeated call', async () => {
    const { user, calls } = offlineUser('Yes, book the flight.');
    const connections = await connectTo(await startEraServer('modern'), user);
    expect(await connections.call('test/book', {}, 5_000)).toMatchObject({
      text: JSON.stringify({ sure: { action: 'accept', content: { yes: true } } }),
      asked: [{ answer: { yes: true }, by: { model: 'rules' } }],
    });
    expect(calls).toHaveLength(1);
  });

  test('is declined if the request does not say', async () => {
    const { user } = offlineUser('Show me flights.');
    const connections = await connectTo(await startEraServer('modern'), user);
    expect(await connections.call('test/book', {}, 5_000)).toMatchObject({
      text: JSON.stringify({ sure: { action: 'decline' } }),
      asked: [{ answer: null, by: { model: 'rules' }, why: 'the request does not say' }],
    });
  });

  test('is answered in a task too', async () => {
    const server = await startModernTaskServer();
    const connections = await connectTo(server, offlineUser(inParis).user);
    expect(await connections.call('test/asks', {}, 5_000)).toMatchObject({ kind: 'success', asked: [tellsCity] });
    expect(server.answers).toEqual([{ action: 'accept', content: { city: 'Paris' } }]);
  });

  test('is answered in at most three rounds of a call, and a call that asks for ever is given up', async () => {
    const { user, calls } = offlineUser('Yes, book the flight.');
    const connections = await connectTo(await startEraServer('modern'), user);
    const outcome = await connections.call('test/insist', {}, 5_000);
    expect(outcome).toMatchObject({
      kind: 'fault',
      fault: { code: 'malformed-protocol', detail: 'the server asked its user 10 times and gave no result' },
    });
    expect(calls).toHaveLength(3);
    expect(outcome.asked?.map(({ by }) => by)).toEqual([
      ...Array.from({ length: 3 }, () => ({ model: 'rules' })),
      ...Array.from({ length: 7 }, () => 'rule'),
    ]);
  });

  test('takes none of the time of the call while the user answers', async () => {
    const connections = await connectTo(await startEraServer('modern'), slowUser(1_200));
    const outcome = await connections.call('test/book', {}, 1_000);
    expect(outcome).toMatchObject({ kind: 'success' });
    expect(outcome.queuedMs).toBeGreaterThanOrEqual(1_150);
  });

  test('ends the attempt if the model that plays the user cannot be reached', async () => {
    const connections = await connectTo(await startEraServer('modern'), unreachableUser);
    expect(await connections.call('test/book', {}, 5_000)).toMatchObject({ kind: 'fault', fault: modelFault });
  });
});

/** A user who thinks for a while, and declines. */
const slowUser = (ms: number): SimulatedUser => ({
  answer: async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { ok: true, value: { content: null, by: { model: 'slow' }, why: 'it does not say' } };
  },
});

const modelFault = { where: 'model', name: 'judge', code: 'unreachable', detail: 'no model' } as const;
const unreachableUser: SimulatedUser = { answer: async () => ({ ok: false, fault: modelFault }) };

describe('what a legacy server asks', () => {
  test('in a task is answered while the client waits for its result', async () => {
    const server = await startLegacyTaskServer();
    const connections = await connectTo(server, offlineUser(inParis).user);
    expect(await connections.call('test/asks', {}, 5_000)).toMatchObject({ kind: 'success', asked: [tellsCity] });
    expect(server.answers).toEqual([{ action: 'accept', content: { city: 'Paris' } }]);
  });

  test('takes none of the time of the call while the user answers', async () => {
    const connections = await connectTo(await startLegacyTaskServer(), slowUser(1_200));
    const outcome = await connections.call('test/asks', {}, 1_000);
    expect(outcome).toMatchObject({ kind: 'success', text: JSON.stringify({ action: 'decline' }) });
    expect(outcome.queuedMs).toBeGreaterThanOrEqual(1_150);
  });

  test('ends the attempt if the model that plays the user cannot be reached, or throws what its platform threw', async () => {
    const connections = await connectTo(await startLegacyTaskServer(), unreachableUser);
    expect(await connections.call('test/asks', {}, 5_000)).toMatchObject({ kind: 'fault', fault: modelFault });
    const thrown = new Error('the endpoint rests');
    const resting = await connectTo(await startLegacyTaskServer(), { answer: () => Promise.reject(thrown) });
    await expect(resting.call('test/asks', {}, 5_000)).rejects.toBe(thrown);
  });

  test('belongs to the call that is under way: calls of one session that may ask are made one after the other', async () => {
    const asked: UserQuestion[] = [];
    let [underWay, most] = [0, 0];
    const user: SimulatedUser = {
      answer: async (question) => {
        asked.push(question);
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 100));
        underWay -= 1;
        return { ok: true, value: { content: { city: `C${asked.length}` }, by: { model: 'm' }, why: '' } };
      },
    };
    const connections = await connectTo(await startLegacyTaskServer(), user);
    const outcomes = await Promise.all(['a', 'b'].map(() => connections.call('test/asks', {}, 5_000)));
    expect(most).toBe(1);
    expect(outcomes.map(({ asked: each }) => each?.map(({ answer }) => answer))).toEqual([
      [{ city: 'C1' }],
      [{ city: 'C2' }],
    ]);
  });

  test('reaches the user of the published server "everything", who fills in what the request says', async () => {
    const { user } = offlineUser('Register me: my name is Ada, and my favorite friend is Phoebe. I agree.');
    const tool = 'test/trigger-elicitation-request';
    const connections = await connectTo(await startEverythingProcess(), user, [tool]);
    const outcome = await connections.call(tool, {}, 10_000);
    expect(outcome).toMatchObject({
      kind: 'success',
      text: expect.stringContaining('- Name: Ada'),
      asked: [{ answer: { name: 'Ada', untitledSingleSelectEnum: 'Phoebe' }, by: { model: 'rules' } }],
    });
  });

  test('is answered in a task of the published server "everything"', { timeout: 30_000 }, async () => {
    const { user } = offlineUser('Research python, the Python snake species.');
    const connections = await connectTo(await startEverythingProcess(), user);
    const outcome = await connections.call(
      'test/simulate-research-query',
      { topic: 'python', ambiguous: true },
      20_000,
    );
    expect(outcome).toMatchObject({
      kind: 'success',
      text: expect.stringContaining('python (snake)'),
      asked: [{ answer: { interpretation: 'snake' } }],
    });
  });
});
