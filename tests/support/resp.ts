import { connect } from 'node:net';

/** An error that Redis answered with. */
export class RedisError extends Error {}

export type Reply = string | number | null | RedisError | readonly Reply[];

/** A connection to Redis at a socket: commands in their order, by RESP2. */
export interface RedisConnection {
  send(commands: readonly (readonly string[])[]): Promise<Reply>[];
  close(): void;
}

export async function redisConnection(socketPath: string): Promise<RedisConnection> {
  const socket = connect(socketPath);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let pending: Buffer = Buffer.alloc(0);
  const waiting: ((reply: Reply) => void)[] = [];
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let read = readReply(pending, 0); read !== null; read = readReply(pending, 0)) {
      pending = pending.subarray(read.next);
      waiting.shift()?.(read.reply);
    }
  });
  return {
    send(commands) {
      const replies = commands.map(() => new Promise<Reply>((resolve) => waiting.push(resolve)));
      socket.write(commands.map(encoded).join(''));
      return replies;
    },
    close: () => void socket.destroy(),
  };
}

const encoded = (command: readonly string[]): string =>
  `*${command.length}\r\n${command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;

/** Parses the reply at an index; null if it is incomplete. */
function readReply(buffer: Buffer, at: number): { readonly reply: Reply; readonly next: number } | null {
  const end = buffer.indexOf('\r\n', at);
  if (end < 0) return null;
  const line = buffer.toString('utf8', at + 1, end);
  const next = end + 2;
  switch (buffer.toString('utf8', at, at + 1)) {
    case '+':
      return { reply: line, next };
    case '-':
      return { reply: new RedisError(line), next };
    case ':':
      return { reply: Number(line), next };
    case '$': {
      const length = Number(line);
      if (length < 0) return { reply: null, next };
      const whole = buffer.length >= next + length + 2;
      return whole ? { reply: buffer.toString('utf8', next, next + length), next: next + length + 2 } : null;
    }
    case '*': {
      if (Number(line) < 0) return { reply: null, next };
      const replies: Reply[] = [];
      let from = next;
      for (let n = 0; n < Number(line); n += 1) {
        const read = readReply(buffer, from);
        if (read === null) return null;
        replies.push(read.reply);
        from = read.next;
      }
      return { reply: replies, next: from };
    }
    default:
      throw new Error(`no reply of Redis: ${line}`);
  }
}
