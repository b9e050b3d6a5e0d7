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
    rolldownOptions: { input: join(import.meta.dirname, 'app.html') },
  },
});
