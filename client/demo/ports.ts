import { createServer, type Server } from 'node:net';

/** Ports of this machine on which nobody listens, so that something can be started beside whatever runs already. */
export async function freePorts<const Names extends readonly string[]>(
  names: Names,
): Promise<Record<Names[number], number>>;
export async function freePorts(names: readonly string[]): Promise<Record<string, number>> {
  // All are held until all are known: one that is let go of may be given out again.
  const held = await Promise.all(names.map(hold));
  await Promise.all(held.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return Object.fromEntries(names.map((name, place) => [name, held[place]?.port ?? 0]));
}

function hold(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the system gave no port'));
      resolve({ server, port: address.port });
    });
  });
}
