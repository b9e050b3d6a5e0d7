import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { arrayOrEmpty, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { answerText, isEmptyValue, isSuccess, resultValue, textWithoutArguments } from './answer.ts';
import { failureOfObject, saysFailure, saysUnknown } from './answer-texts.ts';
import { judgeWrong } from './judge-answer.ts';
import type { Probe, ProbeRun, Sample } from './probe.ts';
import { probeText } from './probe-text.ts';
import { textOf, typeOf, type Argument } from './sample-arguments.ts';
import { isIdentifier, lists, searches } from './tool-purpose.ts';
import { valuesBeyondBounds, wrongTypeOf } from './wrong-values.ts';

/** Numbers that nothing is likely to have as its id, the least likely first. */
const unknownNumbers = [987_654_321, 987_654, 9_876, 987, 97];

/** Leaves an argument of a valid call out, and gives it values that are wrong in every way. */
export function* probeArgument(run: ProbeRun, argument: Argument, good: Sample): Probe {
  const { name, schema, required } = argument;
  const type = typeOf(schema);
  const text = textOf(schema['description']);
  if (required && !/\boptional\b|\bdefaults? (?:to|is)\b/i.test(text)) {
    const given = Object.fromEntries(Object.entries(good.arguments).filter(([key]) => key !== name));
    const what = `a call without the required \`${name}\``;
    const right = `refuse it: say that \`${name}\` is missing`;
    judgeWrong(run, { rule: 'missing-accepted', what, right, name }, given, yield* run.ask(given));
  }
  const wrong = wrongTypeOf(type, schema);
  if (wrong !== undefined && !run.isOut()) {
    const given = { ...good.arguments, [name]: wrong };
    const what = `\`${name}\` of a wrong type (${JSON.stringify(wrong)})`;
    const right = `check the type: say that \`${name}\` must be ${type === undefined ? 'another type' : `of type ${type}`}`;
    judgeWrong(run, { rule: 'wrong-type-accepted', what, right, name }, given, yield* run.ask(given));
  }
  if (arrayOrEmpty(schema['enum']).length > 0 && type === 'string' && !run.isOut()) {
    const given = { ...good.arguments, [name]: 'zzyzx' };
    const what = `a value of \`${name}\` that its enum does not have`;
    const right = 'refuse it, and list the values that are allowed';
    judgeWrong(run, { rule: 'value-outside-enum-accepted', what, right, name }, given, yield* run.ask(given));
    return;
  }
  for (const { value, says } of valuesBeyondBounds(schema, type, text)) {
    if (run.isOut()) return;
    const given = { ...good.arguments, [name]: value };
    const what = `\`${name}\` beyond its bounds (${says})`;
    const right = 'refuse it and name the bounds, or say in the description that it is cut to them';
    judgeWrong(run, { rule: 'bounds-ignored', what, right, name }, given, yield* run.ask(given));
  }
  if (type === 'string') yield* probeText(run, argument, good, probeUnknown);
  else if ((type === 'integer' || type === 'number') && isIdentifier(run.tool, argument, run.about) && !run.isOut())
    yield* probeUnknown(run, argument, good, unknownNumberFor(schema));
}

const unknownNumberFor = (schema: JsonObject): number =>
  unknownNumbers.find((value) => checkValueAgainstSchema(schema, value).verdict !== 'violates') ?? 97;

/** Asks for something that does not exist. */
function* probeUnknown(
  run: ProbeRun,
  { name, schema, required }: Argument,
  good: Sample,
  value: string | number,
): Probe {
  if (checkValueAgainstSchema(schema, value).verdict === 'violates') return;
  const given = { ...good.arguments, [name]: value };
  const answer = yield* run.ask(given);
  const what = `a \`${name}\` that does not exist`;
  if (!isSuccess(answer)) {
    run.refused.push({ arguments: given, answer });
    return judgeWrong(run, { rule: 'empty-for-unknown', what, right: '', name }, given, answer);
  }
  const held = resultValue(answer);
  const isSearch = searches(run.tool, name);
  const isFailure =
    failureOfObject(held) !== null ||
    saysFailure(answer.text) ||
    (!isSearch && typeof held === 'string' && saysUnknown(answer.text));
  if (isFailure)
    return run.say(
      'error-as-success',
      `${what} is answered with a failure that is not marked as one`,
      'set `isError: true`, and say which values exist or how to list them',
      [given, answer],
    );
  if (isSearch) return;
  const isList = lists(run.tool);
  if (isEmptyValue(withoutEcho(held, value)) && !(Array.isArray(held) && isList) && !isHonestlyEmpty(held, isList))
    run.say(
      'empty-for-unknown',
      `${what} is answered with nothing, as a success`,
      `answer with \`isError: true\`: say that there is no such \`${name}\`, and how to find those that exist`,
      [given, answer],
    );
  else if (
    required &&
    answerText(answer).length > 2 &&
    textWithoutArguments(answer, given) === textWithoutArguments(good.answer, good.arguments)
  )
    run.say(
      'empty-for-unknown',
      `${what} is answered as if it existed`,
      `answer with \`isError: true\`: say that there is no such \`${name}\``,
      [given, answer],
    );
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
