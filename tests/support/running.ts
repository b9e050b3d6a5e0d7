import { afterEach } from 'vitest';
import { startTestMcpServer, type TestMcpServer, type TestServerOptions } from './mcp-server.ts';

/** What a test has started; closed in reverse order when the test ends, connections before their servers. */
export const running: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

/** Starts a server for the present test. */
export async function serverWith(options: TestServerOptions = {}): Promise<TestMcpServer> {
  const server = await startTestMcpServer(options);
  running.push(server);
  return server;
}
