import { html } from 'hono/html';
import type { Html } from './page-frame.ts';

/** A table that scrolls by itself, also by keyboard, where it is wider than the page. */
export const scrollBoxHtml = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
