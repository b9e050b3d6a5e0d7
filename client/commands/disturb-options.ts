import { attackKeys, disturbanceKey, faultKeys, type DisturbanceKey } from '#core/traces/disturbances/disturbances.ts';
import { payloadFile } from '#core/traces/disturbances/payload.ts';
import { optionalOption, parseNonEmptyText } from '../command-line/options.ts';
import type { Given } from '../command-line/command.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { readPublishedJsonFile } from '../files/read-published-file.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';

/** The protocol under which kinds of one group are evaluated, and the chosen kinds; undefined for all of the group. */
interface ChosenKinds {
  readonly protocol: 'resilience' | 'attack';
  readonly kinds: DisturbanceKey[] | undefined;
}

/** Reads `faults`, `attacks`, or kinds of one group, such as `timeout,empty`. */
function parseKinds(text: string): ChosenKinds {
  if (text === 'faults') return { protocol: 'resilience', kinds: undefined };
  if (text === 'attacks') return { protocol: 'attack', kinds: undefined };
  const names = text.split(',').map((name) => name.trim());
  const kinds = names.map((name) => {
    const kind = disturbanceKey.safeParse(name);
    if (!kind.success)
      throw new UsageError(
        `there is no kind ${name}: give "faults", "attacks", or some of ${disturbanceKey.options.join(', ')}`,
      );
    return kind.data;
  });
  const isFault = (kind: DisturbanceKey): boolean => faultKeys.some((key) => key === kind);
  if (kinds.every(isFault)) return { protocol: 'resilience', kinds };
  if (kinds.some(isFault)) throw new UsageError('faults and attacks are evaluated apart: give kinds of one of the two');
  return { protocol: 'attack', kinds };
}

export const disturbOptions = {
  disturb: optionalOption(
    'disturb',
    'KINDS',
    `spoil what comes back to agents, in pairs with undisturbed attempts: faults, attacks, or some of ${[...faultKeys, ...attackKeys].join(', ')}`,
    parseKinds,
  ),
  payloads: optionalOption(
    'payloads',
    'FILE',
    'the texts that attacks plant, as JSON: [{"id", "language", "asks": "call" or "word", "text"}]; the shipped ones without it',
    parseNonEmptyText,
  ),
};

/** Returns the protocol and the disturbances that a line asks for; nothing without --disturb. */
export async function readDisturbOptions(given: Given): Promise<Pick<NewEvaluation, 'protocol' | 'disturb'>> {
  const chosen = given.parseOptionValue<ChosenKinds | undefined>(disturbOptions.disturb);
  const file = given.parseOptionValue<string | undefined>(disturbOptions.payloads);
  if (chosen === undefined) {
    if (file !== undefined) throw new UsageError('--payloads is for attacks: give --disturb attacks too');
    return {};
  }
  if (file !== undefined && chosen.protocol !== 'attack')
    throw new UsageError('--payloads is for attacks, and these are faults');
  const payloads = file === undefined ? undefined : await readPublishedJsonFile(file, payloadFile);
  const disturb = { ...(chosen.kinds && { kinds: chosen.kinds }), ...(payloads && { payloads }) };
  return { protocol: chosen.protocol, ...(Object.keys(disturb).length === 0 ? {} : { disturb }) };
}
