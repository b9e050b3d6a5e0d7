import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { arrayOrEmpty, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import { findingBy, type CheckFinding } from '../finding.ts';
import type { ListedTool } from '../listed-tool.ts';
import type { RuleId, Severity } from '../rules.ts';
import {
  answerText,
  isEmptyValue,
  isRefusal,
  isSuccess,
  parseJsonOrNull,
  resultValue,
  steadyText,
  textWithoutArguments,
  type Answer,
  type Arguments,
  type Result,
} from './answer.ts';
import { findSilentCut, saysOtherNumbers } from './result-content.ts';
import {
  failureOfObject,
  findBinary,
  findForeignPath,
  findMojibake,
  findSecret,
  findStackTrace,
  saysFailure,
  saysUnknown,
  speaksOfBrokenService,
  whyUnhelpful,
} from './answer-texts.ts';
import { wordsOf, type KnownValues } from './known-values.ts';
import { argumentsOf, isPath, sampleArguments, sampleValues, typeOf, type Argument } from './sample-arguments.ts';

/** Calls that are made next: one after another, or all at once. */
export interface ProbeStep {
  readonly calls: readonly Arguments[];
  readonly atOnce?: true;
}

/** A call that succeeded, for comparisons with other tools. */
export interface Sample {
  readonly arguments: Arguments;
  readonly answer: Result;
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

const plainTurns = 5;
/** Characters of arguments up to which the size of a result says something about the tool. */
const ordinaryChars = 2_000;
const rowLength = 50;
/** Calls of a row that are made even if the time is used up: it may be that the tool has become slow. */
const leastRow = 4;
/** Milliseconds by which calls have to become slower; less is noise of a busy machine. */
const leastSlowerMs = 60;
/** Tokens of a result from which Claude Code warns, and from which it shows none of it (`MAX_MCP_OUTPUT_TOKENS`). */
const warnedTokens = 10_000;
const refusedTokens = 25_000;
const slowMs = 3_000;
const sluggishMs = 1_000;

/**
 * Probes a tool: plain calls, the same call again, then calls that should be refused, calls at once and in a row. It yields what to call next and is given the
 * answers, so that nothing here waits. A call whose answer never came ends the kind of probe it belongs to.
 */
export function* probeTool(options: ProbeOptions): Generator<ProbeStep, ProbedTool, readonly Answer[]> {
  const { server, tool, known, budgetMs, secrets, mayChange } = options;
  const about = subjectOf(tool);
  const all = argumentsOf(tool);
  // Who names paths may be shown paths.
  const takesPath = all.some(({ name }) => isPath(name) || /^(?:project|command)$/i.test(name));
  const of = `${server}/${tool.name}`;
  const found = new Map<RuleId, CheckFinding>();
  const samples: Sample[] = [];
  const times: number[] = [];
  /** Results whose text is prose beside structured content. */
  const prose: Sample[] = [];
  let spentMs = 0;
  let calls = 0;

  const say = (
    rule: RuleId,
    sentence: string,
    proposal: string,
    shown?: readonly [Arguments, Answer],
    severity?: Severity,
  ): void => {
    if (found.has(rule)) return;
    const call =
      shown === undefined ? null : { tool: tool.name, arguments: shown[0], answer: oneLine(answerText(shown[1])) };
    found.set(
      rule,
      findingBy(rule, { server, tool: of, sentence, proposal, call, ...(severity === undefined ? {} : { severity }) }),
    );
  };

  function* ask(given: Arguments): Generator<ProbeStep, Answer, readonly Answer[]> {
    const [answer = lost] = yield { calls: [given] };
    note(given, answer);
    return answer;
  }

  function note(given: Arguments, answer: Answer): void {
    calls += 1;
    spentMs += answer.ms;
    if (answer.kind === 'gone')
      say(
        'crashes',
        `the server ended during a call: ${answer.detail}`,
        'catch the error where it arises and answer with `isError: true`',
        [given, answer],
      );
    if (answer.kind === 'silence')
      say(
        'hangs',
        `a call got no answer within ${Math.round(answer.ms / 1000)} s`,
        'answer every call: check the arguments first, and bound what you wait for',
        [given, answer],
      );
    if (answer.kind === 'gone' || answer.kind === 'silence') return;
    const text = `${answerText(answer)}${answer.kind === 'result' && answer.structured !== undefined ? JSON.stringify(answer.structured) : ''}`;
    const own = secrets.find((each) => text.includes(each));
    const secret =
      own === undefined
        ? isRefusal(answer) || saysFailure(text)
          ? findSecret(text)
          : null
        : 'a value of its environment';
    if (secret !== null && !JSON.stringify(given).includes(secret))
      say(
        'secret-shown',
        'an answer shows what looks like a key or a password',
        'never put settings into answers: log them on the server, and name what failed',
        [given, answer],
      );
    const mangled = findMojibake(text);
    if (mangled !== null && !JSON.stringify(given).includes(mangled))
      say(
        'breaks-unicode',
        `letters beyond ASCII come back as others ("${mangled}")`,
        'read and write all texts as UTF-8',
        [given, answer],
      );
    if (isRefusal(answer) || saysFailure(text)) noteFailure(given, answer, text);
    if (isSuccess(answer)) noteResult(given, answer);
  }

  function noteFailure(given: Arguments, answer: Answer, text: string): void {
    const trace = findStackTrace(text);
    if (trace !== null)
      say(
        'stack-trace',
        'an error shows a stack trace',
        'log the trace on the server, and answer with one sentence: what is wrong, and what would be right',
        [given, answer],
      );
    const path = findForeignPath(text, Object.values(given).join(' '));
    if (path !== null && trace === null && !takesPath)
      say(
        'path-shown',
        `an error shows a path of its machine (${path})`,
        'name the thing that is missing by the argument of the call, not by its file',
        [given, answer],
      );
  }

  function noteResult(given: Arguments, answer: Result): void {
    const { structured, text } = answer;
    const { outputSchema } = tool;
    if (outputSchema !== undefined) {
      if (structured === undefined)
        say(
          'output-schema-broken',
          'it declares an output schema, and a result has no structured content: clients refuse that',
          'return `structuredContent` that fits `outputSchema`',
          [given, answer],
        );
      else {
        const checked = checkValueAgainstSchema(outputSchema, structured);
        if (checked.verdict === 'violates')
          say(
            'output-schema-broken',
            `a result does not fit the declared output schema (${checked.violations[0] ?? ''})`,
            'correct the schema or the result: clients that check it refuse the whole result',
            [given, { ...answer, text: JSON.stringify(structured) }],
          );
      }
    } else if (structured !== undefined)
      say(
        'output-schema-missing',
        'results have structured content, and it declares no output schema',
        'declare `outputSchema`, so that clients can check and use the fields',
        [given, answer],
      );
    const parsed = parseJsonOrNull(text);
    if (structured !== undefined && parsed !== null && contradicts(parsed, structured))
      say(
        'text-contradicts-structure',
        'the text of a result says something else than its structured content',
        'make the text from the structured content',
        [given, { ...answer, text: `${text} / ${JSON.stringify(structured)}` }],
      );
    if (structured !== undefined && parsed === null && text !== '') prose.push({ arguments: given, answer });
    const tokens = estimateTokens(text === '' && structured !== undefined ? JSON.stringify(structured) : text);
    if (tokens >= warnedTokens && JSON.stringify(given).length < ordinaryChars)
      say(
        'huge-result',
        `a result takes about ${tokens.toLocaleString('en')} tokens`,
        'return a page and say how to get the next one, and leave out fields that nobody asked for',
        [given, answer],
        tokens > refusedTokens ? 'high' : 'medium',
      );
    const binary = findBinary(text);
    if (
      binary !== null &&
      !JSON.stringify(given).includes(text.slice(0, 40)) &&
      !/base64/i.test(`${tool.name} ${tool.description ?? ''}`)
    )
      say(
        'binary-as-text',
        `a result holds binary data as text: ${binary}`,
        'return it as image, audio or resource content, or as a link',
        [given, answer],
      );
    if (/^\s*[[{]/.test(text) && parsed === null && /(?:\.\.\.|…)\s*$|[^\]}\s]\s*$/.test(text) && text.length > 200)
      say(
        'cut-in-silence',
        'a result in JSON ends in the middle',
        'cut between items, and say how many there are and how to get the others',
        [given, answer],
      );
  }

  let valid: Sample | null = null;

  /** Judges the answer to a call that should have been refused. */
  function judgeWrong(rule: RuleId, what: string, right: string, given: Arguments, answer: Answer, name: string): void {
    if (isSuccess(answer)) {
      const value = resultValue(answer);
      const failed = failureOfObject(value);
      if (failed !== null || saysFailure(answer.text) || (saysUnknown(answer.text) && typeof value === 'string')) {
        say(
          'error-as-success',
          `${what} is answered with a failure that is not marked as one${failed === null ? '' : ` (${failed})`}`,
          'set `isError: true`, so that agents and their clients see that the call failed',
          [given, answer],
        );
        return;
      }
      // Who says the same to right arguments has not looked at them.
      if (valid !== null && saysUnknown(valid.answer.text) && steadyText(valid.answer) === steadyText(answer)) return;
      say(rule, `${what} is accepted`, right, [given, answer]);
      return;
    }
    if (!isRefusal(answer)) return;
    const why = whyUnhelpful(answerText(answer));
    if (why !== null)
      say(
        'unhelpful-error',
        `the error for ${what} does not help: ${why}`,
        `name the argument (\`${name}\`), what is wrong with it, and what would be right`,
        [given, answer],
      );
  }

  const sampling = { tool, about, known, mayChange };
  const isOut = (): boolean => spentMs > budgetMs || found.has('crashes');

  // Plain calls, until one succeeds.
  let also: string[] = [];
  const refusals: string[] = [];
  for (let turn = 0; turn < plainTurns && valid === null && !isOut(); turn += 1) {
    const given = sampleArguments(sampling, turn, also);
    const answer = yield* ask(given);
    if (isSuccess(answer) && !looksFailed(answer)) {
      valid = { arguments: given, answer };
      times.push(answer.ms);
      if (!saysUnknown(answer.text)) break;
      // It may be that nothing is called so: other values are tried, and this answer is taken if they do no better.
      known.add(answer.text, about);
      continue;
    }
    if (answer.kind === 'silence') break;
    refusals.push(oneLine(answerText(answer)));
    if (isUnknownTool(answer, tool.name))
      say(
        'lists-unknown-tool',
        'it is listed, and the server does not know it when it is called',
        'register the tool, or take it out of the list',
        [given, answer],
      );
    if (isSuccess(answer) && failureOfObject(resultValue(answer)) !== null)
      say(
        'error-as-success',
        'a failure is not marked as one',
        'set `isError: true`, so that agents and their clients see that the call failed',
        [given, answer],
      );
    known.add(answerText(answer), about);
    const asked = all.filter(
      ({ name, required }) => !required && !also.includes(name) && names(answerText(answer), name),
    );
    if (asked.length > 0) also = [...also, ...asked.map(({ name }) => name)];
    if (all.length === 0) break;
  }
  if (valid === null) {
    const alike = new Set(refusals).size === 1 && (all.length === 0 || refusals.length >= 3);
    const [first = 'no answer'] = refusals;
    const isBroken =
      whyUnhelpful(first) !== null || (speaksOfBrokenService(first) && !all.some(({ name }) => names(first, name)));
    const reason =
      /ENOTFOUND|EAI_AGAIN|fetch failed|network|timed? ?out|api.?key|unauthori[sz]ed|not configured|credential/i.test(
        first,
      );
    if (alike && !reason && !found.has('lists-unknown-tool') && (all.length === 0 || isBroken))
      say(
        'always-fails',
        `every call fails in the same way: ${first.slice(0, 120)}`,
        'call the tool once yourself, and mend what it says',
        undefined,
      );
    return { findings: [...found.values()], samples, times, calls, unsettled: first };
  }
  for (const name of also) {
    const bare = Object.fromEntries(Object.entries(valid.arguments).filter(([key]) => key !== name));
    const without = yield* ask(bare);
    if (isRefusal(without))
      say(
        'optional-contradicted',
        `calls fail without \`${name}\`, which the schema does not require`,
        'add it to `required`, or do without it',
        [bare, without],
      );
  }
  samples.push(valid);
  known.add(resultValue(valid.answer), about);

  // The same call again.
  if (!mayChange || tool.annotations?.['idempotentHint'] === true) {
    const again = yield* ask(valid.arguments);
    if (!isOut()) {
      if (isSuccess(again)) times.push(again.ms);
      yield* judgeRepetition(valid, again);
    }
  }
  function* judgeRepetition(first: Sample, second: Answer): Generator<ProbeStep, void, readonly Answer[]> {
    if (second.kind === 'silence' || second.kind === 'gone') return;
    const isIdempotent = tool.annotations?.['idempotentHint'] === true || tool.annotations?.['readOnlyHint'] === true;
    if (isSuccess(second) && steadyText(second) === steadyText(first.answer)) return;
    const third = yield* ask(first.arguments);
    const shrinks =
      !isSuccess(second) ||
      isEmptyValue(resultValue(second)) ||
      answerText(second).length < answerText(first.answer).length / 2;
    if (shrinks && isIdempotent && !isSuccess(third) === !isSuccess(second))
      say(
        'not-idempotent',
        'the same call answers less, or fails, the second time',
        'let a call that only reads leave everything as it is, or declare what it changes',
        [first.arguments, second],
      );
    else if (!mayChange && !explainsChange(tool) && isSuccess(second))
      say(
        'unsteady-result',
        'the same call gives another result each time, and the description does not say why',
        'give the same result for the same arguments, or say in the description what changes and why',
        [first.arguments, second],
      );
  }
  const isSteady = !found.has('unsteady-result') && !found.has('not-idempotent') && !explainsChange(tool);

  // More valid calls, for comparisons and with optional arguments.
  for (let turn = 1; turn <= 2 && all.some(({ required }) => required) && !isOut(); turn += 1) {
    const given = sampleArguments(sampling, turn, also);
    if (samples.some((each) => JSON.stringify(each.arguments) === JSON.stringify(given))) continue;
    const answer = yield* ask(given);
    if (!isSuccess(answer) || looksFailed(answer)) continue;
    samples.push({ arguments: given, answer });
    times.push(answer.ms);
  }

  const base = valid.arguments;
  for (const argument of all) {
    if (isOut() || found.has('hangs')) break;
    yield* probeArgument(argument, base, valid);
  }

  function* probeArgument(
    argument: Argument,
    plain: Arguments,
    good: Sample,
  ): Generator<ProbeStep, void, readonly Answer[]> {
    const { name, schema, required } = argument;
    const type = typeOf(schema);
    const text = `${textOf(schema['description'])}`;
    if (required && !/\boptional\b|\bdefaults? (?:to|is)\b/i.test(text)) {
      const given = Object.fromEntries(Object.entries(plain).filter(([key]) => key !== name));
      judgeWrong(
        'missing-accepted',
        `a call without the required \`${name}\``,
        `refuse it: say that \`${name}\` is missing`,
        given,
        yield* ask(given),
        name,
      );
    }
    const wrong = wrongTypeOf(type, schema);
    if (wrong !== undefined && !isOut()) {
      const given = { ...plain, [name]: wrong };
      judgeWrong(
        'wrong-type-accepted',
        `\`${name}\` of a wrong type (${JSON.stringify(wrong)})`,
        `check the type: say that \`${name}\` must be ${type === undefined ? 'another type' : `of type ${type}`}`,
        given,
        yield* ask(given),
        name,
      );
    }
    if (arrayOrEmpty(schema['enum']).length > 0 && type === 'string' && !isOut()) {
      const given = { ...plain, [name]: 'zzyzx' };
      judgeWrong(
        'value-outside-enum-accepted',
        `a value of \`${name}\` that its enum does not have`,
        'refuse it, and list the values that are allowed',
        given,
        yield* ask(given),
        name,
      );
      return;
    }
    for (const beyond of valuesBeyondBounds(schema, type, text)) {
      if (isOut()) return;
      const given = { ...plain, [name]: beyond.value };
      judgeWrong(
        'bounds-ignored',
        `\`${name}\` beyond its bounds (${beyond.says})`,
        `refuse it and name the bounds, or say in the description that it is cut to them`,
        given,
        yield* ask(given),
        name,
      );
    }
    if (type === 'string') yield* probeText(argument, plain, good);
    else if ((type === 'integer' || type === 'number') && isIdentifier(tool, argument, about) && !isOut())
      yield* probeUnknown(argument, plain, good, 987_654_321);
  }

  function* probeUnknown(
    { name, schema, required }: Argument,
    plain: Arguments,
    good: Sample,
    value: string | number,
  ): Generator<ProbeStep, void, readonly Answer[]> {
    if (checkValueAgainstSchema(schema, value).verdict === 'violates') return;
    const given = { ...plain, [name]: value };
    const answer = yield* ask(given);
    if (!isSuccess(answer)) {
      judgeWrong('empty-for-unknown', `a \`${name}\` that does not exist`, '', given, answer, name);
      return;
    }
    const held = resultValue(answer);
    const failed = failureOfObject(held);
    const isSearch = searches(tool, name);
    if (
      failed !== null ||
      saysFailure(answer.text) ||
      (!isSearch && typeof held === 'string' && saysUnknown(answer.text))
    )
      say(
        'error-as-success',
        `a \`${name}\` that does not exist is answered with a failure that is not marked as one`,
        'set `isError: true`, and say which values exist or how to list them',
        [given, answer],
      );
    else if (isSearch) return;
    else if (
      isEmptyValue(withoutEcho(held, value)) &&
      !(Array.isArray(held) && lists(tool)) &&
      !isHonestlyEmpty(held, lists(tool))
    )
      say(
        'empty-for-unknown',
        `a \`${name}\` that does not exist is answered with nothing, as a success`,
        `answer with \`isError: true\`: say that there is no such \`${name}\`, and how to find those that exist`,
        [given, answer],
      );
    else if (
      required &&
      answerText(answer).length > 2 &&
      textWithoutArguments(answer, given) === textWithoutArguments(good.answer, good.arguments)
    )
      say(
        'empty-for-unknown',
        `a \`${name}\` that does not exist is answered as if it existed`,
        `answer with \`isError: true\`: say that there is no such \`${name}\``,
        [given, answer],
      );
  }

  /** What a text that means nothing is answered with: only a failure that is said to be a success is a mistake. */
  function* probeUnfitting(
    { name }: Argument,
    plain: Arguments,
    value: string,
  ): Generator<ProbeStep, void, readonly Answer[]> {
    const given = { ...plain, [name]: value };
    const answer = yield* ask(given);
    if (isRefusal(answer)) judgeWrong('unhelpful-error', `a \`${name}\` that means nothing`, '', given, answer, name);
    else if (isSuccess(answer) && looksFailed(answer))
      say(
        'error-as-success',
        `a \`${name}\` that means nothing is answered with a failure that is not marked as one`,
        'set `isError: true`, and say which values are right',
        [given, answer],
      );
  }

  function* probeText(
    argument: Argument,
    plain: Arguments,
    good: Sample,
  ): Generator<ProbeStep, void, readonly Answer[]> {
    const { name, schema } = argument;
    const identifies = isIdentifier(tool, argument, about);
    const before = plain[name] ?? sampleValues(name, schema, sampling)[0];
    const foreignValue = unlike(String(before ?? 'x'), schema);
    if (foreignValue !== null && !isOut()) {
      if (identifies) yield* probeUnknown(argument, plain, good, foreignValue);
      else yield* probeUnfitting(argument, plain, foreignValue);
    }
    if (isOut()) return;
    // An empty path is often the folder of the server.
    if (mayChange && isPath(name)) return;
    const empty = { ...plain, [name]: '' };
    const onEmpty = yield* ask(empty);
    if (isSuccess(onEmpty) && (identifies || searches(tool, name))) {
      const value = resultValue(onEmpty);
      if (failureOfObject(value) !== null || saysFailure(onEmpty.text))
        say(
          'error-as-success',
          `an empty \`${name}\` is answered with a failure that is not marked as one`,
          'set `isError: true`',
          [empty, onEmpty],
        );
      else if (
        argument.required &&
        answerText(onEmpty).length > 1.5 * answerText(good.answer).length + 80 &&
        !/empty|all\b|leave|omit/i.test(textOf(schema['description']))
      )
        say(
          'empty-is-everything',
          `an empty \`${name}\` is answered with more than a valid one`,
          `refuse an empty \`${name}\`, or offer a tool that lists all`,
          [empty, onEmpty],
        );
    } else if (isRefusal(onEmpty)) judgeWrong('unhelpful-error', `an empty \`${name}\``, '', empty, onEmpty, name);
    if (isOut() || found.has('hangs')) return;
    const long = { ...plain, [name]: 'lorem ipsum '.repeat(1_000) };
    yield* ask(long);
    if (isOut() || found.has('hangs')) return;
    if (typeof before === 'string' && before.length > 1 && answerText(good.answer).includes(before) && !identifies) {
      const foreign = 'Zürich 東京 🚀';
      const given = { ...plain, [name]: foreign };
      const answer = yield* ask(given);
      const came = isSuccess(answer) ? answerText(answer) : foreign;
      const isEscaped = came.includes('%C3') || came.includes('\\u') || came.includes('&#');
      if (
        !came.includes('Zürich') &&
        /Z[^a-z"'\s]{1,6}rich/iu.test(came) &&
        !isEscaped &&
        !/slug|ascii|transliterat|encod|escape|normali[sz]|strip/i.test(`${tool.name} ${tool.description ?? ''}`)
      )
        say('breaks-unicode', 'letters beyond ASCII come back as others', 'read and write all texts as UTF-8', [
          given,
          answer,
        ]);
    }
    // Who may write must not be led to the files of the machine.
    if (!isOut() && !mayChange && wordsOf(name).some((word) => placeWords.has(word))) {
      for (const path of [
        '../../../../../../../../etc/hostname',
        '/etc/os-release',
        '../../../../../../../../etc/os-release',
      ]) {
        const given = { ...plain, [name]: path };
        const answer = yield* ask(given);
        if (
          isSuccess(answer) &&
          /\b(?:PRETTY_NAME|VERSION_ID|ID_LIKE)=/.test(answerText(answer)) &&
          !/any (?:file|path)|absolute path|file ?system/i.test(
            `${tool.description ?? ''} ${textOf(schema['description'])}`,
          )
        ) {
          say(
            'reads-foreign-files',
            'a path that leads out of what it serves is answered with the content of that file',
            'resolve the path and refuse it unless it lies in the served folder',
            [given, answer],
          );
          break;
        }
      }
    }
  }

  // An argument that the schema does not have.
  if (!isOut() && tool.inputSchema['additionalProperties'] === false && !found.has('hangs')) {
    const given = { ...base, zz_unknown: 1 };
    const answer = yield* ask(given);
    if (isSuccess(answer) && !looksFailed(answer))
      say(
        'misspelled-argument-ignored',
        'an argument that its schema excludes is ignored',
        'refuse arguments that the schema does not have, and name those that it has',
        [given, answer],
      );
  }

  // Calls at once: each must get its own answer.
  const other = samples.find((each) => steadyText(each.answer) !== steadyText(valid.answer));
  const typical = median(times);
  if (!isOut() && !mayChange && isSteady && other !== undefined && typical < sluggishMs) {
    const order = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? valid : other));
    const answers = yield { calls: order.map((each) => each.arguments), atOnce: true };
    const texts = order.map((each) => steadyText(each.answer));
    for (const [at, answer] of answers.entries()) {
      calls += 1;
      const wanted = order[at];
      if (wanted === undefined || steadyText(answer) === texts[at]) continue;
      if (isSuccess(answer) || answer.kind === 'gone')
        say(
          'mixes-parallel-calls',
          'calls made at once get the answers of other calls',
          'keep what belongs to a call in its own variables, not in those of the module',
          [wanted.arguments, answer],
        );
    }
  }

  // The same call in a row, or some of it if the time is used up.
  if (!mayChange && typical < sluggishMs && !found.has('crashes') && !found.has('hangs')) {
    const row: number[] = [];
    for (let at = 0; at < rowLength && (at < leastRow || !isOut()); at += 1) {
      const answer = yield* ask(base);
      if (!isSuccess(answer)) {
        if (isSteady && isRefusal(answer))
          say(
            'dies-after-many-calls',
            `a call that worked fails after ${calls} calls of the tool`,
            'release what each call takes: files, connections, timers, memory',
            [base, answer],
          );
        break;
      }
      row.push(answer.ms);
    }
    const [early, late] = [median([...times, ...row].slice(0, 5)), median(row.slice(-leastRow))];
    if (row.length >= leastRow && late > 3 * early && late - early > leastSlowerMs)
      say(
        'slows-down',
        `a call took ${Math.round(early)} ms at first and ${Math.round(late)} ms after ${calls} calls of the tool`,
        'look for what grows with each call: a list, a log, listeners',
        [base, valid.answer],
      );
  }
  const [contrary] = prose;
  if (contrary !== undefined && prose.every(({ arguments: given, answer }) => saysOtherNumbers(answer, given)))
    say(
      'text-contradicts-structure',
      'the text of a result has other numbers than its structured content',
      'make the text from the structured content',
      [
        contrary.arguments,
        { ...contrary.answer, text: `${contrary.answer.text} / ${JSON.stringify(contrary.answer.structured)}` },
      ],
    );
  const cut = findSilentCut(tool, samples);
  if (cut !== null)
    say(
      'cut-in-silence',
      `results end after ${cut.items} items each, and neither they nor the description say that there may be more`,
      'say how many there are and how to get the others, or state the limit in the description',
      [cut.sample.arguments, cut.sample.answer],
    );
  if (typical >= sluggishMs)
    say(
      'slow',
      `half of its plain calls took ${(typical / 1000).toFixed(1)} s or longer`,
      'answer sooner, report progress, or return a handle to ask for later',
      [base, valid.answer],
      typical >= slowMs ? 'medium' : 'low',
    );
  if (parseJsonOrNull(valid.answer.text) !== null && tool.outputSchema === undefined)
    say(
      'output-schema-missing',
      'results are JSON in text, and it declares no output schema',
      'declare `outputSchema` and return `structuredContent`',
      [base, valid.answer],
      'low',
    );
  return { findings: [...found.values()], samples, times, calls, unsettled: null };
}

/** Whether a text has a name as a word of its own. */
const names = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\d_])${name.replaceAll(/\W/g, '.')}(?![\\p{L}\\d_])`, 'iu').test(text);

const lost: Answer = { kind: 'gone', detail: 'the connection ended', ms: 0 };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 400);

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

/** Words with which a name or a description explains why results change. */
const changeWords =
  /random|current|\bnow\b|time|clock|uptime|latest|\blive\b|generat|uuid|sample|shuffl|status|metric|usage|memory|cpu|roll|dice|simulat|zufäll|aktuell|aléatoire|actuel|aleatori|actual|随机|当前|现在|ランダム|現在|случайн|текущ/i;

/** Whether a tool says that its results change by themselves, as times, states and random values do. */
export const explainsChange = ({ name, description = '' }: ListedTool): boolean =>
  changeWords.test(`${name} ${description}`);

const placeWords = new Set('path file filename folder dir directory document page note template'.split(' '));

/** The words of what a tool is about: those of its name without the verb. */
export function subjectOf({ name }: Pick<ListedTool, 'name'>): string[] {
  const words = wordsOf(name);
  return words.length > 1 ? words.slice(1) : words;
}

const looksFailed = (answer: Result): boolean =>
  failureOfObject(resultValue(answer)) !== null || saysFailure(answer.text);

const isUnknownTool = (answer: Answer, name: string): boolean =>
  (answer.kind === 'error' && answer.code === -32_601) ||
  (isRefusal(answer) &&
    /unknown tool|no such tool|tool (?:not found|\S+ (?:not found|does not exist|is not registered))|not implemented/i.test(
      answerText(answer),
    ) &&
    answerText(answer).length < 200 &&
    (answerText(answer).includes(name) || /tool/i.test(answerText(answer))));

const verbOf = (tool: ListedTool): string => wordsOf(tool.name)[0] ?? '';
const searchWords = /^(?:query|search|q|keyword|keyword|term|filter|prefix|contains|phrase|text)$/;
const searches = (tool: ListedTool, name: string): boolean =>
  /^(?:search|find|query|filter|suggest|match|browse|suche|buscar|chercher)$/.test(verbOf(tool)) ||
  wordsOf(name).some((word) => searchWords.test(word));
const lists = (tool: ListedTool): boolean =>
  /^(?:list|enumerate|all|browse)$/.test(verbOf(tool)) ||
  /s$/.test(tool.name) ||
  /^\W*(?:list|returns? (?:all|the list)|enumerat)/i.test(tool.description ?? '');
const computes =
  /^(?:convert|calc|calculate|compute|validate|parse|format|encode|decode|hash|generate|check|verify|test|render|translate|count|estimate|compare|analy[sz]e|transform|round|resolve|make|build|create|evaluate|eval|normali[sz]e|escape|detect|is|to|from|sum|add|multiply)$/;

/** Last words of arguments that name one thing of the server, and those that do so only where the tool looks something up. */
const identifierWords = new Set(
  'id no sku reference ref isbn iban barcode ean uuid identifier plz zip postcode'.split(' '),
);
const likelyIdentifiers = new Set(
  'key code number slug symbol ticker handle login callsign username name postal'.split(' '),
);

/** Whether an argument names something that the server has, or has not. */
function isIdentifier(tool: ListedTool, { name, schema }: Argument, about: readonly string[]): boolean {
  if (arrayOrEmpty(schema['enum']).length > 0 || computes.test(verbOf(tool)) || searches(tool, name)) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (/cursor|token|page|limit|offset|count/.test(last) || arrayOrEmpty(schema['examples']).some(isProse)) return false;
  if (identifierWords.has(last) || /(?:^|\W)(?:id|identifier|ids?)\b/i.test(textOf(schema['description']).slice(0, 60)))
    return true;
  return (about.includes(last) || likelyIdentifiers.has(last)) && looksUp(tool);
}

/** Whether a tool returns what is there, by its name or the beginning of its description. */
const looksUp = (tool: ListedTool): boolean =>
  retrieves.test(verbOf(tool)) ||
  /^\W*(?:gets?|returns?|looks? up|shows?|gives?|fetch|reads?|retriev|finds?|tells?|lists?)\b/i.test(
    tool.description ?? '',
  );

const retrieves = /^(?:list|get|fetch|read|show|describe|lookup|look|retrieve|load|view|open|track|status)$/;

/** Whether a value is a text of several words or lines, and no name of a thing. */
const isProse = (value: unknown): boolean => typeof value === 'string' && (value.length > 40 || /\s\S+\s/.test(value));

/** Returns a text of the same shape that nothing will have, and that a schema takes; null if none is known. */
function unlike(text: string, schema: JsonObject): string | null {
  let digit = 0;
  const replace = (letters: boolean): string =>
    [...text]
      .map((each) => {
        if (/\d/.test(each)) return '9879'[digit++ % 4] ?? '9';
        if (!letters) return each;
        return /[a-z]/.test(each) ? 'q' : /[A-Z]/.test(each) ? 'Q' : each;
      })
      .join('');
  const candidates = [replace(true), `${text}zz9`, replace(false), `${text}9`];
  return (
    candidates.find((each) => each !== text && checkValueAgainstSchema(schema, each).verdict !== 'violates') ?? null
  );
}

/** A value of a type that a schema does not take; undefined if every type is taken, or another one may be meant kindly. */
function wrongTypeOf(type: string | undefined, schema: JsonObject): unknown {
  if (Array.isArray(schema['type']) || schema['anyOf'] !== undefined || schema['oneOf'] !== undefined) return undefined;
  switch (type) {
    case 'string':
      return { unexpected: true };
    case 'integer':
    case 'number':
      return 'not-a-number';
    case 'boolean':
      return 'perhaps';
    case 'array':
      return 42;
    case 'object':
      return 'not-an-object';
    default:
      return undefined;
  }
}

interface Beyond {
  readonly value: unknown;
  readonly says: string;
}

/** Returns values just beyond the bounds that a schema states, or its description where the schema states none. */
function valuesBeyondBounds(schema: JsonObject, type: string | undefined, text: string): Beyond[] {
  if (/clamp|capped|cut (?:to|off)|rounded|truncat|begrenzt|截断/i.test(text)) return [];
  if (type === 'string' && typeof schema['maxLength'] === 'number' && schema['maxLength'] < 5_000)
    return [{ value: 'a'.repeat(schema['maxLength'] + 1), says: `longer than ${schema['maxLength']} characters` }];
  if (type !== 'integer' && type !== 'number') return [];
  const said = /(?:between|from)\s+(-?\d+)\s+(?:and|to)\s+(-?\d+)|\b(-?\d+)\s*(?:–|-|\.\.|to)\s*(\d+)\b/i.exec(text);
  const saidMost = /(?:max(?:imum)?|at most|up to|höchstens|no more than)\D{0,12}(\d+)/i.exec(text)?.[1];
  const least = schema['minimum'] ?? said?.[1] ?? said?.[3];
  const most = schema['maximum'] ?? said?.[2] ?? said?.[4] ?? saidMost;
  if (Number(least) > Number(most)) return [];
  return [
    ...(most === undefined || !Number.isFinite(Number(most))
      ? []
      : [{ value: Number(most) + 1, says: `${Number(most) + 1}, and ${String(most)} is the most` }]),
    ...(least === undefined || !Number.isFinite(Number(least))
      ? []
      : [{ value: Number(least) - 1, says: `${Number(least) - 1}, and ${String(least)} is the least` }]),
  ];
}

/** Whether a result says itself that there is nothing: a list with its total, or a flag. */
const isHonestlyEmpty = (value: unknown, isList: boolean): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).some(
    (key) =>
      /^(?:found|exists|available|matched|valid)$/i.test(key) ||
      (isList && /^(?:total|count|results|items)$/i.test(key)),
  );

const withoutEcho = (value: unknown, given: string | number): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== given && String(each) !== String(given)))
    : value;

/** Whether the text of a result states other values than its structure: for fields that both have. */
function contradicts(text: unknown, structured: unknown): boolean {
  if (Array.isArray(text) || Array.isArray(structured)) {
    if (!Array.isArray(text) || !Array.isArray(structured)) return false;
    return text.length !== structured.length || text.some((each, at) => contradicts(each, structured[at]));
  }
  if (typeof text !== 'object' || text === null || typeof structured !== 'object' || structured === null)
    return typeof text === typeof structured && text !== structured;
  const other = new Map(Object.entries(structured));
  return Object.entries(text).some(([key, each]) => other.has(key) && contradicts(each, other.get(key)));
}
