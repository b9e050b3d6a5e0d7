import { existsSync, renameSync, rmSync } from 'node:fs';

/** Removes a folder, or moves it aside, in place of what is there. */
export function removeOrMoveFolderAside(folder: string, aside: string | undefined): void {
  if (aside === undefined) return rmSync(folder, { recursive: true, force: true });
  if (!existsSync(folder)) return;
  rmSync(aside, { recursive: true, force: true });
  renameSync(folder, aside);
}
