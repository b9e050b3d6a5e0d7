import { describe, expect, test } from 'vitest';
import { writeUploadInPiecesUntilRefused } from '#api/forward-upload.ts';
import { makeUploadPace } from '#api/upload-pace.ts';
import {
  bytesPerPiece,
  lineBytes,
  linesPerPiece,
  readUploadInPieces,
  uploadBytes,
  type Line,
} from '#api/uploaded-lines.ts';
import { bytesPerSecond, linesPerSecond, paceNextPiece } from '#core/access/upload-pace.ts';
import { ok } from '#core/values/result.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A body of bytes that arrive `size` at a time; all at once without it. */
function bodyOf(bytes: Uint8Array, size = bytes.byteLength): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

const atOnce = (): Promise<void> => Promise.resolve();

/** The pieces of an upload, or the refusal at its end. */
async function piecesOf(body: ReadableStream<Uint8Array>, first = 1): Promise<(readonly Line[] | string)[]> {
  const pieces: (readonly Line[] | string)[] = [];
  for await (const piece of readUploadInPieces(body, atOnce, first))
    pieces.push(piece.ok ? piece.value : `${piece.problem.code}: ${piece.problem.detail}`);
  return pieces;
}

async function linesOf(body: ReadableStream<Uint8Array>, first = 1): Promise<(readonly [number, string])[]> {
  const lines: (readonly [number, string])[] = [];
  for (const piece of await piecesOf(body, first)) {
    if (typeof piece === 'string') lines.push([0, piece]);
    else lines.push(...piece.map(({ number, text }) => [number, text] as const));
  }
  return lines;
}

describe('the lines of an upload', () => {
  test('are the same however the bytes arrive', async () => {
    const bytes = encode('\u{FEFF}{"a":"é"}\r\n\n  \n{"b":"漢字 𝄞"}\n{"c":1}');
    const whole = await linesOf(bodyOf(bytes), 7);
    expect(whole).toEqual([
      [7, '{"a":"é"}\r'],
      [10, '{"b":"漢字 𝄞"}'],
      [11, '{"c":1}'],
    ]);
    for (const size of [1, 2, 3, 5, 8]) expect(await linesOf(bodyOf(bytes, size), 7)).toEqual(whole);
    expect(await linesOf(bodyOf(encode('')))).toEqual([]);
    expect(await linesOf(bodyOf(encode('a\n')))).toEqual([[1, 'a']]);
  });

  test('come a hundred at a time, and fewer where they are long', async () => {
    const short = await piecesOf(bodyOf(encode('1\n'.repeat(250))));
    expect(short.map(({ length }) => length)).toEqual([linesPerPiece, linesPerPiece, 50]);
    const long = await piecesOf(bodyOf(encode(`${'x'.repeat(bytesPerPiece / 4)}\n`.repeat(8))));
    expect(long.map(({ length }) => length)).toEqual([4, 4, 0]);
    // Empty lines are no work for those who get the others, but reading them is.
    const empty = await piecesOf(bodyOf(encode('\n'.repeat(bytesPerPiece * 3))));
    expect(empty.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
  });

  test('may have a mebibyte, by their bytes, and those before a longer one are passed on', async () => {
    const fits = `${'é'.repeat(lineBytes / 2)}\n`;
    expect((await linesOf(bodyOf(encode(fits))))[0]?.[1]).toHaveLength(lineBytes / 2);
    for (const size of [65_536, lineBytes * 3])
      expect(await linesOf(bodyOf(encode(`a\nb\n${'é'.repeat(lineBytes / 2)}x\nc\n`), size))).toEqual([
        [1, 'a'],
        [2, 'b'],
        [0, `body-too-large: line 3: a line may have ${lineBytes} bytes`],
      ]);
  });

  test('are refused beyond 64 MiB, and where they are not UTF-8', async () => {
    const line = encode(`${'x'.repeat(lineBytes - 1)}\n`);
    const large = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(line) });
    expect((await linesOf(large)).at(-1)).toEqual([0, `body-too-large: an upload may have ${uploadBytes} bytes`]);
    const broken = new Uint8Array([...encode('a\n'), 0xff, 10]);
    expect(await linesOf(bodyOf(broken))).toEqual([[0, 'invalid-line: the bytes after line 0 are not UTF-8']]);
    const cut = encode('a\né').slice(0, -1);
    expect(await linesOf(bodyOf(cut))).toEqual([[0, 'invalid-line: the bytes after line 0 are not UTF-8']]);
  });
});

describe('an upload gives way', () => {
  test('before each piece, so that other requests have their turn between any two', async () => {
    let turn = 0;
    const timer = setInterval(() => {
      turn += 1;
    }, 0);
    const turns: number[] = [];
    await writeUploadInPiecesUntilRefused(bodyOf(encode('1\n'.repeat(1_000))), makeUploadPace('one'), (lines) => {
      turns.push(turn);
      expect(lines.length).toBeLessThanOrEqual(linesPerPiece);
      return Promise.resolve(ok(null));
    });
    clearInterval(timer);
    expect(turns).toHaveLength(10);
    expect(new Set(turns).size).toBe(10);
  });

  test('to the other uploads of its key, which all together take so many lines a second', async () => {
    const beganMs = performance.now();
    const send = () =>
      writeUploadInPiecesUntilRefused(bodyOf(encode('1\n'.repeat(400))), makeUploadPace('two'), () =>
        Promise.resolve(ok(null)),
      );
    await Promise.all([send(), send(), send()]);
    // The last piece is handled when those before it are paid for.
    expect(performance.now() - beganMs).toBeGreaterThan((1_000 * (3 * 400 - linesPerPiece)) / linesPerSecond - 20);
  });

  test('for as long as its lines or its bytes are worth, whichever is more', () => {
    expect(paceNextPiece(0, { lines: 100, bytes: 100 }, 1_000)).toEqual({
      waitMs: 0,
      freeAtMs: 1_000 + 100_000 / linesPerSecond,
    });
    const large = { lines: 1, bytes: bytesPerSecond / 4 };
    expect(paceNextPiece(1_025, large, 1_010)).toEqual({ waitMs: 15, freeAtMs: 1_275 });
    expect(paceNextPiece(1_275, { lines: 0, bytes: 0 }, 9_000)).toEqual({ waitMs: 0, freeAtMs: 9_000 });
  });
});
