import { afterAll, expect } from 'vitest';
import { brokenRules } from '../dev-server.ts';

// For every test file whose servers print what they break.
afterAll(() => expect(brokenRules()).toEqual([]));
