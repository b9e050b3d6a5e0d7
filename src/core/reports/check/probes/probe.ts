import type { CheckFinding } from '../finding.ts';
import type { ListedTool } from '../listed-tool.ts';
import type { RuleId, Severity } from '../rules.ts';
import type { Answer, Arguments, Result } from './answer.ts';
import type { KnownValues } from './known-values.ts';
import type { Argument, Sampling } from './sample-arguments.ts';

/** Calls that are made next: one after another, or all at once. */
export interface ProbeStep {
  readonly calls: readonly Arguments[];
  readonly atOnce?: true;
}

/** Yields what to call next and is given the answers, so that nothing in a probe waits. */
export type Probe<T = void> = Generator<ProbeStep, T, readonly Answer[]>;

/** A call that succeeded, for comparisons with other calls and other tools. */
export interface Sample {
  readonly arguments: Arguments;
  readonly answer: Result;
}

/** A call that was refused. */
export interface RefusedCall {
  readonly arguments: Arguments;
  readonly answer: Answer;
}

/** What the probes of a tool showed. */
export interface ProbedTool {
  readonly findings: readonly CheckFinding[];
  readonly samples: readonly Sample[];
  /** Times of plain calls that were answered, in milliseconds. */
  readonly times: readonly number[];
  readonly calls: number;
  /** Why nothing can be said about valid calls; null if one succeeded. */
  readonly unsettled: string | null;
}

export interface ProbeOptions {
  readonly server: string;
  readonly tool: ListedTool;
  readonly known: KnownValues;
  /** Milliseconds of answers after which no further probe begins. */
  readonly budgetMs: number;
  /** Whether calls may change something, because it is not known that the tool only reads: it is then not called again and again. */
  readonly mayChange: boolean;
  /** Texts that no answer may show, such as keys that the server got from its configuration. */
  readonly secrets: readonly string[];
}

/** The probes of one tool while they run. */
export interface ProbeRun extends Pick<ProbeOptions, 'tool' | 'known' | 'mayChange' | 'secrets'> {
  /** The words of what the tool is about. */
  readonly about: readonly string[];
  readonly arguments: readonly Argument[];
  readonly sampling: Sampling;
  readonly samples: Sample[];
  readonly times: number[];
  /** Calls for things that do not exist, with their refusals. */
  readonly refused: RefusedCall[];
  /** Results whose text is prose beside structured content. */
  readonly prose: Sample[];
  /** Makes a call, judges what its answer shows by itself, and returns it. */
  ask(given: Arguments): Probe<Answer>;
  /** Counts calls that were made at once. */
  count(answers: readonly Answer[]): void;
  calls(): number;
  /** Whether no further probe should begin: the time is used up, or the server died. */
  isOut(): boolean;
  has(rule: RuleId): boolean;
  /** Notes a finding, the first by each rule, with the call that shows it. */
  say(
    rule: RuleId,
    sentence: string,
    proposal: string,
    shown?: readonly [Arguments, Answer],
    severity?: Severity,
  ): void;
}
