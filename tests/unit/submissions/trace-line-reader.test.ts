import { describe, expect, test } from 'vitest';
import {
  initialReadingState,
  verifyNextTraceLine,
  traceReadingState,
  type TraceReadingState,
} from '#core/leaderboards/submissions/trace-line-reader.ts';
import { sealOfTraceHeader, sealAfterLineDigest } from '#core/leaderboards/submissions/trace-file.ts';
import { allAttempts, fileText, header, sealedFile } from '../../support/trace-file.ts';

const file = await sealedFile(header, await allAttempts());
const lines = fileText(file).trimEnd().split('\n');

/** What is wrong with the first line that is, or how far the whole was read. */
async function readAll(texts: readonly string[], from: TraceReadingState = initialReadingState) {
  let reading = from;
  for (const [at, text] of texts.entries()) {
    const read = await verifyNextTraceLine(reading, text);
    if (!read.ok) return { line: at + 1, ...read.problem };
    ({ reading } = read.value);
  }
  return reading;
}

const attempts = lines.length - 2;

describe('a file of traces', () => {
  test('is read to its seal', async () => {
    expect(await readAll(lines)).toEqual({ header, seal: file.seal.sha256, sealed: true, attempts });
  });

  test('can be read on from where reading stopped', async () => {
    const stopped = traceReadingState.parse(JSON.parse(JSON.stringify(await readAll(lines.slice(0, 3)))));
    expect(stopped).toMatchObject({ sealed: false, attempts: 2 });
    expect(await readAll(lines.slice(3), stopped)).toEqual(await readAll(lines));
  });

  test('may hold its attempts in any order, as long as the seal is of that order', async () => {
    const reversed = file.lines.toReversed();
    let chain = await sealOfTraceHeader(header);
    for (const { sha256 } of reversed) chain = await sealAfterLineDigest(chain, sha256);
    const text = fileText({ header, lines: reversed, seal: { ...file.seal, sha256: chain } });
    expect(await readAll(text.trimEnd().split('\n'))).toEqual({ header, seal: chain, sealed: true, attempts });
  });

  const [first = '', second = '', third = ''] = lines;
  const seal = lines.at(-1) ?? '';
  test.each([
    ['an attempt in place of the header', [second], 'invalid-line', /no header of traces/],
    ['a second header', [first, first], 'invalid-line', /the first line and no other/],
    ['a line that is no JSON', [first, '{'], 'invalid-line', /not JSON/],
    ['a line of no known type', [first, '{"type":"x"}'], 'invalid-line', /type/],
    ['a changed attempt', [first, second.replace('"trial":1', '"trial":2')], 'content-mismatch', /its digest/],
    ['a missing attempt', lines.toSpliced(1, 1), 'content-mismatch', /lines were removed or added/],
    ['two swapped attempts', [first, third, second, ...lines.slice(3)], 'content-mismatch', /not of the lines before/],
    ['a line after the seal', [...lines, seal], 'invalid-line', /stands after the seal/],
  ] as const)('is refused for %s', async (_what, texts, code, problem) => {
    expect(await readAll(texts)).toMatchObject({
      line: expect.any(Number),
      code,
      problem: expect.stringMatching(problem),
    });
  });
});
