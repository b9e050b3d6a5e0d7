/** What the texts of answers show: patterns, and nothing that depends on a tool. */

const frames =
  /(?:^|\n)\s+at (?:[\w$.<>[\] ]+ \()?(?:file:\/\/|node:|\/|[A-Za-z]:\\|[\w$.]+\.(?:java|kt|scala|cs):)|(?:^|\n)\s*at [\w$.]+\([\w$]+\.(?:java|kt):\d+\)|Traceback \(most recent call last\)|(?:^|\n)\s*File "[^"]+", line \d+|goroutine \d+ \[|(?:^|\n)\s+from [^\n]+\.rb:\d+|#\d+ \/[^\n]+\.php\(\d+\)|\bat (?:async )?[\w$.<>]+ \([^\s)]+:\d+:\d+\)/;

/** Returns the first line of a stack trace; null if there is none. */
export const findStackTrace = (text: string): string | null => frames.exec(text)?.[0].trim() ?? null;

const absolutePath =
  /(?<![\w:/.])\/(?:home|Users|usr(?!\/(?:local\/)?s?bin\b)|var|opt|srv|app|root|etc|tmp|private|mnt|data|workspace|code|build)\/[\w.@/-]+|\b[A-Z]:\\(?:[\w .-]+\\)+[\w.-]+/;

/** Returns a path of the server's machine in a text that the call did not name; null if there is none. */
export function findForeignPath(text: string, given: string): string | null {
  const path = absolutePath.exec(text)?.[0] ?? null;
  return path === null || given.includes(path) || text.includes(`${given}/`) ? null : path;
}

const secrets =
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}|\bAKIA[A-Z0-9]{12,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAIza[\w-]{20,}|\bglpat-[\w-]{12,}|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----|\b[a-z][a-z+]*:\/\/[^\s:/@]+:[^\s@/]+@[\w.-]+|\b(?:password|passwd|secret|api[_-]?key|apikey|access[_-]?token|auth[_-]?token)\b["']?\s*[=:]\s*["']?(?!null|undefined|none|true|false|string|\*|<|\[|required|missing|invalid|must|is\b)[^\s"',;}]{6,}|\bBearer [\w.~+/-]{12,}/i;

/** Returns what looks like a key or a password; null if nothing does. */
export const findSecret = (text: string): string | null => secrets.exec(text)?.[0] ?? null;

/** Secrets that no result has for a good reason: an address with a password, a private key, a setting that is called one. */
const secretsInResults =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|amqps?|mssql|ftp|smtps?):\/\/[^\s:/@"]+:[^\s@/"*<]{4,}@[\w.-]+|"[A-Z][A-Z_]*(?:SECRET|PASSWORD|API_KEY|ACCESS_KEY|PRIVATE_KEY|TOKEN)"\s*:\s*"(?=[^"]*\d)[^"*<\s]{12,}"/;

/** Returns a secret that a result shows; null if there is none. */
export const findSecretInResult = (text: string): string | null => secretsInResults.exec(text)?.[0] ?? null;

const internals =
  /Cannot (?:read|set) propert|is not a function|undefined is not|is not iterable|\bis not defined\b|NoneType|\bKeyError\b|\bIndexError\b|AttributeError|NullPointerException|\bTypeError\b|ReferenceError|RangeError|object has no attribute|index out of range|nil pointer|Segmentation|Unexpected (?:token|end of JSON)|SyntaxError|SQLITE_|syntax error at or near|ORA-\d{4}|SQLSTATE|Maximum call stack/;

const generic =
  /^(?:an? )?(?:internal (?:server )?error|(?:unknown|unexpected|generic) (?:error|failure)|errors?|failed|failure|fehler|erreur|something went wrong|(?:unknown|unexpected)?\s*error (?:has )?occurred|invalid(?: (?:input|request|arguments?|parameters?|params|data|value))?|bad request|not found|no data|unknown|undefined|null|none|nil|operation failed|request failed|tool (?:execution )?failed|oops|exception|validation (?:error|failed)|wrong input|e\d+|\d{3})?[\s.!…]*$/i;

/** Returns why an error does not help its reader; null if it may. */
export function whyUnhelpful(text: string): string | null {
  const internal = internals.exec(text)?.[0];
  if (internal !== undefined) return `it speaks of the code ("${internal}")`;
  const bare = stripPrefixes(text);
  if (bare === '') return 'it says nothing';
  return generic.test(bare) || isGenericAbroad(bare) ? `it says no more than "${bare.slice(0, 60)}"` : null;
}

/** Sentences that say nothing but that something failed, or whom to ask, in other languages and at more length. */
const genericSentences = [
  /^(?:an? )?(?:(?:unknown|unexpected|internal|general) )?(?:error|failure|problem)(?: (?:has |have )?(?:occurred|happened))?$/,
  /^(?:please )?(?:try|retry)(?: (?:it|this))?(?: again)?(?: later| in a (?:moment|while))?$/,
  /^(?:please )?(?:contact|ask|tell|inform)(?: (?:the|your|our|an))? ?(?:system )?(?:administrators?|admins?|support(?: team)?|operator|developer)$/,
  /^(?:please )?(?:see|check)(?: the)? logs?(?: for (?:more )?details)?$/,
  /^(?:es ist )?(?:ein |interner )?(?:unbekannter |interner )?(?:fehler|problem)(?: ist)?(?: aufgetreten)?$/,
  /^(?:bitte )?(?:versuchen sie es|versuche es)(?: bitte)? (?:später )?(?:erneut|noch einmal|nochmals)?$/,
  /^(?:bitte )?(?:wenden sie sich an|kontaktieren sie) (?:den|ihren) (?:administrator|support)$/,
  /^(?:une )?erreur(?: (?:inconnue|interne|inattendue))?(?: (?:s'est produite|est survenue))?$/,
  /^veuillez (?:réessayer(?: plus tard)?|contacter (?:l'|votre )?(?:administrateur|support))$/,
  /^(?:(?:ha )?ocurrido |ocurrió |se produjo )?(?:un )?(?:error|fallo)(?: (?:inesperado|interno|desconocido))?$/,
  /^(?:por favor,? )?(?:inténtelo|intente|inténtalo)(?: de nuevo| nuevamente)?(?: más tarde)?$/,
  /^(?:por favor,? )?(?:contacte|contacta|póngase en contacto)(?: con| a)? (?:el|al|su|con el) (?:administrador|soporte)$/,
  /^(?:ocorreu |aconteceu )?(?:um )?erro(?: (?:inesperado|interno|desconhecido))?$/,
  /^(?:por favor,? )?(?:tente|tenta)(?: novamente| de novo)?(?: mais tarde)?$/,
  /^(?:por favor,? )?(?:contate|contacte|entre em contato com) o (?:administrador|suporte)$/,
  /^(?:si è verificato )?(?:un )?errore(?: (?:imprevisto|interno|sconosciuto))?$/,
  /^(?:si prega di )?(?:riprovare|riprova)(?: più tardi)?$/,
  /^(?:wystąpił )?(?:nieznany )?błąd$/,
  /^(?:произошла )?(?:неизвестная |внутренняя )?ошибка(?: сервера)?$/,
  /^(?:пожалуйста,? )?(?:обратитесь|свяжитесь) (?:к|с|в) (?:системному |системным )?(?:администратор\p{L}*|поддержк\p{L}*|служб\p{L}* поддержки)$/u,
  /^(?:пожалуйста,? )?(?:попробуйте|повторите)(?: попытку)?(?: ещё раз| еще раз| снова)?(?: позже| позднее)?$/,
  /^(?:发生(?:了)?)?(?:未知|内部|系统)?(?:错误|錯誤|异常)$/,
  /^(?:请|請)?(?:稍后|稍後)?(?:再试|重试|再試)(?:一次)?$/,
  /^(?:请|請)?联系(?:系统)?(?:管理员|客服)$/,
  /^(?:不明な|内部|予期しない)?エラー(?:が発生しました)?$/,
  /^(?:しばらくして(?:から)?)?(?:もう一度|再度)(?:お試しください|試してください)$/,
  /^(?:システム)?管理者に(?:お問い合わせ|連絡)(?:ください|して(?:ください)?)$/,
  /^(?:알 수 없는 |내부 )?오류(?:가 발생했습니다)?$/,
];

const isGenericAbroad = (text: string): boolean => {
  const sentences = text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[.!?…:;。！？\n]+/u)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return (
    sentences.length > 0 &&
    sentences.every((each) => genericSentences.some((pattern) => pattern.test(each)) || generic.test(each))
  );
};

const stripPrefixes = (text: string): string => {
  const stripped = text
    .trim()
    .replace(/^(?:MCP error -?\d+:?|(?:[A-Za-z]*Error|Fehler|Failed|❌|✗|\{"error":\s*")[:\s]+)\s*/i, '');
  return stripped === text.trim() ? stripped.replace(/^["'{[\s]+|["'}\]\s]+$/g, '') : stripPrefixes(stripped);
};

const sayingFailure =
  /^\W{0,4}(?:error\b|errors?:|failed\b|failure\b|sorry\b|oops\b|unable to\b|could ?n[o']t\b|cannot\b|can't\b|something went wrong|an (?:unexpected )?error|exception\b|fatal\b|fehler\b|leider\b|erreur\b|désolé|lo siento|no se pud|错误|錯誤|失败|失敗|エラー|抱歉|ошибка|erro\b)/i;
const sayingUnknown =
  /\b(?:not found|does ?n[o']t exist|do not exist|no such|unknown|invalid|is required|nicht gefunden|introuvable|no encontrad|não encontrad|не найден|nie znalezion|non trovat|niet gevonden|hittades inte)|(?:\bnot|n['’]t) (?:yet )?(?:initiali[sz]ed|indexed|configured|connected|authenticated)\b|(?:不存在|未找到|找不到|見つかりません)/i;

/** Sentences that say it where they stand, in a text that says little else. */
const sayingFailureAnywhere =
  /\b(?:error (?:has )?occurred|went wrong|Fehler (?:ist )?aufgetreten|erreur (?:s'est|est) (?:produite|survenue)|(?:ocurrió|se produjo|ha ocurrido) un error|(?:ocorreu|aconteceu) um erro|si è verificato un errore|fout opgetreden|wystąpił błąd)|произошла ошибка|发生(?:了)?错误|發生錯誤|出错了|エラーが発生|오류가 발생/iu;
const shortChars = 300;

/** Whether a text says that a call failed. */
export const saysFailure = (text: string): boolean =>
  sayingFailure.test(text.slice(0, 200)) || (text.length < shortChars && sayingFailureAnywhere.test(text));

/** A failure that no argument can have caused: what stands behind the tool does not work. */
const brokenBehind =
  /\b(?:50[0-4]\b(?! characters)|service unavailable|bad gateway|internal server error|gateway time-?out|upstream|not (?:yet )?implemented|is not a function|is not defined|module not found|no such module)\b|Cannot find (?:module|package)/i;

/** Whether an error speaks of something that is broken whatever the arguments are. */
export const speaksOfBrokenService = (text: string): boolean => brokenBehind.test(text);

/** Whether a short text says that something is not there, not ready, or wrong. */
export const saysUnknown = (text: string): boolean => text.length < 600 && sayingUnknown.test(text);

/** Returns what an object says of its failure; null if it says nothing of the kind. */
export function failureOfObject(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  // A verdict on what was asked about is no failure of the call.
  if (Object.keys(value).some((key) => /^(?:is_?)?valid$/i.test(key))) return null;
  for (const [key, each] of Object.entries(value)) {
    if (
      /^(?:error|errors|exception|fehler|error_?message)$/i.test(key) &&
      each !== null &&
      each !== false &&
      typeof each !== 'number' &&
      each !== '' &&
      !(Array.isArray(each) && each.length === 0)
    )
      return `"${key}"`;
    if (/^(?:ok|success|succeeded)$/i.test(key) && each === false) return `"${key}": false`;
    if (
      /^(?:status|result|state)$/i.test(key) &&
      typeof each === 'string' &&
      /^(?:error|failed|failure|fail)$/i.test(each)
    )
      return `"${key}": "${each}"`;
    if (
      /^(?:status|statusCode|code)$/i.test(key) &&
      typeof each === 'number' &&
      each >= 400 &&
      each < 600 &&
      Object.keys(value).length <= 4
    )
      return `"${key}": ${each}`;
  }
  return null;
}

/** Letters beyond ASCII that were read in a wrong encoding. */
const mojibake =
  /Ã[\u0080-\u00BF©¼¶¤Ÿ±³¡­]|â€[™œ\u009D“”"¦]|Â[\u00A0-\u00BF]|\uFFFD|å[\u0080-\u00BF]{2}|æ[\u0080-\u00BF]{2}/;

/** Returns letters that came back as others; null if none did. */
export const findMojibake = (text: string): string | null => mojibake.exec(text)?.[0] ?? null;

/** Returns what binary data a text holds; null if it holds none. */
export function findBinary(text: string): string | null {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0008\u000E-\u001A]/.test(text)) return 'control characters';
  if (/data:[\w/+.-]+;base64,[A-Za-z0-9+/=]{500,}/.test(text)) return 'a data: address in base64';
  return /(?<![\w+/])(?=[A-Za-z0-9+/]*[a-z])(?=[A-Za-z0-9+/]*[A-Z])(?=[A-Za-z0-9+/]*\d)[A-Za-z0-9+/]{800,}={0,2}/.test(
    text,
  )
    ? 'base64'
    : null;
}
