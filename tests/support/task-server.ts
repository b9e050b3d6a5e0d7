import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  createMcpHandler,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveLocally, type LocalServer } from './serve-locally.ts';

/**
 * What becomes of a task: it ends with a result after `polls` questions, with an error of the tool or the protocol, is cancelled by the
 * server, never ends, is forgotten, or asks its user first.
 */
export const taskFates = ['done', 'failed', 'refused', 'cancelled', 'endless', 'forgotten', 'asks'] as const;
export type TaskFate = (typeof taskFates)[number];

export interface TaskServer extends LocalServer {
  /** The methods that were asked after the connection was made, in order. */
  readonly asked: string[];
  /** When tasks/get came, in milliseconds since 1970. */
  readonly polledAt: number[];
  /** What the user answered to questions of tasks. */
  readonly answers: unknown[];
  /** Tasks that a client cancelled. */
  readonly cancelled: string[];
  /** Refuses the next requests with 429 and this many seconds to wait. */
  refuseNext(times: number, retryAfterS: number): void;
}

interface Task {
  readonly fate: TaskFate;
  readonly createdAt: string;
  polls: number;
  answered: boolean;
  cancelled: boolean;
}

const tasksExtension = 'io.modelcontextprotocol/tasks';
const anyParams = z.record(z.string(), z.unknown());
const declaration = z.looseObject({
  'io.modelcontextprotocol/clientCapabilities': z.looseObject({
    extensions: z.looseObject({ [tasksExtension]: z.looseObject({}) }),
  }),
});
const sentMessage = z.looseObject({ method: z.string().optional() });
const taskParams = z.looseObject({ taskId: z.string() });
const callParams = z.looseObject({ name: z.enum(taskFates) });

const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which city?',
    requestedSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

class ModernTasks {
  readonly tasks = new Map<string, Task>();
  readonly answers: unknown[] = [];
  readonly cancelled: string[] = [];
  readonly #pollIntervalMs: number;

  constructor(pollIntervalMs: number) {
    this.#pollIntervalMs = pollIntervalMs;
  }

  describe(taskId: string, { createdAt }: Task, status: string): Record<string, unknown> {
    const times = { createdAt, lastUpdatedAt: new Date().toISOString() };
    return { taskId, status, ...times, ttlMs: 60_000, pollIntervalMs: this.#pollIntervalMs };
  }

  start(fate: TaskFate): Record<string, unknown> {
    const taskId = randomUUID();
    const task = { fate, createdAt: new Date().toISOString(), polls: 0, answered: false, cancelled: false };
    this.tasks.set(taskId, task);
    return { resultType: 'task', ...this.describe(taskId, task, 'working') };
  }

  find(params: unknown): { readonly taskId: string; readonly task: Task } {
    const { taskId } = taskParams.parse(params);
    const task = this.tasks.get(taskId);
    if (task === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found');
    return { taskId, task };
  }

  get(params: unknown): Record<string, unknown> {
    const { taskId, task } = this.find(params);
    task.polls += 1;
    const state = (status: string, more: object = {}) => ({ ...this.describe(taskId, task, status), ...more });
    if (task.cancelled) return state('cancelled');
    if (task.polls < 2 || task.fate === 'endless') return state('working');
    switch (task.fate) {
      case 'failed':
        return state('completed', { result: { content: [{ type: 'text', text: 'no such city' }], isError: true } });
      case 'refused':
        return state('failed', { error: { code: -32603, message: 'API rate limit exceeded' } });
      case 'cancelled':
        return state('cancelled', { statusMessage: 'maintenance' });
      case 'forgotten':
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task has expired');
      case 'asks':
        if (!task.answered) return state('input_required', { inputRequests: { city: question } });
        break;
      case 'done':
    }
    const text = task.fate === 'asks' ? JSON.stringify(this.answers) : 'done at last';
    return state('completed', { result: { content: [{ type: 'text', text }] } });
  }

  update(params: unknown, responses: unknown): Record<string, unknown> {
    const { task } = this.find(params);
    const { city } = z.looseObject({ city: z.unknown() }).parse(responses);
    if (!task.answered) this.answers.push(city);
    task.answered = true;
    return {};
  }

  cancel(params: unknown): Record<string, unknown> {
    const { taskId, task } = this.find(params);
    task.cancelled = true;
    this.cancelled.push(taskId);
    return {};
  }
}

/** Throws unless the client has said, with this very request, that it takes tasks. */
function demandTasks({ mcpReq }: ServerContext): void {
  if (declaration.safeParse(mcpReq.envelope).success) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

function makeModernServer(tasks: ModernTasks): Server {
  const capabilities = { tools: {}, extensions: { [tasksExtension]: {} } };
  const server = new Server({ name: 'tasks', version: '1.0.0' }, { capabilities });
  server.setRequestHandler('tools/list', { params: anyParams }, () => ({
    tools: taskFates.map((name) => ({ name, description: `A task that is ${name}`, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler('tools/call', { params: anyParams }, (params, context) => {
    demandTasks(context);
    return tasks.start(callParams.parse(params).name);
  });
  const methods = {
    'tasks/get': (params: unknown) => tasks.get(params),
    // The SDK takes the answers out of the parameters.
    'tasks/update': (params: unknown, { mcpReq }: ServerContext) => tasks.update(params, mcpReq.inputResponses),
    'tasks/cancel': (params: unknown) => tasks.cancel(params),
  };
  for (const [method, answer] of Object.entries(methods))
    server.setRequestHandler(method, { params: anyParams }, (params, context) => {
      demandTasks(context);
      return answer(params, context);
    });
  return server;
}

/**
 * Starts a server of revision 2026-07-28 whose calls all begin tasks (SEP-2663). It refuses clients that have not declared the
 * extension, and requests whose `Mcp-Name` is not the task's id, as the SDK does.
 */
export async function startModernTaskServer({ pollIntervalMs = 250 } = {}): Promise<TaskServer> {
  const tasks = new ModernTasks(pollIntervalMs);
  const handler = createMcpHandler(() => makeModernServer(tasks), { legacy: 'reject' });
  const asked: string[] = [];
  const polledAt: number[] = [];
  let refusals = { times: 0, retryAfterS: 0 };
  const served = await serveLocally(async (request) => {
    const { method } = sentMessage.parse(await request.clone().json());
    asked.push(method ?? '');
    if (method === 'tasks/get') polledAt.push(Date.now());
    if (method?.startsWith('tasks/') === true && request.headers.get('mcp-name') === null)
      return new Response(null, { status: 400 });
    if (refusals.times > 0 && method === 'tasks/get') {
      refusals = { ...refusals, times: refusals.times - 1 };
      return new Response(null, { status: 429, headers: { 'retry-after': String(refusals.retryAfterS) } });
    }
    return handler.fetch(request);
  });
  const { answers, cancelled } = tasks;
  return {
    ...served,
    asked,
    polledAt,
    answers,
    cancelled,
    refuseNext: (times, retryAfterS) => void (refusals = { times, retryAfterS }),
  };
}

type LegacyStore = InstanceType<typeof InMemoryTaskStore>;

/** Lets a task of the legacy server take its course. */
async function runLegacyTask(fate: TaskFate, id: string, store: LegacyStore, session: string | undefined) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  const say = (text: string, isError = false) => ({ content: [{ type: 'text' as const, text }], isError });
  switch (fate) {
    case 'done':
      return store.storeTaskResult(id, 'completed', say('done at last'), session);
    case 'failed':
      return store.storeTaskResult(id, 'failed', say('no such city', true), session);
    case 'refused':
      return store.updateTaskStatus(id, 'failed', 'API rate limit exceeded', session);
    case 'cancelled':
      return store.updateTaskStatus(id, 'cancelled', 'maintenance', session);
    case 'forgotten':
      return store.cleanup();
    case 'endless':
    case 'asks':
      return undefined;
  }
}

interface LegacyTasks {
  readonly store: LegacyStore;
  readonly answers: unknown[];
  readonly pollIntervalMs: number;
}

function makeLegacyServer({ store, answers, pollIntervalMs }: LegacyTasks): LegacyServer {
  const tasks = { cancel: {}, requests: { tools: { call: {} } } };
  const server = new LegacyServer(
    { name: 'tasks', version: '1.0.0' },
    { capabilities: { tools: {}, tasks }, taskStore: store, taskMessageQueue: new InMemoryTaskMessageQueue() },
  );
  for (const fate of taskFates)
    server.experimental.tasks.registerToolTask(
      fate,
      { description: `A task that is ${fate}`, execution: { taskSupport: 'required' } },
      {
        createTask: async (extra) => {
          const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: pollIntervalMs });
          const session = extra.sessionId;
          if (fate === 'asks') {
            await store.updateTaskStatus(task.taskId, 'input_required', 'Which city?', session);
            const { params } = question;
            const answer = server.server.request(
              { method: 'elicitation/create', params: { ...params, mode: 'form', requestedSchema: legacySchema } },
              z.looseObject({}),
              { relatedTask: { taskId: task.taskId } },
            );
            void answer
              .catch((error: unknown) => ({ refused: String(error) }))
              .then((said) => {
                answers.push(said);
                const content = [{ type: 'text' as const, text: JSON.stringify(said) }];
                return store.storeTaskResult(task.taskId, 'completed', { content }, session);
              });
          } else void runLegacyTask(fate, task.taskId, store, session);
          return { task };
        },
        getTask: async (extra) => extra.taskStore.getTask(extra.taskId),
        getTaskResult: async (extra) =>
          z.looseObject({ content: z.array(z.any()) }).parse(await extra.taskStore.getTaskResult(extra.taskId)),
      },
    );
  return server;
}

const legacySchema = { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] };

/** Starts a server of revision 2025-11-25, of the first generation of the SDK, whose tools have to be called as tasks. */
export async function startLegacyTaskServer({ pollIntervalMs = 250 } = {}): Promise<TaskServer> {
  const store = new InMemoryTaskStore();
  const answers: unknown[] = [];
  const asked: string[] = [];
  const polledAt: number[] = [];
  const cancelled: string[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let refusals = { times: 0, retryAfterS: 0 };
  const http = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      const message: unknown = text === '' ? undefined : JSON.parse(text);
      const { method, params } = z
        .looseObject({ method: z.string().optional(), params: z.unknown().optional() })
        .parse(message ?? {});
      asked.push(method ?? incoming.method ?? '');
      if (method === 'tasks/get') polledAt.push(Date.now());
      if (method === 'tasks/cancel') cancelled.push(taskParams.parse(params).taskId);
      if (refusals.times > 0 && method === 'tasks/get') {
        refusals = { ...refusals, times: refusals.times - 1 };
        return void outgoing.writeHead(429, { 'retry-after': String(refusals.retryAfterS) }).end();
      }
      const id = incoming.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (known !== undefined) return known.handleRequest(incoming, outgoing, message);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (opened) => void sessions.set(opened, transport),
      });
      await makeLegacyServer({ store, answers, pollIntervalMs }).connect(transport);
      await transport.handleRequest(incoming, outgoing, message);
    })().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(http.address());
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    polledAt,
    answers,
    cancelled,
    refuseNext: (times, retryAfterS) => void (refusals = { times, retryAfterS }),
    close: () =>
      new Promise((resolve) => {
        store.cleanup();
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
