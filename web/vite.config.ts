import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Builds the pages into `web/dist`, from where the Worker serves them as static assets. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: join(import.meta.dirname, 'app.html'),
      // Nothing happens when a file of the core is loaded, so what pages do not use of it stays out, with the tables that it is made of.
      treeshake: { moduleSideEffects: [{ test: /\/src\/core\//, sideEffects: false }] },
    },
  },
});
