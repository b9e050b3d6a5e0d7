import { render } from 'preact';
import { config } from 'zod';
import { App } from './app.tsx';

// Compiled validation needs `eval`, which the pages' policy forbids.
config({ jitless: true });

const root = document.querySelector('#app');
if (root === null) throw new Error('the page has no #app');
render(<App />, root);
