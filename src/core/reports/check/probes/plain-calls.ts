import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { arrayOrEmpty } from '#core/values/json-schema/json-object.ts';
import {
  answerText,
  isEmptyValue,
  isRefusal,
  isSuccess,
  oneLine,
  resultValue,
  steadyText,
  type Answer,
  type Arguments,
} from './answer.ts';
import type { CheckFinding } from '../finding.ts';
import { failureOfObject, saysUnknown, speaksOfBrokenService, whyUnhelpful } from './answer-texts.ts';
import { looksFailed, markTheFailure } from './judge-answer.ts';
import type { Probe, ProbeRun, Sample } from './probe.ts';
import { examplesInText, sampleArguments, textOf, typeOf } from './sample-arguments.ts';
import { explainsChange } from './tool-purpose.ts';

const plainTurns = 5;
const moreTurns = 2;

/** What plain calls came to: one that succeeded, with the optional arguments that it needed, or what the refusals say. */
type PlainCalls =
  | { readonly valid: Sample; readonly also: readonly string[] }
  | { readonly valid: null; readonly refusals: readonly string[] };

/** Makes plain calls until one succeeds. */
export function* findValidCall(run: ProbeRun): Probe<PlainCalls> {
  const { known, about } = run;
  let also: string[] = [];
  let doubtful: Sample | null = null;
  const refusals: string[] = [];
  let hints: Arguments = {};
  let first: { readonly given: Arguments; readonly answer: Answer } | null = null;
  for (let turn = 0; turn < plainTurns && !run.isOut(); turn += 1) {
    const given = { ...sampleArguments(run.sampling, turn, also), ...hints };
    const answer = yield* run.ask(given);
    if (isSuccess(answer) && !looksFailed(answer, run.tool)) {
      run.times.push(answer.ms);
      if (first !== null) judgeRefusedExample(run, first, given);
      if (!saysUnknown(answer.text) || run.arguments.length === 0) return { valid: { arguments: given, answer }, also };
      // It may be that nothing is called so: other values are tried, and this answer is taken if they do no better.
      doubtful ??= { arguments: given, answer };
      known.add(answer.text, about);
      continue;
    }
    if (answer.kind === 'silence') break;
    refusals.push(oneLine(answerText(answer)));
    first ??= { given, answer };
    hints = { ...hints, ...readHints(run, answerText(answer)) };
    judgePlainFailure(run, given, answer);
    known.add(answerText(answer), about);
    const asked = run.arguments.filter(
      ({ name, required }) => !required && !also.includes(name) && hasWord(answerText(answer), name),
    );
    also = [...also, ...asked.map(({ name }) => name)];
    if (run.arguments.length === 0) break;
  }
  if (doubtful !== null) return { valid: doubtful, also };
  judgeRefusals(run, refusals);
  return { valid: null, refusals };
}

/** Characters of a text that says nothing but that a call failed. */
const plainFailureChars = 200;

/** Reads from a refusal what an argument that it names should be: its examples, or a day. */
function readHints(run: ProbeRun, text: string): Arguments {
  const named = run.arguments.filter(({ name }) => hasWord(text, name));
  return Object.fromEntries(
    named.flatMap(({ name, schema }) => {
      const type = typeOf(schema) ?? 'string';
      const day = type === 'string' ? (/\b\d{4}-\d{2}-\d{2}\b/.exec(text) ?? []) : [];
      const [value] = [...day, ...(named.length === 1 ? examplesInText(text, type) : [])].filter(
        (each) => checkValueAgainstSchema(schema, each).verdict !== 'violates',
      );
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Says that a tool refuses its own example, if a call with it failed over its form, and the same call with another value did not. */
function judgeRefusedExample(
  run: ProbeRun,
  { given, answer }: { readonly given: Arguments; readonly answer: Answer },
  accepted: Arguments,
): void {
  const other = run.arguments.filter(({ name }) => JSON.stringify(given[name]) !== JSON.stringify(accepted[name]));
  const [argument] = other;
  if (argument === undefined || other.length > 1 || !isRefusal(answer)) return;
  const { name, schema } = argument;
  const examples = [...arrayOrEmpty(schema['examples']), ...examplesInText(textOf(schema['description']), 'string')];
  const text = answerText(answer);
  if (!examples.includes(given[name]) || !hasWord(text, name) || !saysForm.test(text)) return;
  run.say(
    'example-refused',
    `the tool refuses the example ${JSON.stringify(given[name])} of \`${name}\``,
    `give an example that the tool takes, such as ${JSON.stringify(accepted[name])}`,
    [given, answer],
  );
}

/** Words by which a refusal speaks of the form of a value, and not of what there is. */
const saysForm =
  /\b(?:form(?:at|a|e|ato)?|pattern|must (?:be|match|look)|invalid|valid|ISO|YYYY|AAAA|JJJJ|doit|debe|deve|muss|musi|moet)\b|格式|形式|формат/iu;

function judgePlainFailure(run: ProbeRun, given: Arguments, answer: Answer): void {
  if (isUnknownTool(answer, run.tool.name))
    run.say(
      'lists-unknown-tool',
      'it is listed, and the server does not know it when it is called',
      'register the tool, or take it out of the list',
      [given, answer],
    );
  const isPlain = isSuccess(answer) && answer.text.length < plainFailureChars;
  if (isSuccess(answer) && looksFailed(answer, run.tool) && (isPlain || failureOfObject(resultValue(answer)) !== null))
    run.say('error-as-success', 'a failure is not marked as one', markTheFailure, [given, answer]);
}

/** Reasons that may lie outside of the server: the tool may work elsewhere. */
const surroundings =
  /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|fetch failed|\bnetwork\b|timed? ?out|api.?key|unauthori[sz]ed|\b40[13]\b|not configured|\bcredential/i;

/** Says that a tool always fails, if all calls did so in the same way and for a reason that is none of the arguments. */
function judgeRefusals(run: ProbeRun, refusals: readonly string[]): void {
  const [first = ''] = refusals;
  const takesNothing = run.arguments.length === 0;
  const isAlike = new Set(refusals).size === 1 && (takesNothing || refusals.length >= 3);
  const isOutside = surroundings.test(first);
  const isBroken =
    whyUnhelpful(first) !== null ||
    ((isOutside || speaksOfBrokenService(first)) && !run.arguments.some(({ name }) => hasWord(first, name)));
  if (!isAlike || run.has('lists-unknown-tool') || !(takesNothing || isBroken)) return;
  run.say(
    'always-fails',
    `every call fails in the same way: ${first.slice(0, 120)}`,
    isOutside
      ? 'check the network, the address and the key that the tool uses, here and where your users run it'
      : 'call the tool once yourself, and repair what it says',
    undefined,
    isOutside ? 'medium' : undefined,
  );
}

/**
 * Leaves out that tools always fail for want of a network or a key where two of a server do: it is the machine of the check then, and what they say is
 * in its notes.
 */
export function withoutSharedSurroundings(findings: readonly CheckFinding[]): CheckFinding[] {
  const isOutside = ({ rule, severity }: CheckFinding): boolean => rule === 'always-fails' && severity === 'medium';
  return findings.filter(isOutside).length < 2 ? [...findings] : findings.filter((each) => !isOutside(each));
}

/** Whether a text has a name as a word of its own. */
const hasWord = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\d_])${name.replaceAll(/\W/g, '.')}(?![\\p{L}\\d_])`, 'iu').test(text);

const isUnknownTool = (answer: Answer, name: string): boolean =>
  (answer.kind === 'error' && answer.code === -32_601) ||
  (isRefusal(answer) &&
    /unknown tool|no such tool|tool (?:not found|\S+ (?:not found|does not exist|is not registered))|not implemented/i.test(
      answerText(answer),
    ) &&
    answerText(answer).length < 200 &&
    (answerText(answer).includes(name) || /tool/i.test(answerText(answer))));

/** Calls without each of the optional arguments that a valid call had: they are not optional if that is refused. */
export function* probeOptional(run: ProbeRun, valid: Sample, also: readonly string[]): Probe {
  for (const name of also) {
    const bare = Object.fromEntries(Object.entries(valid.arguments).filter(([key]) => key !== name));
    const without = yield* run.ask(bare);
    if (isRefusal(without))
      run.say(
        'optional-contradicted',
        `calls fail without \`${name}\`, which the schema does not require`,
        'add it to `required`, or do without it',
        [bare, without],
      );
  }
}

/** Makes the same call again. */
export function* probeRepetition(run: ProbeRun, first: Sample): Probe {
  const { tool, mayChange } = run;
  const isIdempotent = tool.annotations?.['idempotentHint'] === true || tool.annotations?.['readOnlyHint'] === true;
  if (mayChange && !isIdempotent) return;
  const second = yield* run.ask(first.arguments);
  if (run.isOut() || second.kind === 'silence' || second.kind === 'gone') return;
  if (isSuccess(second)) run.times.push(second.ms);
  if (isSuccess(second) && steadyText(second) === steadyText(first.answer)) return;
  const third = yield* run.ask(first.arguments);
  const shrinks =
    !isSuccess(second) ||
    isEmptyValue(resultValue(second)) ||
    answerText(second).length < answerText(first.answer).length / 2;
  if (shrinks && isIdempotent && isSuccess(third) === isSuccess(second))
    run.say(
      'not-idempotent',
      'the same call answers less, or fails, the second time',
      'let a call that only reads leave everything as it is, or declare what it changes',
      [first.arguments, second],
    );
  else if (!mayChange && !explainsChange(tool) && isSuccess(second))
    run.say(
      'unsteady-result',
      'the same call gives another result each time, and the description does not say why',
      'give the same result for the same arguments, or say in the description what changes and why',
      [first.arguments, second],
    );
}

/** Makes valid calls with other values, for comparisons. */
export function* sampleMore(run: ProbeRun, also: readonly string[]): Probe {
  for (let turn = 1; turn <= moreTurns && run.arguments.some(({ required }) => required) && !run.isOut(); turn += 1) {
    const given = sampleArguments(run.sampling, turn, also);
    if (run.samples.some((each) => JSON.stringify(each.arguments) === JSON.stringify(given))) continue;
    const answer = yield* run.ask(given);
    if (!isSuccess(answer) || looksFailed(answer, run.tool)) continue;
    run.samples.push({ arguments: given, answer });
    run.times.push(answer.ms);
  }
}
