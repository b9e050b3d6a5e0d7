import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { firstAndLastLinesIfLong } from './error-words.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';

/** What an error says in a form for programs, and the words that are left for people. */
export interface MachinePart {
  /** The HTTP status, 400 to 599; null if it names none. */
  readonly status: number | null;
  /** Codes such as `object_not_found` or `PERMISSION_DENIED`, in lower case. */
  readonly codes: readonly string[];
  /** The SQLSTATE of a database, five characters; null if it names none. */
  readonly sqlState: string | null;
  /** The messages inside JSON, or the text itself. */
  readonly words: string;
}

/** Parts of JSON that are visited. */
const maxVisits = 300;

const statusKeys = new Set(['status', 'statuscode', 'httpstatus', 'httpcode', 'code', 'errorcode']);
const codeKeys = new Set(['code', 'errorcode', 'errcode', 'type', 'name', 'status', 'reason', 'error', 'kind']);
/** What these keys hold may repeat the arguments, or is about something else. */
const foreignKeys = new Set([
  'path',
  'input',
  'received',
  'value',
  'arguments',
  'params',
  'args',
  'request',
  'body',
  'url',
  'uri',
  'requestid',
  'trace',
  'stack',
  'documentationurl',
  'ctx',
]);
/** A code is one token: `RATE_LIMITED`, `rate_limited`, `NotFound`. */
const token = /^[A-Za-z]+(?:[_-][A-Za-z]+)*$/;
const constant = /^[A-Z]+(?:_[A-Z]+)+$/;
const longestToken = 60;
const sqlStateToken = /^(?=.{0,4}\d)[0-9A-Z]{5}$/;

/** Reads the machine part of an error. JSON may stand after words: `Error: {"status": 404}`. */
export const splitErrorIntoCodesAndWords = (text: string): MachinePart => {
  const found = findJson(text);
  const before = found === null ? text : text.slice(0, found.at);
  const parts: Parts = { statuses: [], codes: [], sqlStates: [], words: [], visits: 0 };
  if (found !== null) collectParts(found.value, '', parts);
  const status =
    findHttpStatusInText(firstAndLastLinesIfLong(before)) ??
    parts.statuses[0] ??
    findHttpStatusInText(parts.words.join('\n'));
  const sqlState = /\bSQLSTATE[\s:=([]{0,4}([0-9A-Z]{5})\b/.exec(text)?.[1] ?? parts.sqlStates[0] ?? null;
  const last = /(?:^|[:(]\s*)([a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+)\)?\.?$/.exec(
    before.trim().slice(-longestToken),
  )?.[1];
  return {
    status,
    codes: [...parts.codes, ...(last === undefined ? [] : [last])].map((code) => code.toLowerCase()),
    sqlState,
    words: parts.words.length === 0 ? text : [before, ...parts.words].join('\n'),
  };
};

interface Parts {
  readonly statuses: number[];
  readonly codes: string[];
  readonly sqlStates: string[];
  readonly words: string[];
  visits: number;
}

/** Returns the JSON in a text: all of it, or what stands from the first bracket to the end. */
const findJson = (text: string): { readonly at: number; readonly value: unknown } | null => {
  const at = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (at < 0 || end <= at) return null;
  const parsed = parseJsonWithinLimits(text.slice(at, end + 1));
  return parsed.ok && (isJsonObject(parsed.value) || isListOfObjects(parsed.value))
    ? { at, value: parsed.value }
    : null;
};

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isJsonObject(item));

const collectParts = (value: unknown, key: string, parts: Parts): void => {
  parts.visits += 1;
  if (parts.visits > maxVisits) return;
  const name = key.toLowerCase().replaceAll(/[_-]/g, '');
  if (foreignKeys.has(name)) return;
  if (typeof value === 'number' || typeof value === 'string') return collectLeaf(value, name, parts);
  if (Array.isArray(value)) for (const item of value) collectParts(item, key, parts);
  else if (isJsonObject(value)) for (const [inner, item] of Object.entries(value)) collectParts(item, inner, parts);
};

const collectLeaf = (value: string | number, name: string, parts: Parts): void => {
  const text = String(value);
  if (statusKeys.has(name) && /^[45]\d\d$/.test(text)) parts.statuses.push(Number(text));
  if (typeof value === 'number') return;
  if (codeKeys.has(name) && sqlStateToken.test(text)) parts.sqlStates.push(text);
  if (text.length <= longestToken && (codeKeys.has(name) ? token : constant).test(text)) parts.codes.push(text);
  else parts.words.push(text);
};

const phrases =
  'bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|request timeout|conflict|gone|precondition failed|unprocessable (?:entity|content)|locked|too many requests|unavailable for legal reasons|internal server error|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|client error|server error';
const statusPattern = new RegExp(
  String.raw`\b(?:status(?:[ _]?code)?|http(?:\/[\d.]+)?(?: error)?(?: status)?|error(?: code)?|code)["']?[ :=(]{1,3}([45]\d\d)\b|\b([45]\d\d)[ :-]{1,3}(?:${phrases})\b`,
  'i',
);

/** Returns the HTTP status in the forms in which servers write it: `status code 404`, `HTTP 404`, `404 Not Found`. */
const findHttpStatusInText = (text: string): number | null => {
  const found = statusPattern.exec(text);
  const digits = found?.[1] ?? found?.[2];
  return digits === undefined ? null : Number(digits);
};
