import { createServer, type Server } from 'node:net';

/**
 * Finds free ports of this machine, so that something can be started next to what already runs; the preferred ones if
 * they are free.
 */
export async function findFreePortsByName<const Names extends readonly string[]>(
  names: Names,
  wanted?: Partial<Readonly<Record<Names[number], number>>>,
): Promise<Record<Names[number], number>>;
export async function findFreePortsByName(
  names: readonly string[],
  wanted: Partial<Readonly<Record<string, number>>> = {},
): Promise<Record<string, number>> {
  // Holds all ports until all are known, because a released one may be returned again.
  const held = await Promise.all(
    names.map(async (name) => (await reservePortUnlessInUse(wanted[name] ?? any)) ?? reservePortUnlessInUse(any)),
  );
  await Promise.all(held.map((each) => new Promise((resolve) => each?.server.close(resolve))));
  return Object.fromEntries(names.map((name, index) => [name, held[index]?.port ?? any]));
}

const any = 0;

/** Null if the port is in use. */
function reservePortUnlessInUse(wanted: number): Promise<{ server: Server; port: number } | null> {
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
