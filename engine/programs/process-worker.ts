import { makeIsolateRunner } from '#adapters/programs/isolate.ts';
import { messageToProcess, type MessageOfProcess } from '#adapters/programs/process.ts';
import type { ProgramReply } from '#core/ports.ts';

/** The Worker of a process that runs one program, in an isolate that a Worker Loader makes: whoever connects sends it. */
export default {
  fetch(_request, { LOADER }) {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    ours.accept();
    const waiting: ((reply: ProgramReply) => void)[] = [];
    const send = (message: MessageOfProcess): void => ours.send(JSON.stringify(message));
    const call = (name: string, argumentsText: string): Promise<ProgramReply> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        send({ kind: 'call', id: waiting.length - 1, name, argumentsText });
      });
    ours.addEventListener('message', ({ data }) => {
      const message = messageToProcess.parse(JSON.parse(String(data)));
      if (message.kind === 'reply') return waiting[message.id]?.(message.reply);
      const run = makeIsolateRunner(LOADER)(message.program, call, new AbortController().signal);
      run.then(
        (end) => send({ kind: 'end', end }),
        (error: unknown) => ours.close(1011, String(error).slice(0, 100)),
      );
    });
    return new Response(null, { status: 101, webSocket: theirs });
  },
} satisfies ExportedHandler<{ readonly LOADER: WorkerLoader }>;
