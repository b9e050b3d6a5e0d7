import { z } from 'zod';

/** How Redis databases are created and scripted. Used in Node and inside workerd, so it uses neither. */

const behaviour = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hang') }),
  z.object({ kind: z.literal('status'), status: z.int(), error: z.string().default('secret of the database') }),
  /** The connection ends before the answer; with `after`, the command is performed anyway. */
  z.object({ kind: z.literal('cut'), when: z.enum(['before', 'after']) }),
  /** An answer of any other form. */
  z.object({ kind: z.literal('body'), text: z.string() }),
]);

/** The first unused rule that matches a request decides; without one the database behaves normally. */
const rule = z.object({
  /** Somewhere in the command. */
  command: z.string().optional(),
  /** How many matching requests pass before. */
  skip: z.int().default(0),
  times: z.int().optional(),
  behaviour,
});
export type RedisRule = z.input<typeof rule>;
export const redisScript = z.array(rule);

export const madeDatabase = z.object({ url: z.string(), token: z.string() });

/** A database that speaks Upstash's protocol. */
export interface ScriptedRedis {
  readonly url: string;
  readonly token: string;
  tell(script: readonly RedisRule[]): Promise<void>;
  /** The commands received, one line of JSON each. */
  requests(): Promise<readonly string[]>;
  /** Sends a command as any client would. */
  send(...command: readonly (string | number)[]): Promise<unknown>;
}

/** Creates an empty database on a server. */
export async function newRedis(server: string): Promise<ScriptedRedis> {
  const made = await fetch(`${server}/databases`, { method: 'POST' });
  if (!made.ok) throw new Error(await made.text());
  const { url, token } = madeDatabase.parse(await made.json());
  const own = url.replace(/\/rest$/, '');
  return {
    url,
    token,
    async tell(script) {
      const told = await fetch(`${own}/script`, { method: 'POST', body: JSON.stringify(script) });
      if (!told.ok) throw new Error(await told.text());
      await told.body?.cancel();
    },
    requests: async () => z.array(z.string()).parse(await (await fetch(own)).json()),
    async send(...command) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(command) });
      const { result } = z.object({ result: z.unknown() }).parse(await answer.json());
      return result;
    },
  };
}
