import { z } from 'zod';

const systemError = z.object({ code: z.string() });

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not',
  EPERM: 'you may not',
  EEXIST: 'something else has that name',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** Says why a file or folder could not be used; the message of the system where there is no word for it. */
export function whyNotText(cause: unknown): string {
  const { data } = systemError.safeParse(cause);
  const known = data === undefined ? undefined : sentences[data.code];
  return known ?? (cause instanceof Error ? cause.message : String(cause));
}
