import {
  StdioClientTransport,
  type StdioServerParameters,
  getDefaultEnvironment,
} from '@modelcontextprotocol/client/stdio';
import {
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { StdioEntry } from './server-file.ts';

/** The variables that say how this machine reaches the network: its proxies and its certificates. */
const networkVariables =
  /^(https?_proxy|all_proxy|no_proxy|node_use_env_proxy|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir)$/i;

/**
 * Returns how a server's process is started: in its folder, with the variables that MCP clients give, those of the
 * network, and its own. It gets no others, such as keys of models.
 */
export function processOptionsWithLimitedEnvironment({
  command,
  args,
  env,
  cwd,
}: StdioEntry): StdioServerParameters & { stderr: 'pipe' } {
  const network = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && networkVariables.test(name) ? [[name, value]] : [],
  );
  return {
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...Object.fromEntries(network), ...env },
    cwd,
    stderr: 'pipe',
  };
}

/** A session of a client: a process of its own, whose messages go to and fro unchanged. */
export interface BridgedSession {
  /** Answers a request of the client. `body` is its parsed JSON, if it has any. */
  answer(request: Request, body: unknown): Promise<Response>;
  /** Milliseconds since the last message; 0 while a request waits for its answer. */
  idleMs(): number;
  /** Ends the process. */
  close(): Promise<void>;
}

const requestId = z.union([z.string(), z.number()]);

/** The code of requests that will get no answer, because the process has ended. */
const processEnded = -32_000;

/**
 * Starts the process of a session. `onEnd` is called once, when the process or the client has ended the session; `log`
 * gets each line that the process writes to its standard error. Rejects if the program cannot be started.
 */
export async function startBridgedSession(
  entry: StdioEntry,
  sessionId: string,
  { log, onEnd }: { readonly log: (line: string) => void; readonly onEnd: () => void },
): Promise<BridgedSession> {
  const stdio = new StdioClientTransport(processOptionsWithLimitedEnvironment(entry));
  const http = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => sessionId,
    onsessionclosed: () => void close(),
  });
  /** Requests of the client that wait, with their progress tokens, the newest last. */
  const waiting = new Map<RequestId, unknown>();
  let lastMessageAt = Date.now();
  let running = false;
  let closing = false;

  const close = async (): Promise<void> => {
    if (closing) return;
    closing = true;
    onEnd();
    await stdio.close();
    await http.close();
  };

  http.onmessage = (message) => {
    lastMessageAt = Date.now();
    if ('method' in message && 'id' in message) waiting.set(message.id, message.params?._meta?.progressToken);
    // Nothing answers a request that was cancelled.
    const cancelled = requestId.safeParse(
      'method' in message && message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined,
    );
    if (cancelled.success) waiting.delete(cancelled.data);
    // A process that has ended takes nothing; its end answers all requests.
    stdio.send(message).catch(() => undefined);
  };
  stdio.onmessage = (message) => {
    lastMessageAt = Date.now();
    void deliverToClient(message, http, waiting, (answer) => stdio.send(answer));
  };
  stdio.onerror = ({ message }) => {
    if (running) log(`sent what is no message: ${message.split('\n', 1)[0] ?? ''}`);
  };
  stdio.onclose = () => {
    if (closing || !running) return;
    log(`the process ended by itself${waiting.size === 0 ? '' : ` before it answered ${waiting.size} request(s)`}`);
    const error = { code: processEnded, message: `the process of ${entry.name} ended before it answered` };
    const answers = [...waiting.keys()].map((id) => http.send({ jsonrpc: '2.0', id, error }));
    void Promise.allSettled(answers).then(close);
  };
  logStderrLines(stdio, log);
  await stdio.start();
  running = true;
  await http.start();

  return {
    answer: (request, body) => http.handleRequest(request, body === undefined ? {} : { parsedBody: body }),
    idleMs: () => (waiting.size > 0 ? 0 : Date.now() - lastMessageAt),
    close,
  };
}

/**
 * Sends a message of the process to the client: answers and progress on the stream of their request, all else on that
 * of the newest request, because few clients listen outside of requests.
 */
async function deliverToClient(
  message: JSONRPCMessage,
  http: WebStandardStreamableHTTPServerTransport,
  waiting: Map<RequestId, unknown>,
  answerProcess: (message: JSONRPCMessage) => Promise<void>,
): Promise<void> {
  if (!('method' in message)) {
    if (message.id === undefined || !waiting.delete(message.id)) return;
    await http.send(message).catch(() => undefined);
    return;
  }
  const token = message.params?.['progressToken'];
  const related = [...waiting].find(([, each]) => token !== undefined && each === token) ?? [...waiting].at(-1);
  try {
    await http.send(message, related === undefined ? {} : { relatedRequestId: related[0] });
  } catch (cause) {
    if (!('id' in message)) return;
    const error = { code: -32_603, message: `no client listens: ${cause instanceof Error ? cause.message : ''}` };
    await answerProcess({ jsonrpc: '2.0', id: message.id, error });
  }
}

function logStderrLines(stdio: StdioClientTransport, log: (line: string) => void): void {
  let rest = '';
  stdio.stderr?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = (lines.pop() ?? '').slice(-10_000);
    for (const line of lines) log(line);
  });
}
