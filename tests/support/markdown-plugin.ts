/** A vite plugin that loads `*.md` as the Worker's bundler does: a module whose default export is the file's text. */
export const markdown = () => ({
  name: 'markdown-text-modules',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!id.split('?')[0]?.endsWith('.md')) return undefined;
    return { code: `export default ${JSON.stringify(code)};`, map: null };
  },
});
