import { expect, test } from 'vitest';
import { escapeXml } from '#core/values/xml.ts';

test('text for XML has no markup, and no character that a document may not hold', () => {
  expect(escapeXml(`a<b>&"'`)).toBe('a&lt;b&gt;&amp;&quot;&#39;');
  expect(escapeXml('a\u0000b\u001B[31m\uFFFE\uD800c\t\n😀')).toBe('ab[31mc\t\n😀');
});
