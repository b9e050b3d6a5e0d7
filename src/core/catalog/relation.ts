import type { Tool } from './tool.ts';

/** How two tools can be related, the closest first. */
export const relations = ['sameServer', 'sameDomain', 'cross'] as const;
export type Relation = (typeof relations)[number];

export const relationOfTools = (
  one: Pick<Tool, 'server' | 'domain'>,
  other: Pick<Tool, 'server' | 'domain'>,
): Relation => (one.server === other.server ? 'sameServer' : one.domain === other.domain ? 'sameDomain' : 'cross');
