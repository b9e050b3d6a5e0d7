import { html } from 'hono/html';
import type { Html } from './page-frame.ts';

/**
 * A table that scrolls by itself, also by keyboard, where it is wider than the page; with `phone` its rows are cards there, whose cells say in
 * `data-of` what they are of; with `snug` it is no wider than its figures need.
 */
export const scrollBoxHtml = (label: string, table: Html, kind: '' | 'phone' | 'snug' = ''): Html =>
  html`<div class="scroll ${kind}" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
