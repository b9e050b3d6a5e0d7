import { z } from '@hono/zod-openapi';
import { costEstimate, type CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { BriefedKind } from '#core/reports/offered-tools/run-brief.ts';
import { idempotencyHeader } from '../idempotency.ts';
import { cursorChars } from '../pages.ts';

export const limitInput = z.int().min(1).max(50).default(20).describe('How many at most');
export const cursorInput = z.string().max(cursorChars).default('').describe('`nextCursor` of the page before');

/** Returns what a text says about the rest of a list. */
export const moreText = (nextCursor: string | null): string =>
  nextCursor === null ? '' : '\nThere are more: repeat the call with `cursor` set to `nextCursor`.';

/** The id of a run that the tools can read. */
export const runInput = z
  .string()
  .regex(/^(exp|evl)_[A-Za-z0-9_]{1,90}$/, 'the id of an exploration (`exp_...`) or an evaluation (`evl_...`)')
  .describe('The id of an exploration (`exp_...`) or an evaluation (`evl_...`)');

export const evaluationInput = z
  .string()
  .regex(/^evl_[A-Za-z0-9_]{1,90}$/, 'the id of an evaluation (`evl_...`)')
  .describe('The id of an evaluation (`evl_...`)');

export const explorationInput = z
  .string()
  .regex(/^exp_[A-Za-z0-9_]{1,90}$/, 'the id of an exploration (`exp_...`)')
  .describe('The id of an exploration (`exp_...`)');

/** A page of calls: where it begins, and how many it has. */
export const stepCursor = z
  .string()
  .regex(/^\d{0,9}$/, '`nextCursor` of the page before')
  .default('')
  .describe('`nextCursor` of the page before');
export const stepLimit = z.int().min(1).max(50).default(20).describe('How many calls at most');

export const kindOfRun = (id: string): BriefedKind => (id.startsWith('exp_') ? 'exploration' : 'evaluation');

/** What every tool takes that starts a run. */
export const startInputs = {
  idempotencyKey: idempotencyHeader.shape['idempotency-key']
    .unwrap()
    .describe(
      'A name of your own for this start, such as `files-first-look`. The same call with the same key gives the same run, so a call whose answer was lost can be repeated. Another run needs another key.',
    ),
  dryRun: z
    .boolean()
    .default(false)
    .describe('With true nothing is started, and the result is the estimate of its cost'),
};

export const estimateOutput = costEstimate.describe('What the run is expected to take');

export const estimateText = ({ tokens, costUsd, basis, warnings = [] }: CostEstimate): string =>
  [
    `Expected: ${tokens} tokens, ${costUsd === null ? 'at unknown prices' : `${Number(costUsd.toPrecision(3))} USD`}. ${basis}.`,
    ...warnings,
  ].join('\n');
