import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { Preset } from './preset.ts';
import { qwen } from './qwen.ts';

/** The command-line agents that Sextant knows how to start. */
export const presets: readonly Preset[] = [claudeCode, codex, gemini, opencode, qwen];
