/** Characters of a text that the rules look at. */
const headChars = 2_000;

/** Maximum size of a text that a soft rule takes for an error: longer ones have other things to say. */
const shortChars = 600;
const shortLines = 6;

/** Verbs that make "Error ...ing something:" an error, unlike "Error handling in Go". */
const verbs =
  'accessing|adding|analy[sz]ing|applying|authenticating|browsing|calculating|calling|clicking|communicating|computing|connecting|converting|copying|counting|creating|decoding|deleting|describing|downloading|editing|encoding|executing|extracting|fetching|finding|formatting|generating|getting|importing|initiali[sz]ing|inserting|invoking|launching|listing|loading|making|moving|navigating|obtaining|opening|parsing|performing|processing|publishing|querying|reading|rendering|requesting|resolving|retrieving|running|saving|scraping|searching|sending|setting|starting|submitting|taking|translating|updating|uploading|validating|writing';

interface TextRule {
  readonly name: string;
  readonly patterns: readonly RegExp[];
}

/** What the first words of a text say. The patterns have no state and look only a bounded distance ahead. */
const openings: readonly TextRule[] = [
  {
    name: 'error-prefix',
    patterns: [
      /^[^\p{L}\p{N}\n]{0,8}(?:fatal )?(?:error|exception)[^\p{L}\p{N}\n:：]{0,4}(?:\([^)\n]{1,60}\)|\[[^\]\n]{1,60}\]|code[ =:]{0,2}-?\w{1,12}|-?\d{3,6})?[^\p{L}\p{N}\n:：]{0,4}[:：]\s*\S/iu,
      /^[^\p{L}\p{N}\n]{0,8}(?:an? )?(?:unexpected |unknown |internal |fatal )?(?:error|exception) (?:has )?(?:occurred|happened)\b/iu,
      new RegExp(
        String.raw`^[^\p{L}\p{N}\n]{0,8}(?:there was an )?error (?:while |when |in |during )?(?:${verbs})\b[^\n]{0,300}?(?:[:：]|$)`,
        'iu',
      ),
      /^(?:错误|出错|发生错误|请求失败|调用失败|执行失败|エラー)\s*[:：]/,
    ],
  },
  {
    // The sign tells a warning from the answer that a list is empty.
    name: 'warned-precondition',
    patterns: [
      /^(?:⚠\uFE0F?|❌|🚫|⛔) ?no (?:[\p{L}_-]{1,30} ){1,4}(?:is |has been )?(?:set|selected|open|opened|configured|connected|initiali[sz]ed|specified|provided)\b/iu,
    ],
  },
  { name: 'mcp-error', patterns: [/^mcp error:? -?\d{3,6}\b/i, /^(?:Error: )?McpError\b/] },
  {
    name: 'exception-prefix',
    patterns: [
      /^(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z][A-Za-z0-9_]{0,60}(?:Error|Exception)(?: ?\[[\w-]{1,60}\])?: ?\S/,
      /^\((?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z][A-Za-z0-9_]{0,60}(?:Error|Exception)\) \S/,
      /^Traceback \(most recent call last\):/,
    ],
  },
  {
    name: 'status-prefix',
    patterns: [
      /^(?:http|api|server|request|network|connection|database|query|sql|validation|authentication|authorization|protocol|upstream|[A-Z][\w-]{1,30} api) (?:\w+ )?error\b[^\n]{0,60}?(?::|\b[45]\d\d\b)/i,
      /^(?:http )?(?:status(?: code)?:? )?[45]\d\d(?::? (?:client error|server error|bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|conflict|gone|unprocessable|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out))\b/i,
      /^request failed with status code [45]\d\d\b/i,
    ],
  },
];

/** What short texts say as a whole. */
const shortTexts: readonly TextRule[] = [
  {
    name: 'failed-prefix',
    patterns: [
      /^[^\p{L}\p{N}\n]{0,8}(?:failed|unable) to \p{L}+ \S/iu,
      /^[^\p{L}\p{N}\n]{0,8}(?:tool|command|request|query|operation|call|execution|validation|authentication|login)(?: \S{1,60})? (?:execution |call )?failed\b/iu,
      /^[^\p{L}\p{N}\n]{0,8}(?:[\p{L}-]{1,30} ){1,4}(?:was |is )?(?:cancell?ed|aborted|blocked|refused|rejected) for (?:safety|security)\b/iu,
      /^(?:access|permission) denied\b|^unauthori[sz]ed\b|^forbidden\b|^rate limit exceeded\b|^too many requests\b|^(?:request|connection) timed out\b|^internal (?:server )?error\b|^bad request\b/i,
    ],
  },
  {
    // One sentence on one named thing: a search that finds nothing names what it looked for elsewhere.
    name: 'missing-thing',
    patterns: [
      /^[^\p{L}\p{N}\n]{0,8}(?:the )?(?!no\b)(?:[\p{L}_-]{1,30} ){1,4}(?:with (?:id|name|key|slug) )?["'`“][^"'`“”\n]{1,200}["'`”] (?:was |is |could )?(?:not (?:be )?found|(?:does not|doesn't) exist)\b/iu,
      /^[^\p{L}\p{N}\n]{0,8}(?:[\p{L}_-]{1,30} ){0,3}[\p{L}_-]{1,30} not found: \S/iu,
      /^(?!no\b)(?:[\p{L}_-]{1,30} ){0,3}(?!results|matches)[\p{L}_-]{1,30} not found\b[^\n]{0,80}$/iu,
      /^(?!no\b)(?:[\p{L}_-]{1,30} ){0,3}[\p{L}_-]{1,30}(?<!\bthat|\bwhich|\bwho) (?:does not|doesn't) exist\b[^\n]{0,80}$/iu,
      /^(?:there is )?no (?:[\p{L}_-]{1,30} ){0,2}[\p{L}_-]{0,29}(?!s)[\p{L}_-] with (?:the )?(?:id|uuid|slug|key)\b[^\n]{0,120}$/iu,
      /^(?:[\p{L}_-]{1,30} ){1,3}["'`“][^"'`“”\n]{1,200}["'`”] is not an? (?:regular )?(?:file|directory|folder|table|collection|object type)\b/iu,
    ],
  },
  {
    name: 'not-implemented',
    patterns: [/^[^\n.]{1,120}\bnot (?:yet )?(?:been )?implemented(?: yet)?(?: for [\w.-]{1,60})?(?:[.!]|$)/iu],
  },
  {
    name: 'argument-text',
    patterns: [
      /\binvalid arguments for tool\b|\binput validation error\b|\bvalidation errors? for \w+arguments\b|^unknown tool\b|^tool \S{1,100} not found\b/i,
      /^[^\n]{1,120}\b(?:must be (?:provided|specified|given|supplied)|(?:is|are) required)[.!]?$/i,
      /\bis not valid JSON\b|^(?:invalid|missing|unknown) (?:required )?(?:parameter|argument|input|arguments|parameters|api key|token)\b/i,
      /(?:参数|參數)(?:格式|类型|類型)?(?:错误|錯誤|无效|無效|不正确|不正確)|^[^\p{L}\n]{0,8}(?:缺少|請提供|请提供)(?:必[填要需])?(?:的)?(?:参数|參數)/u,
    ],
  },
];

/**
 * Returns the rule by which a text that is no JSON says that the call failed; null if none does. Logs and lists of
 * search results may begin with the same words, so they are left alone.
 */
export const findErrorRuleInTextOrNull = (text: string): string | null => {
  const head = text.slice(0, headChars);
  if (isListOfLinks(head) || isLogText(head)) return null;
  if (hasOnlyFailedItems(text)) return 'all-failed';
  return findRuleName(openings, head) ?? (isShortText(text) ? findRuleName(shortTexts, head) : null);
};

/** A word for what is wrong with a value, and the value or its kind: `Unknown mood. Options: ...`, `Invalid unit "x"`. */
const refusedValue =
  /^[^\p{L}\p{N}\n]{0,8}(?:unknown|invalid|unsupported|unrecogni[sz]ed) (?:[\p{L}_-]{1,30} ){0,3}[\p{L}_-]{1,30}(?:[.:!]| ["'`“])/iu;
/** A value that is not there, and then those that are: `**Layer "x" not found.** Available layers: ...`. */
const refusedChoice =
  /^[^\n]{0,200}\b(?:not found|unknown|invalid|unsupported|no [^\n]{1,40} (?:named|called|for))\b[^\n]{0,200}\n{0,2}[^\n]{0,80}\b(?:available|valid|did you mean|closest|options|existing|known|supported)\b[^\n]{0,40}[:：?]/iu;
/** A sign of failure before a statement, other than that there is nothing or that a person did not want it. */
const signedStatement = /^[❌✗✘⛔🚫]\uFE0F?\s{0,3}(?!\s|no\b|[^\n]{0,60}\bdeclined\b)[^\n]{3,}/iu;

/**
 * Returns the rule by which a text says that the value of an argument was refused, or begins with a sign of failure; null if it
 * does not. It is for tools that neither search nor check: from those it would be an answer.
 */
export const findRefusalOrNull = (text: string): string | null => {
  if (refusedChoice.test(text)) return 'refused-choice';
  if (!isShortText(text)) return null;
  if (refusedValue.test(text)) return 'refused-value';
  return signedStatement.test(text) ? 'signed-statement' : null;
};

/** A heading, a sign of failure, one statement, and what the caller should do: `# Coverage / ❌ **Not set up** / Please ...`. */
const signedReport =
  /^(?:#{1,6} [^\n]{1,100}\n+)?(?:❌|⛔|🚫)\uFE0F? ?([^\n]{1,200}?)(?:\n+|(?<=[.!]) )((?:please|first|run|try|make sure|ensure)\b[^\n]{1,200})$/iu;
/** Advice on the call, unlike "Please add a label to the button". */
const aboutCall = /\b(?:first|before|again|retry|exists?|is (?:correct|valid|accessible))\b/i;
const lacking =
  /\bnot (?:found|configured|installed|initiali[sz]ed|set up|available)[.!]?$|^no (?:[\p{L}_-]{1,30} ){1,4}(?:found|available)[.!]?$/iu;

/** What is not done yet, and an order to do it: `Not initialized. Call init first.` */
const unmetPrecondition =
  /^[^\p{L}\p{N}\n]{0,8}(?:[\p{L}_-]{1,30} ){0,4}not (?:yet )?(?:been )?(?:initiali[sz]ed|connected|configured|loaded|indexed|set up|logged in|authenticated|opened|selected)\b[^\n]{0,40}?[.!,;:—-] {0,2}(?:please |first |you (?:must|need to) )?(?:run|call|use|connect|initiali[sz]e|configure|create|open|select|log in|load|index)\b[^\n]{0,150}$/iu;

/**
 * Returns the rule by which a report says, with a sign, or as an unmet precondition, that the call failed; null if it
 * does not. What a tool that looks for things or checks them reports in this form is its answer.
 */
export const findSignedErrorRuleOrNull = (text: string): string | null => {
  if (isShortText(text) && unmetPrecondition.test(text)) return 'unmet-precondition';
  return findRuleOfSignedReportOrNull(text);
};

const findRuleOfSignedReportOrNull = (text: string): string | null => {
  const [, said, advice = ''] = (isShortText(text) ? signedReport.exec(text) : null) ?? [];
  if (said === undefined || !aboutCall.test(advice)) return null;
  const statement = said.replaceAll(/[*_`]/g, '').trim();
  return findErrorRuleInTextOrNull(statement) ?? (lacking.test(statement) ? 'signed-precondition' : null);
};

const findRuleName = (rules: readonly TextRule[], text: string): string | null =>
  rules.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))?.name ?? null;

/** Maximum number of items that are read as a list of failures. */
const maxItems = 50;

/**
 * Returns whether each item of an answer on several things is an error: `notes.md: Error - ENOENT`. Compilers and linters
 * write `error` small, or a position before it.
 */
const hasOnlyFailedItems = (text: string): boolean => {
  const items = text.split(/\n(?:---\n)?/, maxItems + 1).filter((item) => item.trim() !== '');
  return items.length > 0 && items.length <= maxItems && items.every((item) => failedItem.test(item));
};
const failedItem = /^\S[^\n:]{0,300}: (?:Error|ERROR)(?: -|:) ?\S/;

const isShortText = (text: string): boolean => text.length <= shortChars && text.split('\n').length <= shortLines;

/** Returns whether at least two lines consist of little more than an address, as lists of search results have them. */
const isListOfLinks = (head: string): boolean =>
  countMatchingLines(head, /^\W{0,8}(?:\w{1,12}: ?)?<?https?:\/\/\S+\W{0,4}$/) >= 2;

/** Returns whether at least two lines begin with a time or a level, as those of logs do. */
const isLogText = (head: string): boolean =>
  countMatchingLines(
    head,
    /^\W{0,3}(?:\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|(?:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|TRACE)\b)/,
  ) >= 2;

const countMatchingLines = (text: string, pattern: RegExp): number =>
  text.split('\n').filter((line) => pattern.test(line.trim())).length;
