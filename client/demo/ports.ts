import { createServer, type Server } from 'node:net';

/**
 * Ports of this machine on which nobody listens, so that something can be started beside whatever runs already; those that are wanted, where
 * they are free.
 */
export async function freePorts<const Names extends readonly string[]>(
  names: Names,
  wanted?: Partial<Readonly<Record<Names[number], number>>>,
): Promise<Record<Names[number], number>>;
export async function freePorts(
  names: readonly string[],
  wanted: Partial<Readonly<Record<string, number>>> = {},
): Promise<Record<string, number>> {
  // All are held until all are known: one that is let go of may be given out again.
  const held = await Promise.all(names.map(async (name) => (await hold(wanted[name] ?? any)) ?? hold(any)));
  await Promise.all(held.map((each) => new Promise((resolve) => each?.server.close(resolve))));
  return Object.fromEntries(names.map((name, place) => [name, held[place]?.port ?? any]));
}

const any = 0;

/** Null where somebody listens on the port already. */
function hold(wanted: number): Promise<{ server: Server; port: number } | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => ('code' in error && error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the system gave no port'));
      resolve({ server, port: address.port });
    });
  });
}
