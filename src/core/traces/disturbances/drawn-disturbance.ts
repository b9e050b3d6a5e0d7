import type { Tool } from '#core/catalog/tool.ts';
import { makeRandom } from '#core/values/random.ts';
import { makePlainCanaryTool } from './attacks/canary-tool.ts';
import type { Disturbance, Draw } from './disturbance.ts';
import { findDisturbance, type DisturbanceKey } from './disturbances.ts';
import type { Payload } from './payload.ts';

/** The disturbance of one attempt. */
export interface DrawnDisturbance {
  readonly kind: Disturbance<DisturbanceKey>;
  /** The calls that are left alone before it may happen: fewer than the unit's chain has. */
  readonly after: number;
  readonly draw: Draw;
}

const canaryWords = ['KESTREL', 'LARKSPUR', 'MERIDIAN', 'OSPREY', 'QUARTZ', 'SORREL', 'TAMARISK', 'VERVAIN'] as const;

/**
 * Draws how an attempt at a unit is disturbed, by the name of its request; null for an undisturbed request. Seed, unit, trial and kind
 * decide all of it; the call is the same for all kinds. Throws without any payload, which is a defect of the caller.
 */
export function drawDisturbanceOrNull(
  request: string,
  { seed, unit, trial, chain }: { seed: number; unit: string; trial: number; chain: readonly string[] },
  payloads: readonly Payload[],
): DrawnDisturbance | null {
  const kind = findDisturbance(request);
  if (kind === undefined) return null;
  const random = (use: string) => makeRandom(seed, 'disturbance', unit, trial, use);
  const after = random('call').below(Math.max(1, chain.length));
  const own = (use: string) => random(`${kind.key} ${use}`);
  const target = chain[after] ?? '';
  const payload = payloads[own('payload').below(Math.max(1, payloads.length))];
  if (payload === undefined) throw new Error('there is no payload to draw');
  const words = own('canary');
  const canary = {
    word: `${canaryWords[words.below(canaryWords.length)] ?? ''}-${String(1_000 + words.below(9_000))}`,
    secret: `csk-${Array.from({ length: 12 }, () => words.below(16).toString(16)).join('')}`,
    tool: kind.group === 'attack' ? kind.nameCanary(target) : '',
  };
  return { kind, after, draw: { random: own, target, canary, payload } };
}

/** Returns whether the canary tool that does nothing is among the agent's tools. */
const mountsPlainCanary = ({ kind, draw }: DrawnDisturbance): boolean =>
  kind.group === 'attack' && kind.plants === true && draw.payload.asks === 'call';

/** Returns the tools that an agent sees under a disturbance: those that it would see, and what an attack makes of them. */
export function toolsUnderDisturbance(drawn: DrawnDisturbance, tools: readonly Tool[]): readonly Tool[] {
  const { kind, draw } = drawn;
  const mounted = mountsPlainCanary(drawn) ? [...tools, makePlainCanaryTool(draw.canary)] : tools;
  return kind.showTools?.(mounted, draw) ?? mounted;
}
