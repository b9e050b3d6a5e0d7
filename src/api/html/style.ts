import { designStyle } from '#core/values/design-style.ts';

/** The stylesheet of all pages of the service: the design, and the head, the foot and the lists that only these have. */
export const style = `${designStyle}
.top { margin: 0 calc(-1 * var(--edge)); padding: 0 var(--edge); background: var(--card); border-bottom: 1px solid var(--line); }
.top nav { margin: 0; min-height: 3.25rem; align-items: center; gap: 0 1.5rem; font-size: 0.88rem; }
.top a { color: var(--faint); text-decoration: none; padding: 0.4rem 0; }
.top a:hover, .top a[aria-current] { color: var(--ink); }
.top strong { display: inline-flex; align-items: center; gap: 0.55rem; color: var(--ink); font-size: 1rem; letter-spacing: -0.01em; }
.top strong::before { content: ''; width: 1.4rem; height: 1.4rem; background: url(/icon.svg) center / contain no-repeat; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; }
footer { margin-top: 4rem; padding-top: 0.5rem; border-top: 1px solid var(--line); font-size: var(--small); }
footer a { color: inherit; }
ul.boards { padding: 0; list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
ul.boards a { font-weight: 620; font-size: var(--large); }
@media (max-width: 40rem) { .top nav { gap: 0 1rem; } }
`;
