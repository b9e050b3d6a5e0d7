import { answerText, isRefusal, isSuccess, steadyText, textWithoutArguments } from './answer.ts';
import type { Probe, ProbeRun, Sample } from './probe.ts';

const atOnce = 8;
const rowLength = 50;
/** Calls of a row that are made even if the time is used up: it may be that the tool has become slow. */
const leastRow = 4;
/** Milliseconds by which calls have to become slower; less is noise of a busy machine. */
const leastSlowerMs = 60;
const slowMs = 3_000;
const sluggishMs = 1_000;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

/** Makes calls at once and in a row, if the tool only reads; `isSteady` says that the same call has the same result. */
export function* probeLoad(run: ProbeRun, valid: Sample, isSteady: boolean): Probe {
  const typical = median(run.times);
  if (typical >= sluggishMs)
    run.say(
      'slow',
      `half of its plain calls took ${(typical / 1000).toFixed(1)} s or longer`,
      'answer sooner, report progress, or return a handle to ask for later',
      [valid.arguments, valid.answer],
      typical >= slowMs ? 'medium' : 'low',
    );
  else if (!run.mayChange) {
    if (isSteady && !run.isOut()) yield* probeAtOnce(run, valid);
    if (!run.has('crashes') && !run.has('hangs')) yield* probeRow(run, valid, isSteady);
  }
}

/** Compares the times of calls at the beginning of a row with those at its end, in milliseconds. */
export function compareEnds(times: readonly number[]) {
  const [early, late] = [median(times.slice(0, 5)), median(times.slice(-leastRow))];
  return { early, late, isSlower: late > 3 * early && late - early > leastSlowerMs };
}

/** Makes two calls in turns, all at once: each must get its own answer. */
function* probeAtOnce(run: ProbeRun, valid: Sample): Probe {
  // A call that was refused shows as well whose answer comes back.
  const other = [...run.samples, ...run.refused].find(
    (each) => steadyText(each.answer) !== steadyText(valid.answer) && answerText(each.answer) !== '',
  );
  if (other === undefined) return;
  const order = Array.from({ length: atOnce }, (_, at) => (at % 2 === 0 ? valid : other));
  const values = { ...[...Object.values(valid.arguments), ...Object.values(other.arguments)] };
  const answers = yield { calls: order.map((each) => each.arguments), atOnce: true };
  run.count(answers);
  for (const [at, wanted] of order.entries()) {
    const answer = answers[at];
    if (answer === undefined || steadyText(answer) === steadyText(wanted.answer)) continue;
    const mixedWith = at % 2 === 0 ? other : valid;
    const isOfOther = textWithoutArguments(answer, values) === textWithoutArguments(mixedWith.answer, values);
    if (isSuccess(answer) || answer.kind === 'gone' || isOfOther)
      run.say(
        'mixes-parallel-calls',
        'calls made at once get the answers of other calls',
        'keep what belongs to a call in its own variables, not in those of the module',
        [wanted.arguments, answer],
      );
  }
}

function* probeRow(run: ProbeRun, valid: Sample, isSteady: boolean): Probe {
  const row: number[] = [];
  while (row.length < rowLength && (row.length < leastRow || !run.isOut())) {
    const answer = yield* run.ask(valid.arguments);
    if (!isSuccess(answer)) {
      if (isSteady && isRefusal(answer))
        run.say(
          'dies-after-many-calls',
          `a call that worked fails after ${run.calls()} calls of the tool`,
          'release what each call takes: files, connections, timers, memory',
          [valid.arguments, answer],
        );
      break;
    }
    row.push(answer.ms);
  }
  const { isSlower, early, late } = compareEnds([...run.times, ...row]);
  if (row.length >= leastRow && isSlower)
    run.say(
      'slows-down',
      `a call took ${Math.round(early)} ms at first and ${Math.round(late)} ms after ${run.calls()} calls of the tool`,
      'look for what grows with each call: a list, a log, listeners',
      [valid.arguments, valid.answer],
    );
}
