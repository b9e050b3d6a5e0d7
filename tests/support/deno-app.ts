import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp } from '#api/app.ts';
import { directoryKnowing, fakeServices } from './fake-services.ts';
import { rootKey } from './root-key.ts';

/**
 * Runs in Deno: loads everything that does not depend on Cloudflare, serves the API with empty services, and prints its
 * address. It ends with its stdin.
 */

declare const Deno: {
  serve(
    options: { readonly hostname: string; readonly port: number; onListen(address: { readonly port: number }): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): unknown;
};

const src = join(import.meta.dirname, '../../src');
const files = ['core', 'adapters', 'agents', 'api'].flatMap((folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => join(src, folder, file)),
);
for (const file of files) await import(pathToFileURL(file).href);

const app = createApp(fakeServices({ directory: await directoryKnowing(rootKey) }));
Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ loaded: files.length, url: `http://127.0.0.1:${port}` })),
  },
  (request) => app.fetch(request),
);
process.stdin.resume().once('end', () => process.exit());
