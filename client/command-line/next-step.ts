import { commandName, startCommandWithOptions } from '../../engine/installation.ts';
import type { Output } from './output.ts';

/** Notes which commands usually follow; scripts that read JSON know that themselves. */
export function noteNextStep(output: Output, ...verbs: readonly [string, ...string[]]): void {
  if (!output.isJson) output.writeNote(`next: ${verbs.map((verb) => `${commandName} ${verb}`).join('; or ')}`);
}

/** Notes how the Sextant is started that has what was found. */
export function noteStart(output: Output, folder: string): void {
  if (!output.isJson) output.writeNote(`next: ${startCommandWithOptions} --folder ${folder} (shows it on pages)`);
}
