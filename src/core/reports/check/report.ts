import { z } from 'zod';
import { allowedEffect, toolEffect } from '#core/catalog/effect.ts';
import { checkFinding } from './finding.ts';
import { families } from './rules.ts';

export const grades = ['A', 'B', 'C', 'D', 'F'] as const;

/** What a check saw of one tool. */
export const checkedTool = z.object({
  /** `server/tool` */
  tool: z.string(),
  effect: toolEffect,
  /** Tokens that its definition takes of each request that offers it, by an estimate. */
  tokens: z.int().min(0),
  /** Calls made; 0 if it may do more than is allowed, or nothing was called. */
  calls: z.int().min(0),
  /** Times of plain calls that were answered, in milliseconds; null without any. */
  p50Ms: z.number().min(0).nullable(),
  p95Ms: z.number().min(0).nullable(),
});
export type CheckedTool = Readonly<z.infer<typeof checkedTool>>;

/** What a check found out. All of it is true of the servers: no agent took part. */
export const checkReport = z.object({
  servers: z.array(z.string()),
  /** Whether only the definitions were looked at. */
  static: z.boolean(),
  allows: allowedEffect,
  seconds: z.number().min(0),
  /** Null for a family that was not looked at. */
  grades: z.record(z.enum(families), z.enum(grades).nullable()),
  tools: z.array(checkedTool),
  /** The worst first. */
  findings: z.array(checkFinding),
  /** How many findings a baseline accepts; they are in none of the other fields. */
  accepted: z.int().min(0),
  /** What was not looked at, and why, a sentence each. */
  notes: z.array(z.string()),
});
export type CheckReport = Readonly<z.infer<typeof checkReport>>;
