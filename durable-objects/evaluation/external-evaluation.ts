import type { Sight } from '#core/access/access.ts';
import type { AttemptResult } from '#core/evaluation/case.ts';
import type { AttemptEnd, ClaimAnswer, GivenBack } from '#core/evaluation/claim.ts';
import type { CrashSettlement, SettledCrashes } from '#core/evaluation/crashes.ts';
import type { Result } from '#core/values/result.ts';
import type { AttemptBasis, EvaluationClaims } from './evaluation-claims.ts';
import { ExportedEvaluation } from './exported-evaluation.ts';
import type { RecordingObjects } from './text-deleting-evaluation.ts';

/** Attempts of external agents: what the recording gateway and clients that claim attempts call. */
export abstract class ExternalEvaluation<Env extends RecordingObjects> extends ExportedEvaluation<Env> {
  protected abstract getClaimsPart(): EvaluationClaims;

  /** Hands out an attempt of an external agent; the same `key` returns the same one. */
  async claimAttempt(
    request: { agent: string; attempt: string; key: string | null },
    sight: Sight,
  ): Promise<Result<ClaimAnswer>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok ? this.getClaimsPart().claimAttempt(request) : readable;
  }

  /** Returns the tools that an attempt sees, and how to reach their servers. */
  getAttemptToolsAndServers(attempt: string): AttemptBasis {
    return this.getClaimsPart().getToolsAndServers(attempt);
  }

  /** Accepts the result of an attempt that a client answered with a response of this digest. */
  endAttempt(attempt: string, result: AttemptResult, sha256: string): Promise<Result<AttemptEnd>> {
    return this.getClaimsPart().acceptAttemptResultOnce(attempt, result, sha256);
  }

  /** Returns the result of an attempt that ended with a response of this digest; null if it did not. */
  findAttemptEndByDigest(attempt: string, sha256: string): AttemptEnd | null {
    return this.getClaimsPart().findAttemptEndByDigest(attempt, sha256);
  }

  /** Takes back an attempt whose claim expired. */
  expireClaim(attempt: string, result: AttemptResult): Promise<void> {
    return this.getClaimsPart().expireClaim(attempt, result);
  }

  /** Takes back an attempt that its client ends without a response. */
  giveBackClaim(attempt: string, result: AttemptResult): Promise<GivenBack> {
    return this.getClaimsPart().giveBackClaim(attempt, result);
  }

  /** Logs a request to an attempt's endpoint without its token. */
  recordTokenlessRequest(attempt: string): void {
    this.getClaimsPart().recordTokenlessRequest(attempt);
  }

  /** Says what becomes of attempts that crashed and are held. Idempotent. */
  async settleCrashes(settlement: CrashSettlement, sight: Sight): Promise<Result<SettledCrashes>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok ? this.getClaimsPart().settleCrashes(settlement) : readable;
  }
}
