import type { TraceLine } from '#core/submissions/trace-file.ts';
import type { SubmissionWork } from '#durable-objects/submission/submission.ts';
import type { SubmissionBirth } from '#core/submissions/record.ts';
import type { LinePlace, NumberedLine } from '#durable-objects/submission/submission-store.ts';

/** A submission as its workflow drives it. */
export interface DrivenSubmission {
  birth(): Promise<SubmissionBirth>;
  open(driver: number): Promise<SubmissionWork>;
  keepsRules(): Promise<boolean>;
  scoring(): Promise<boolean>;
  cannot(reason: string): Promise<void>;
  linesAfter(after: LinePlace | null): Promise<NumberedLine[]>;
  brought(): Promise<void>;
  publish(): Promise<void>;
  fail(driver: number, reason: string): Promise<void>;
}

/** The evaluation of a self-reported submission: its attempts come from outside. */
export interface FedEvaluation {
  bring(lines: readonly TraceLine[], settingAside: boolean): Promise<void>;
  judgeBrought(): Promise<void>;
}
