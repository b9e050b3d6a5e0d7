import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { findErrorRuleInTextOrNull } from './reported-text.ts';

/** Maximum number of wrappers that are opened around a result. */
const maxWrappers = 3;

/** Keys under which an error is explained. */
const explanations = [
  'message',
  'msg',
  'error',
  'err',
  'errors',
  'error_message',
  'errorMessage',
  'errmsg',
  'detail',
  'details',
  'reason',
  'info',
  'title',
];
/** Keys under which an answer has its content: with some of it, an error beside it concerns only a part. */
const payloads = [
  'data',
  'result',
  'results',
  'items',
  'records',
  'rows',
  'output',
  'content',
  'entries',
  'matches',
  'value',
  'values',
  'stdout',
  'ok',
  'succeeded',
  'successes',
];
/** Texts under `error` that say that there is none. */
const noErrors = /^(?:|none|null|no|no errors?|false|ok|success|n\/a|0)$/i;

interface ObjectRule {
  readonly name: string;
  readonly holds: (answer: JsonObject) => boolean;
}

/** What a single object says about itself. */
const objectRules: readonly ObjectRule[] = [
  {
    name: 'json-flag',
    holds: ({ isError, is_error: snake, ...rest }) => isError === true || snake === true || rest['hasError'] === true,
  },
  {
    name: 'json-success-false',
    holds: (answer) =>
      answer['success'] === false ||
      answer['succeeded'] === false ||
      answer['is_success'] === false ||
      (answer['ok'] === false && isExplained(answer)),
  },
  { name: 'json-object-error', holds: (answer) => isNamedError(answer) && isExplained(answer) },
  { name: 'json-status', holds: (answer) => hasErrorStatus(answer) && isExplained(answer) },
  {
    name: 'json-precondition',
    holds: ({ status, ...rest }) =>
      isTextMatching(status, /^not_\w{1,30}$/i) && messageKeys.some((key) => isTextMatching(rest[key], firstDo)),
  },
  {
    // What is asked for is missing, and nothing else is said.
    name: 'json-required',
    holds: (answer) =>
      messageKeys.some((key) => isTextMatching(answer[key], required)) &&
      !declaresSuccess(answer) &&
      !hasOtherContent(answer),
  },
  {
    // A checker whose only findings are that it could not read what it was given has checked nothing.
    name: 'json-unreadable',
    holds: (answer) =>
      [answer, ...Object.values(answer).filter(isJsonObject)].some(({ errors }) =>
        isListOfErrorsOfUnreadableFiles(errors),
      ),
  },
  {
    // A message that comes first speaks for the whole answer.
    name: 'json-message',
    holds: (answer) => {
      const [[key, message] = []] = Object.entries(answer);
      const speaks = (key === 'message' || key === 'msg') && typeof message === 'string';
      return (
        speaks &&
        findErrorRuleInTextOrNull(message.trim()) !== null &&
        !declaresSuccess(answer) &&
        !hasOtherContent(answer)
      );
    },
  },
  { name: 'json-error', holds: (answer) => hasError(answer) && !declaresSuccess(answer) && !hasOtherContent(answer) },
];

/** Returns the rule by which a result in JSON says that the call failed; null if none does. */
export const findErrorRuleInJsonOrNull = (value: unknown, wrappers = 0): string | null => {
  if (typeof value === 'string') return findErrorRuleInTextOrNull(value.trim());
  if (Array.isArray(value)) return findErrorRuleInListOrNull(value, wrappers);
  if (!isJsonObject(value)) return null;
  const rule = objectRules.find(({ holds }) => holds(value));
  if (rule !== undefined) return rule.name;
  if (hasOnlyFailures(value) || hasDoneNoneOfTotal(value)) return 'all-failed';
  if (wrappers >= maxWrappers) return null;
  return findErrorRuleInWrapperOrNull(value, wrappers) ?? findErrorRuleInOnlyListOrNull(value, wrappers);
};

/** A list failed if all of its items did; with one item it may be a wrapper of MCP's own form. */
const findErrorRuleInListOrNull = (items: readonly unknown[], wrappers: number): string | null => {
  if (items.length === 0 || wrappers > maxWrappers) return null;
  const [first] = items;
  if (items.length === 1 && isJsonObject(first) && first['type'] === 'text')
    return findErrorRuleInJsonOrNull(first['text'], wrappers + 1);
  const allFailed = items.every((item) => isJsonObject(item) && objectRules.some(({ holds }) => holds(item)));
  return allFailed ? 'all-failed' : null;
};

const wrapperKeys = ['result', 'results', 'response', 'data', 'output', 'content', 'text', 'body', 'root'];

/** A wrapper has nothing but what it wraps: `{"result": ...}`; one with a status beside it counts if it wraps only an error. */
const findErrorRuleInWrapperOrNull = (answer: JsonObject, wrappers: number): string | null => {
  const [key, ...others] = Object.keys(answer).filter((name) => !aboutAnswer.has(name));
  if (key === undefined || others.length > 0 || !wrapperKeys.includes(key)) return null;
  const isBare = Object.keys(answer).length === 1;
  return isBare || isOnlyError(answer[key]) ? findErrorRuleInJsonOrNull(answer[key], wrappers + 1) : null;
};

/** Keys that say how and when the answer was made, also where what it holds is nothing but an error. */
const aboutAnswer = new Set(['ok', 'success', 'status', 'timestamp', 'duration', 'durationMs', 'requestId', 'meta']);

const isOnlyError = (value: unknown): boolean =>
  isJsonObject(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((key) => key === 'error' || key === 'message') &&
  'error' in value;

/** Looks at an answer's only list, beside counts and the like. */
const findErrorRuleInOnlyListOrNull = (answer: JsonObject, wrappers: number): string | null => {
  const lists = Object.values(answer).filter((value) => Array.isArray(value));
  const [only] = lists;
  return lists.length === 1 && only !== undefined && only.every(isJsonObject)
    ? findErrorRuleInListOrNull(only, wrappers + 1)
    : null;
};

const succeededKeys = [
  'ok',
  'success',
  'successes',
  'succeeded',
  'successful',
  'results',
  'data',
  'successCount',
  'success_count',
];
const failedKeys = [
  'err',
  'errs',
  'error',
  'errors',
  'failed',
  'failures',
  'errored',
  'failedCount',
  'failed_count',
  'errorCount',
  'error_count',
];

/** Returns whether an answer lists or counts what succeeded, which is nothing, and what failed, which is something. */
const hasOnlyFailures = (answer: JsonObject): boolean =>
  succeededKeys.some((key) => isEmptyList(answer[key]) || (key.startsWith('succe') && answer[key] === 0)) &&
  !succeededKeys.some((key) => isFilledList(answer[key]) || isPositiveNumber(answer[key])) &&
  failedKeys.some((key) => isFilledList(answer[key]) || isFilledObject(answer[key]) || isPositiveNumber(answer[key]));

/** Returns whether none of several things was done: `{"total_edits": 1, "successful_edits": 0}`. */
const hasDoneNoneOfTotal = (answer: JsonObject): boolean =>
  Object.keys(answer).some((key) => {
    const what = /^(?:successful|succeeded|success|applied)(_\w{1,30}|[A-Z]\w{0,30})$/.exec(key)?.[1];
    return what !== undefined && answer[key] === 0 && isPositiveNumber(answer[`total${what}`]);
  });

const isPositiveNumber = (value: unknown): boolean => typeof value === 'number' && value > 0;

const isExplained = (answer: JsonObject): boolean =>
  explanations.some((key) => isFilledText(answer[key]) || isFilledObject(answer[key]) || isFilledList(answer[key]));

/** Returns whether an object calls itself an error: `{"object": "error"}`, `{"type": "error"}`. */
const isNamedError = (answer: JsonObject): boolean =>
  ['object', 'type', 'kind', 'result', 'outcome'].some((key) => isTextMatching(answer[key], /^(?:error|failure)$/i));

const errorStatus =
  /^(?:error|failure|fail|unauthori[sz]ed|\w{1,30}_required|not_(?:found|configured|installed|initiali[sz]ed|supported|implemented|available))$/i;

const hasErrorStatus = (answer: JsonObject): boolean =>
  isTextMatching(answer['status'], errorStatus) ||
  ['status', 'statusCode', 'status_code', 'httpStatus', 'code', 'errorCode', 'error_code', 'errcode'].some((key) =>
    isHttpError(answer[key]),
  ) ||
  (answer['status'] === '0' && isTextMatching(answer['infocode'], /^(?!10000$)\d{5}$/));

const isHttpError = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599) ||
  isTextMatching(value, /^[45]\d\d$/);

const hasError = (answer: JsonObject): boolean =>
  ['error', 'err', 'Error', 'exception', 'error_message', 'errorMessage', 'errmsg'].some((key) =>
    isErrorValue(answer[key], answer),
  ) || consistsOfErrors(answer);

/** A number under `error` may be a measured one, and a bare flag needs words beside it. */
const isErrorValue = (value: unknown, answer: JsonObject): boolean =>
  isFilledObject(value) ||
  (isFilledText(value) && !noErrors.test(value.trim())) ||
  (value === true && explanations.some((key) => key !== 'error' && isFilledText(answer[key])));

/** Returns whether an answer consists of errors, as GraphQL's and Jira's do. Those of validators and linters do not. */
const consistsOfErrors = (answer: JsonObject): boolean => {
  const about = Object.keys(answer).filter((key) => !['errors', 'errorMessages', 'extensions'].includes(key));
  return (
    about.every((key) => answer[key] === null) &&
    ['errors', 'errorMessages'].some((key) => isFilledList(answer[key]) || isFilledObject(answer[key]))
  );
};

const messageKeys = ['message', 'msg', 'detail', 'reason', 'hint'];
const firstDo = /\b(?:run|call|use)\b[^.\n]{1,80}\bfirst\b/i;
const required = /^[^\n.]{1,100}\b(?:(?:is|are) required|must be (?:provided|specified|given))[.!]?$/i;

const unreadableCode = /^(?:(?:FILE|PATH|DIRECTORY|INPUT)_NOT_FOUND|E(?:NOENT|ISDIR|NOTDIR|ACCES))$/i;

const isListOfErrorsOfUnreadableFiles = (errors: unknown): boolean =>
  Array.isArray(errors) &&
  errors.length > 0 &&
  errors.every((item) => isJsonObject(item) && isTextMatching(item['code'], unreadableCode));

const declaresSuccess = (answer: JsonObject): boolean =>
  answer['success'] === true ||
  answer['ok'] === true ||
  isTextMatching(answer['status'], /^(?:ok|success|succeeded|completed)$/i) ||
  (typeof answer['status'] === 'number' && answer['status'] >= 200 && answer['status'] < 300);

const hasOtherContent = (answer: JsonObject): boolean =>
  payloads.some(
    (key) =>
      isFilledList(answer[key]) ||
      isFilledObject(answer[key]) ||
      isFilledText(answer[key]) ||
      typeof answer[key] === 'number',
  );

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const isFilledObject = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;
const isTextMatching = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);
