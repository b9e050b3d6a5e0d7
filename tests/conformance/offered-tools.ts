import { createApp } from '#api/app.ts';
import { directoryKnowing, fakeServices } from '../support/fake-services.ts';
import { serveLocally, type LocalServer } from '../support/serve-locally.ts';

const key = 'sxt_conformance';

/** Serves `/mcp` with a key in each request, because the suite has no way to send one. Its tools have no state behind them. */
export async function serveOfferedTools(): Promise<LocalServer> {
  const app = createApp(fakeServices({ directory: await directoryKnowing(key) }));
  return serveLocally((request) => {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${key}`);
    return app.fetch(new Request(request, { headers }));
  });
}
