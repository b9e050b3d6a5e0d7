import { z } from 'zod';
import type { ProgramEnd, ProgramReply, RunProgram } from '#core/ports.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';

/**
 * Runs programs in processes of their own, which `engine/programs/processes.ts` starts and ends: workerd has neither a limit of
 * CPU time nor one of memory, so what a Worker Loader there runs can only be ended with its process.
 */

/** Messages from the process of a program. */
export const messageOfProcess = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.int(), name: z.string(), argumentsText: z.string() }),
  z.object({
    kind: z.literal('end'),
    end: z.union([
      z.object({
        kind: z.literal('returned'),
        text: z.string().nullable(),
        truncated: z.boolean(),
        printed: z.string(),
      }),
      z.object({ kind: z.literal('threw'), message: z.string(), line: z.int().nullable(), printed: z.string() }),
      z.object({ kind: z.literal('stopped'), why: z.enum(['signal', 'resources']), printed: z.string() }),
    ]),
  }),
]);
export type MessageOfProcess = z.infer<typeof messageOfProcess>;

/** Messages to it: first the program, then the replies to its calls. */
export const messageToProcess = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), program: z.object({ code: z.string(), outputChars: z.int() }) }),
  z.object({
    kind: z.literal('reply'),
    id: z.int(),
    reply: z.union([
      z.object({ ok: z.literal(true), text: z.string(), json: z.string().nullable() }),
      z.object({ ok: z.literal(false), message: z.string() }),
    ]),
  }),
]);
type MessageToProcess = z.infer<typeof messageToProcess>;

const startedProcess = z.object({ id: z.string(), url: z.url({ protocol: /^ws$/ }) });

/** Returns what runs each program in a process that is asked for at an address. */
export const makeProcessRunner =
  (address: string): RunProgram =>
  async (program, call, signal) => {
    const answer = await fetch(address, { method: 'POST' });
    if (!answer.ok) throw new Error(`no process for a program: ${answer.status}`);
    const { id, url } = startedProcess.parse(await answer.json());
    try {
      const socket = new WebSocket(url);
      const send = (message: MessageToProcess): void => socket.send(JSON.stringify(message));
      socket.addEventListener('open', () => send({ kind: 'run', program }));
      return await waitForEnd(socket, signal, async ({ id: callId, name, argumentsText }) => {
        const reply: ProgramReply = await call(name, argumentsText);
        if (socket.readyState === WebSocket.OPEN) send({ kind: 'reply', id: callId, reply });
      });
    } finally {
      const { body } = await fetch(`${address}/${id}`, { method: 'DELETE' });
      await body?.cancel();
    }
  };

type Call = Extract<MessageOfProcess, { kind: 'call' }>;

/** A process that is gone before its program ended was ended for what it took. */
const waitForEnd = (
  socket: WebSocket,
  signal: AbortSignal,
  answer: (call: Call) => Promise<void>,
): Promise<ProgramEnd> =>
  new Promise((resolve, reject) => {
    const stop = (why: 'signal' | 'resources') => (): void => resolve({ kind: 'stopped', why, printed: '' });
    if (signal.aborted) stop('signal')();
    signal.addEventListener('abort', stop('signal'), { once: true });
    socket.addEventListener('close', stop('resources'));
    socket.addEventListener('error', stop('resources'));
    socket.addEventListener('message', ({ data }) => {
      const json = typeof data === 'string' ? parseJsonWithinLimits(data) : null;
      const message = json?.ok === true ? messageOfProcess.safeParse(json.value) : null;
      if (message?.success !== true) return reject(new Error('the process of a program sent what is no message'));
      if (message.data.kind === 'end') resolve(message.data.end);
      else answer(message.data).catch(reject);
    });
  });
