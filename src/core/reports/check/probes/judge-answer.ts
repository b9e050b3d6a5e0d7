import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import {
  answerText,
  isRefusal,
  isSuccess,
  parseJsonOrNull,
  steadyText,
  type Answer,
  type Arguments,
  type Result,
  resultValue,
} from './answer.ts';
import {
  failureOfObject,
  findBinary,
  findForeignPath,
  findMojibake,
  findSecret,
  findSecretInResult,
  findStackTrace,
  saysFailure,
  saysUnknown,
  whyUnhelpful,
} from './answer-texts.ts';
import type { ListedTool } from '../listed-tool.ts';
import type { ProbeRun } from './probe.ts';
import { contradicts } from './result-content.ts';
import { isPath } from './sample-arguments.ts';

/** Characters of arguments up to which the size of a result says something about the tool. */
const ordinaryChars = 2_000;
/** Tokens of a result from which Claude Code warns, and from which it shows none of it (`MAX_MCP_OUTPUT_TOKENS`). */
const warnedTokens = 10_000;
const refusedTokens = 25_000;

/** What to do about a failure that is not marked as one. */
export const markTheFailure = 'set `isError: true`, so that agents and their clients see that the call failed';

/** Whether a result says that the call failed although it is not marked as an error. */
export const looksFailed = (answer: Result, tool: ListedTool): boolean =>
  !isAboutFailures(tool) && (failureOfObject(resultValue(answer)) !== null || saysFailure(answer.text));

/** Whether failures are what a tool is asked for: those of its results are not its own. */
const isAboutFailures = ({ name, description = '' }: ListedTool): boolean =>
  /error|exception|(?:stack|back) ?trace|traceback|fail|crash|incident|\blogs?\b|diagnos|lint/i.test(
    `${name.replaceAll(/[_-]/g, ' ')} ${description.split(/[.!?\n]/)[0] ?? ''}`,
  );

/** Notes what an answer shows by itself: no answer, secrets, broken letters, traces, results of a wrong form. */
export function judgeAnswer(run: ProbeRun, given: Arguments, answer: Answer): void {
  if (answer.kind === 'gone')
    run.say(
      'crashes',
      `the server ended during a call: ${answer.detail}`,
      'catch the error where it arises and answer with `isError: true`',
      [given, answer],
    );
  if (answer.kind === 'silence')
    run.say(
      'hangs',
      `a call got no answer within ${Math.round(answer.ms / 1000)} s`,
      'answer every call: check the arguments first, and bound what you wait for',
      [given, answer],
    );
  if (answer.kind === 'gone' || answer.kind === 'silence') return;
  const structured =
    answer.kind === 'result' && answer.structured !== undefined ? JSON.stringify(answer.structured) : '';
  const text = `${answerText(answer)}${structured}`;
  judgeLeaks(run, given, answer, text);
  if (isRefusal(answer) || (saysFailure(text) && !isAboutFailures(run.tool))) judgeFailure(run, given, answer, text);
  if (!isSuccess(answer)) return;
  judgeStructure(run, given, answer);
  judgeText(run, given, answer);
}

function judgeLeaks(run: ProbeRun, given: Arguments, answer: Answer, text: string): void {
  const isFailure = isRefusal(answer) || saysFailure(text);
  const secret =
    run.secrets.find((each) => text.includes(each)) ?? (isFailure ? findSecret(text) : findSecretInResult(text));
  const sent = JSON.stringify(given);
  if (secret !== null && !sent.includes(secret))
    run.say(
      'secret-shown',
      'an answer shows what looks like a key or a password',
      'never put settings into answers: log them on the server, and name what failed',
      [given, answer],
    );
  const mangled = findMojibake(text);
  if (mangled !== null && !sent.includes(mangled))
    run.say(
      'breaks-unicode',
      `letters beyond ASCII come back as others ("${mangled}")`,
      'read and write all texts as UTF-8',
      [given, answer],
    );
}

function judgeFailure(run: ProbeRun, given: Arguments, answer: Answer, text: string): void {
  if (findStackTrace(text) !== null && !isAboutFailures(run.tool)) {
    run.say(
      'stack-trace',
      'an error shows a stack trace',
      'log the trace on the server, and answer with one sentence: what is wrong, and what would be right',
      [given, answer],
    );
    return;
  }
  // Who names paths may be shown paths.
  if (run.arguments.some(({ name }) => isPath(name) || /^(?:project|command)$/i.test(name))) return;
  const path = findForeignPath(text, Object.values(given).join(' '));
  if (path !== null)
    run.say(
      'path-shown',
      `an error shows a path of its machine (${path})`,
      'name the thing that is missing by the argument of the call, not by its file',
      [given, answer],
    );
}

function judgeStructure(run: ProbeRun, given: Arguments, answer: Result): void {
  const { structured, text } = answer;
  const { outputSchema } = run.tool;
  if (structured === undefined) {
    if (outputSchema !== undefined)
      run.say(
        'output-schema-broken',
        'it declares an output schema, and a result has no structured content: clients refuse that',
        'return `structuredContent` that fits `outputSchema`',
        [given, answer],
      );
    return;
  }
  const checked = outputSchema === undefined ? null : checkValueAgainstSchema(outputSchema, structured);
  if (checked === null)
    run.say(
      'output-schema-missing',
      'results have structured content, and it declares no output schema',
      'declare `outputSchema`, so that clients can check and use the fields',
      [given, answer],
    );
  else if (checked.verdict === 'violates')
    run.say(
      'output-schema-broken',
      `a result does not fit the declared output schema (${checked.violations[0] ?? ''})`,
      'correct the schema or the result: clients that check it refuse the whole result',
      [given, { ...answer, text: JSON.stringify(structured) }],
    );
  const parsed = parseJsonOrNull(text);
  if (parsed === null && text !== '') run.prose.push({ arguments: given, answer });
  if (parsed !== null && contradicts(parsed, structured))
    run.say(
      'text-contradicts-structure',
      'the text of a result says something else than its structured content',
      'make the text from the structured content',
      [given, { ...answer, text: `${text} / ${JSON.stringify(structured)}` }],
    );
}

function judgeText(run: ProbeRun, given: Arguments, answer: Result): void {
  const { structured, text } = answer;
  const sent = JSON.stringify(given);
  const tokens = estimateTokens(text === '' && structured !== undefined ? JSON.stringify(structured) : text);
  if (tokens >= warnedTokens && sent.length < ordinaryChars)
    run.say(
      'huge-result',
      `a result takes about ${tokens.toLocaleString('en')} tokens`,
      'return a page and say how to get the next one, and leave out fields that nobody asked for',
      [given, answer],
      tokens > refusedTokens ? 'high' : 'medium',
    );
  const binary = findBinary(text);
  const isEcho = sent.includes(text.slice(0, 40));
  if (binary !== null && !isEcho && !/base64/i.test(`${run.tool.name} ${run.tool.description ?? ''}`))
    run.say(
      'binary-as-text',
      `a result holds binary data as text: ${binary}`,
      'return it as image, audio or resource content, or as a link',
      [given, answer],
    );
  const isCut = /^\s*[[{]/.test(text) && /(?:\.\.\.|…)\s*$|[^\]}\s]\s*$/.test(text) && text.length > 200;
  if (isCut && parseJsonOrNull(text) === null)
    run.say(
      'cut-in-silence',
      'a result in JSON ends in the middle',
      'cut between items, and say how many there are and how to get the others',
      [given, answer],
    );
}

/** A call that should have been refused, and what to say if it is not. */
interface WrongCall {
  /** The rule that is broken if the call succeeds. */
  readonly rule: Parameters<ProbeRun['say']>[0];
  readonly what: string;
  /** What to do then. */
  readonly right: string;
  /** The argument that is wrong. */
  readonly name: string;
}

/** Judges the answer to a call that should have been refused. */
export function judgeWrong(
  run: ProbeRun,
  { rule, what, right, name }: WrongCall,
  given: Arguments,
  answer: Answer,
): void {
  if (isSuccess(answer)) {
    const value = resultValue(answer);
    const failed = failureOfObject(value);
    if (failed !== null || saysFailure(answer.text) || (saysUnknown(answer.text) && typeof value === 'string'))
      run.say(
        'error-as-success',
        `${what} is answered with a failure that is not marked as one${failed === null ? '' : ` (${failed})`}`,
        markTheFailure,
        [given, answer],
      );
    // Who says the same to right arguments has not looked at them.
    else if (
      !run.samples.some((each) => saysUnknown(each.answer.text) && steadyText(each.answer) === steadyText(answer))
    )
      run.say(rule, `${what} is accepted`, right, [given, answer]);
    return;
  }
  if (isRefusal(answer)) judgeRefusal(run, { what, name }, given, answer);
}

/** Judges the text of a refusal. */
export function judgeRefusal(
  run: ProbeRun,
  { what, name }: Pick<WrongCall, 'what' | 'name'>,
  given: Arguments,
  answer: Answer,
): void {
  const why = whyUnhelpful(answerText(answer));
  if (why !== null)
    run.say(
      'unhelpful-error',
      `the error for ${what} does not help: ${why}`,
      `name the argument (\`${name}\`), what is wrong with it, and what would be right`,
      [given, answer],
    );
}
