import { listDefinitionFindings } from '#core/reports/check/definitions/list-definition-findings.ts';
import { expect, test } from 'vitest';
import { tool } from './listed.ts';

const nouns = 'invoice customer parcel route engine sensor recipe chord'.split(' ');

/** Descriptions of another thing, which are compared with the words of all tools of their server, in two languages. */
const tools = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    tool(
      `get_${nouns[at % 8] ?? ''}_${String(at)}`,
      at % 2 === 0
        ? `Retrieves planetary ephemeris tables of moon ${String(at)} with their orbital inclination, sorted by brightness.`
        : `Zeigt Werkstattrechnungen der Woche ${String(at)} mit allen Ersatzteilen, Arbeitsstunden und Nettopreisen.`,
      {
        [`${nouns[(at * 3) % 8] ?? ''}_${String(at)}`]: { type: 'string', description: 'One of those listed before.' },
      },
    ),
  );

const bestMs = (count: number): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const listed = [{ name: 'shop', instructions: undefined, tools: tools(count) }];
      const start = performance.now();
      listDefinitionFindings(listed);
      return performance.now() - start;
    }),
  );

test('a server with four times as many tools takes hardly more than four times as long', () => {
  bestMs(20);
  expect(bestMs(320) / bestMs(80)).toBeLessThan(9);
}, 60_000);
