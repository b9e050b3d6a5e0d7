import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** What a picture is drawn with: the compiled renderer, and the fonts of the family `Inter`. */
export interface DrawingParts {
  readonly renderer: WebAssembly.Module;
  readonly fonts: readonly ArrayBuffer[];
}

/** Starts with the first picture, because most processes draw none. */
let isStarted = false;

/**
 * Draws an SVG as PNG, with the family `Inter` in weights 400 and 600. It occupies the process until it is drawn, so no process draws two
 * pictures at a time.
 */
export async function drawPng({ renderer, fonts }: DrawingParts, svg: string): Promise<Uint8Array> {
  // Not its promise is kept, which would belong to the request that started it: two that start it at a time do no harm.
  if (!isStarted) await initWasm(renderer);
  isStarted = true;
  const drawing = new Resvg(svg, {
    font: { fontBuffers: fonts.map((font) => new Uint8Array(font)), defaultFontFamily: 'Inter' },
  });
  const picture = drawing.render();
  try {
    return picture.asPng();
  } finally {
    picture.free();
    drawing.free();
  }
}
