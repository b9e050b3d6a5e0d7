import { readPayloadsOrThrow, type Payload } from '#core/traces/disturbances/payload.ts';
import { prompts } from './shipped.ts';

const { id: version, sections } = prompts.attackPayloads;
const shipped: readonly Payload[] = readPayloadsOrThrow(sections.map(({ content }) => content).join('\n')).map(
  (payload) => ({ ...payload, version }),
);

/** Returns the texts that attacks plant: those of the caller, or the shipped ones. */
export const listAttackPayloads = (own: readonly Omit<Payload, 'version'>[] | undefined): readonly Payload[] =>
  own?.map((payload) => ({ ...payload, version: 'the caller' })) ?? shipped;
