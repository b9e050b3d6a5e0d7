/** What no document of XML 1.0 may hold, not even escaped (its production `Char`). */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Makes outside text safe in the text and the attributes of XML. Characters that XML forbids are removed. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
