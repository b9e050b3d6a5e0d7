import { useEffect } from 'preact/hooks';

/** Sets the title of the tab. */
export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · Sextant`;
  }, [title]);
