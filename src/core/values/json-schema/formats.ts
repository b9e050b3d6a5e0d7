/** Longer texts are not checked against a format: no supported format allows them, or it is not worth the time. */
export const maxFormatChars = 2_000;

/** The supported formats, each with its test of a text; unknown formats are not checked, as JSON Schema allows. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDateText],
  ['time', isTimeText],
  ['date-time', isDateTime],
  ['email', isEmailText],
  ['hostname', isHostnameText],
  ['ipv4', isIpv4Text],
  ['ipv6', (text) => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`)],
  ['uri', (text) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text)],
  ['uuid', (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)],
]);

function isDateText(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** A leap second is accepted in any minute. */
function isTimeText(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.test(text);
}

function isDateTime(text: string): boolean {
  return isDateText(text.slice(0, 10)) && /^[t\s]$/i.test(text.charAt(10)) && isTimeText(text.slice(11));
}

function isHostnameText(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label));
}

function isIpv4Text(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:25[0-5]|2[0-4]\d|[01]?\d?\d)$/.test(part));
}

function isEmailText(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || name.length > 64) return false;
  const isQuoted = /^"[^\r\n]*"$/.test(name);
  const isPlain = /^[^\s"(),:;<>@[\\\]]+$/.test(name) && !/^\.|\.\.|\.$/.test(name);
  return (isQuoted || isPlain) && (isHostnameText(host) || /^\[[^\s\]]+\]$/.test(host));
}
