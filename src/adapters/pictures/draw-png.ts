import { initWasm, Resvg } from '@resvg/resvg-wasm';
import engine from '@resvg/resvg-wasm/index_bg.wasm';
import regular from './fonts/inter-regular.ttf';
import semibold from './fonts/inter-semibold.ttf';

/** Starts with the first picture, because most processes draw none. */
let isStarted = false;

/**
 * Draws an SVG as PNG, with the family `Inter` in weights 400 and 600. It occupies the process until it is drawn, so no process draws two
 * pictures at a time.
 */
export async function drawPng(svg: string): Promise<Uint8Array> {
  // Not its promise is kept, which would belong to the request that started it: two that start it at a time do no harm.
  if (!isStarted) await initWasm(engine);
  isStarted = true;
  const drawing = new Resvg(svg, {
    font: { fontBuffers: [new Uint8Array(regular), new Uint8Array(semibold)], defaultFontFamily: 'Inter' },
  });
  const picture = drawing.render();
  try {
    return picture.asPng();
  } finally {
    picture.free();
    drawing.free();
  }
}
