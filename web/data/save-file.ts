import type { TextFile } from './text-file.ts';

/** Milliseconds until the address of a file that was made here is given up: the browser has read it by then. */
const keptMs = 60_000;

/** Has the browser save a text as a file. */
export function saveTextFile({ name, type, text }: TextFile): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
