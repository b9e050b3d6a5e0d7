import { afterEach } from 'vitest';
import { startTestMcpServer, type TestMcpServer, type TestServerOptions } from './mcp-server.ts';

/** What a test has started; it is closed when the test ends, what was started last first: connections before their servers. */
export const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

/** Starts a server for the present test. */
export async function serverWith(options: TestServerOptions = {}): Promise<TestMcpServer> {
  const server = await startTestMcpServer(options);
  running.push(server);
  return server;
}
