import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { z } from 'zod';

/** A server of HTTP on this machine whose requests a function answers. */
export interface LocalServer {
  /** Its address, with the path `/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

export async function serveLocally(answer: (request: Request) => Response | Promise<Response>): Promise<LocalServer> {
  const listener = getRequestListener(answer);
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
