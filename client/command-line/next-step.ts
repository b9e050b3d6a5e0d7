import { commandName } from '../../scripts/installation.ts';
import type { Output } from './output.ts';

/** Notes which commands usually follow; scripts that read JSON know that themselves. */
export function noteNextStep(output: Output, ...verbs: readonly [string, ...string[]]): void {
  if (!output.isJson) output.writeNote(`next: ${verbs.map((verb) => `${commandName} ${verb}`).join('; or ')}`);
}
